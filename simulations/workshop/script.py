"""The scripted model of the workshop: no model, but texts that a good one might write, chosen by the prompt."""

import re

from cave_sim.models import Request

REFINE = """
points, rounds, worst = order.points, 0, float("inf")
wish = "Fit a line to `points`, and set `result` to [slope, start]."
team["ann"].inject("points", points)
team["ann"].inject("left_out", [])
while worst > order.tolerance:
    answer = await team["ann"].ask(wish)
    rounds += 1
    team["bob"].inject("points", team["ann"].retrieve("kept"))
    team["bob"].inject("line", team["ann"].retrieve("result"))
    await team["bob"].ask("Set `result` to the largest distance of `points` from `line`, and `where` to its place.")
    worst, where = team["bob"].retrieve("result"), team["bob"].retrieve("where")
    wish = f"One point lies {worst:.2f} off, more than {order.tolerance}. Leave out number {where}, and fit again."
order.line, order.rounds = team["ann"].retrieve("result"), rounds
print(answer)
"""
REWIRE = '''
class Auditor:
    """You check what others have written: you compute it anew, and say whether it is the same."""

    max_cells = 2

team["ann"].pause()
order.said = [row["text"] for row in await team["bob"].transcript() if row["kind"] == "user"]
team["bob"].rewire(role="You are the clerk: you write prices into the order.", max_cells=1)
team["bob"].grant("order.price_cents")
cem = team.spawn("cem", Auditor, like="ann")
print(cem, team["ann"].state["variables"])
'''
PRICE = """
team["bob"].inject("pieces", 7)
team["bob"].inject("line", order.line)
await team["bob"].ask("Set order.price_cents to 100 times what `line` has at `pieces`.")
"""
FAIL = PRICE + 'assert order.price_cents > 5000, f"{order.price_cents} cents would ruin us"\n'
CHECK = (
    PRICE
    + """team["cem"].inject("pieces", 7)
team["cem"].inject("line", order.line)
verdict = await team["cem"].ask("Is order.price_cents 100 times what `line` has at `pieces`?")
assert team["cem"].retrieve("result")
team["ann"].resume()
print(verdict)
"""
)
JOBS = (REFINE, REWIRE, FAIL, CHECK)

FIT = """
import numpy as np
kept = [point for at, point in enumerate(points) if at not in left_out]
slope, start = np.polyfit([x for x, _ in kept], [y for _, y in kept], 1)
result = [round(float(slope), 3), round(float(start), 3)]
me.finish()
"""
MEASURE = """
distances = [abs(line[0] * x + line[1] - y) for x, y in points]
result = max(distances)
where = distances.index(result)
me.finish()
"""
WRITE = """
order.price_cents = round(100 * (line[0] * pieces + line[1]))
me.finish()
"""
AUDIT = """
result = order.price_cents == round(100 * (line[0] * pieces + line[1]))
me.finish()
"""
WORK = {
    "Fit a line": FIT,
    "Leave out number": "\nleft_out = [*left_out, {number}]" + FIT,
    "largest distance": MEASURE,
    "Set order.price_cents": WRITE,
    "Is order.price_cents": AUDIT,
}


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    text = "\n".join(message.text for message in request.messages[1:] if message.role != "assistant")
    if any(phrase in text for phrase in ("Your cell ran", "<output>", "<error>")):
        return "It is done."
    if request.key.agent == "chief":
        return f"```python{JOBS[request.key.step]}```" if request.key.step < len(JOBS) else "All jobs are done."
    wish = next((wish for wish in WORK if wish in text), "")
    number = re.search(r"number (\d+)", text)
    return f"```python{WORK[wish].replace('{number}', number[1] if number else '')}```" if wish else "Nothing to do."
