"""The scripted model of the pipeline: no model, but texts that a good one might write, chosen by the prompt."""

import re

from cave_sim.models import Request

BY_REFERENCE = """
cleaner, modeller, reporter = team["cleaner"], team["modeller"], team["reporter"]
await cleaner.ask("Make `clean` of `raw`: no gaps, and no day with more than 1000 cups.")
modeller.inject("clean", cleaner.retrieve("clean"))
await modeller.ask("Fit `model`, a LeastSquares of cups over warm_c, to `clean`.")
reporter.inject("clean", modeller.retrieve("clean"))
reporter.inject("model", modeller.retrieve("model"))
await reporter.ask("Draw `figure`, a line_chart of `clean` with the line of `model`.")
clean, model, figure = (reporter.retrieve(name) for name in ("clean", "model", "figure"))
by_reference.rows, by_reference.slope, by_reference.points = len(clean), model.slope, len(figure.data[0].x)
by_reference.types = [type(each).__name__ for each in (clean, model, figure)]
"""
BY_TEXT = """
import json
wish = "Make `clean` of `raw`: no gaps, and no day with more than 1000 cups. Say it as JSON."
clean = await team["cleaner"].ask(wish)
wish = f"Fit a LeastSquares of cups over warm_c. Say it as JSON. This is the table: {clean}"
model = await team["modeller"].ask(wish)
figure = await team["reporter"].ask(
    f"Draw a line_chart. Say it as JSON. This is the table: {clean} And this is the model: {model}"
)
clean, model, figure = (json.loads(text) for text in (clean, model, figure))
by_text.rows, by_text.slope, by_text.points = len(clean["cups"]), model["slope"], len(figure["data"][0]["x"])
by_text.types = [type(each).__name__ for each in (clean, model, figure)]
"""
CLEAN = "\nclean = raw.dropna()\nclean = clean[clean['cups'] <= 1000].reset_index(drop=True)\n"
SAY = "import json\nprint(json.dumps({}))\n"
WORK = {
    "Say it as JSON. This is the table: {table} And": """
table, fitted = {table}, {model}
line = [round(fitted["slope"] * x + fitted["start"], 2) for x in table["warm_c"]]
figure = line_chart("Cups by temperature", table["warm_c"], table["cups"], line).to_plotly_json()
"""
    + SAY.format("figure"),
    "Say it as JSON. This is the table: {table}": """
table = {table}
model = LeastSquares().fit(table["warm_c"], table["cups"])
"""
    + SAY.format('{"slope": model.slope, "start": model.start}'),
    "Make `clean` of `raw`: no gaps, and no day with more than 1000 cups. Say it as JSON.": CLEAN
    + SAY.format("clean.to_dict('list')"),
    "Make `clean` of `raw`": CLEAN,
    "Fit `model`": "\nmodel = LeastSquares().fit(clean['warm_c'], clean['cups'])\n",
    "Draw `figure`": """
line = [model.predict(x) for x in clean["warm_c"]]
figure = line_chart("Cups by temperature", list(clean["warm_c"]), list(clean["cups"]), line)
""",
}
_TABLE = re.compile(r"This is the table: (\{.*?\})(?= And|$)", re.MULTILINE)
_MODEL = re.compile(r"this is the model: (\{.*?\})$", re.MULTILINE)


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    text = "\n".join(message.text for message in request.messages[1:] if message.role != "assistant")
    if output := re.search(r"<output>\n(.*?)\n</output>", text, re.DOTALL):
        return output[1]
    if "Your cell ran" in text or "<error>" in text:
        return "It is done."
    if request.key.agent == "chief":
        return f"```python{(BY_REFERENCE, BY_TEXT)[request.key.step]}```" if request.key.step < 2 else "All is done."
    table, model = _TABLE.search(text), _MODEL.search(text)
    known = {"{table}": table[1] if table else "", "{model}": model[1] if model else ""}
    for wish, cell in WORK.items():
        if _filled(wish, known) in text and not ("{model}" in cell and model is None):
            return f"```python{_filled(cell, known)}```"
    return "There is nothing for me to do."


def _filled(text: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        text = text.replace(name, value)
    return text
