"""What handing over by reference and by text cost in a run, told from its journal alone."""

from cave_sim import Run

WAYS = ("by reference", "by text")


def tokens(run: Run) -> dict[str, tuple[int, int]]:
    """Return the tokens that models read and wrote in each of the two steps, the chief's own left out."""
    counts = dict.fromkeys(WAYS, (0, 0))
    for call in run.calls():
        if call["step"] < len(WAYS) and call["agent"] != "chief" and call["reply"] is not None:
            usage = call["reply"]["usage"]
            read, written = counts[WAYS[call["step"]]]
            new = read + usage["prompt_tokens"], written + usage["completion_tokens"]
            counts[WAYS[call["step"]]] = new
    return counts


def summary(run: Run) -> str:
    """Return what was delivered each way, and the tokens that its three stages took.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    spent, entities = tokens(run), ("by_reference", "by_text")
    lines = ["Handing over:"]
    for way, entity in zip(WAYS, entities, strict=True):
        values = {change.path[0]: change.new for change in run.changes(entity) if change.path}
        read, written = spent[way]
        types = ", ".join(values.get("types", ["nothing"]))
        lines.append(f"{way}: {read + written:,} tokens ({read:,} read, {written:,} written); arrived: {types}")
    totals = [sum(spent[way]) for way in WAYS]
    if all(totals):
        lines.append(f"by reference took {1 - totals[0] / totals[1]:.0%} fewer tokens than by text")
    return "\n  ".join(lines)
