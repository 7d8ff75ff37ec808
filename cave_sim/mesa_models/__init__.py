"""Any Mesa model as a world: its trajectory stays Mesa's own, and its runs are journaled, resumed and forked."""
