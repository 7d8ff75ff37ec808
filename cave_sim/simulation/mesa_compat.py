"""Mesa's way of counting steps, so that an error in one does not end all that would follow."""

from __future__ import annotations

import mesa


def let_errors_out(model: mesa.Model) -> None:
    """Have an error in a step reach whoever asked for the step, and nobody in between.

    Since version 3.5 Mesa takes steps from its list of events, and an error that passes through leaves the list without
    a next step: every later ``step()`` would return at once, having done nothing.
    """
    take, count = model._user_step, model.step
    failed: list[BaseException] = []

    def taking() -> None:
        try:
            take()
        except BaseException as error:
            failed.append(error)

    def counting() -> None:
        count()
        if failed:
            raise failed.pop()

    model._user_step, model.step = taking, counting
