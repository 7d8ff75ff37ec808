"""What residents with a language model read: who they are, what there is, what is new, how things stand now."""
