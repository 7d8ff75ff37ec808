"""Function calling and CodeAct on the same world and tools as a mind: what they are offered, told, and refused."""

import dataclasses
import json
import time

import pandas as pd
import pytest

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.agents.codeact import CodeAct
from cave_sim.agents.function_calling import FunctionCaller
from cave_sim.experiment.comparison import plain, same
from cave_sim.experiment.scripted import slip
from cave_sim.experiment.task import Query, Task, Variable
from cave_sim.experiment.trial import Trial, delivered
from cave_sim.experiment.variable_store import VariableStore
from cave_sim.llm_agent.function_tools import function_tools
from cave_sim.llm_agent.habits import Habits
from cave_sim.models import Reply, ScriptedModel, ToolCall
from cave_sim.simulations.studies import PARADIGMS


class Room(Entity):
    """A room."""

    lamps: int = field(0, ge=0, le=9, guarded=True)


class Janitor(Entity):
    """Somebody with keys."""

    keys: int = field(2, ge=0, guarded=True)

    def light(self, room: Room, count: int = 1) -> int:
        """Light some lamps of a room; returns how many are lit."""
        room.lamps += count
        return room.lamps


class Calling(ScriptedModel):
    """Plays replies that may call tools, and remembers the requests."""

    def __init__(self, *replies):
        super().__init__([""])
        self.replies = replies
        self.requests = []

    async def reply(self, request):
        said = self.replies[len(self.requests)]
        self.requests.append(request)
        if isinstance(said, str):
            return Reply(said)
        calls = tuple(ToolCall(f"c{at}", name, arguments) for at, (name, arguments) in enumerate(said))
        return Reply("", tool_calls=calls, finish_reason="tool_calls")


def house(kind, llm, **options):
    world = World(seed=1)
    world.add("hall", Room())
    world.add("bo", Janitor())
    world.inject("double", lambda number: 2 * number, "twice a number")
    return Simulation(world, lambda simulation: [kind(simulation, "ann", **options)], llm=llm)


def test_methods_and_functions_are_offered_as_tools_with_schemas():
    tools = function_tools(house(FunctionCaller, None).world, "ann")
    assert list(tools) == ["look", "Janitor_light", "double"]
    light = tools["Janitor_light"].form["function"]
    assert light["description"].startswith("Light some lamps of a room")
    assert light["parameters"]["required"] == ["entity", "room"]
    assert light["parameters"]["properties"]["entity"]["enum"] == ["bo"]
    assert light["parameters"]["properties"]["count"]["type"] == "integer"
    assert json.dumps(light)


@dataclasses.dataclass
class Stop:
    place: str


def other_stop():
    return dataclasses.make_dataclass("Stop", [("minutes", int)])


def test_every_reference_in_a_tool_is_looked_up_in_the_whole_of_it():
    def ride(stops: list[Stop], back: Stop | None = None, breaks=()) -> int:
        return 0

    ride.__annotations__ = {"stops": list[Stop], "back": Stop | None, "breaks": list[other_stop()]}
    world = World(seed=1)
    world.inject("ride", ride)
    parameters = function_tools(world, "ann")["ride"].form["function"]["parameters"]
    told = parameters["properties"]
    looked_up = [
        parameters["$defs"][each["$ref"].removeprefix("#/$defs/")]["required"]
        for each in (told["stops"]["items"], told["back"]["anyOf"][0], told["breaks"]["items"])
    ]
    assert looked_up == [["place"], ["place"], ["minutes"]]


@pytest.mark.parametrize("paradigm", ["cave", "json"])
def test_a_query_may_say_how_often_an_agent_acts_for_it(paradigm):
    def build(world):
        world.add("hall", Room())
        world.add("bo", Janitor())

    code = "```python\nbo.light(hall)\n```"
    once = code if paradigm == "cave" else [("Janitor_light", '{"entity": "bo", "room": "hall"}')]
    query = Query("Light one.", {"hall.lamps": 1}, most_rounds=1)
    llm = Calling(once, once, once)
    (outcome,) = Trial(Task("hall", "house", (query,), build=build), PARADIGMS[paradigm], seed=1, llm=llm).run()
    assert outcome.ok, outcome.why


def test_a_call_is_one_cell_and_its_result_comes_back_as_text():
    llm = Calling([("Janitor_light", '{"entity": "bo", "room": "hall", "count": 3}')], "Lit.")
    simulation = house(FunctionCaller, llm)
    assert simulation.by_name["ann"].ask("Light three.") == "Lit."
    assert simulation.world["hall"].lamps == 3
    *_, asked, heard = llm.requests[1].messages
    assert asked.tool_calls[0].name == "Janitor_light"
    assert (heard.role, heard.text, heard.call) == ("tool", "3", "c0")
    cells = [row.text for row in simulation.by_name["ann"].session if row.kind == "cell"]
    assert cells == ["world['bo'].light(room=world['hall'], count=3)"]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("Janitor_sing", "{}", "there is no tool 'Janitor_sing'; there are: look, Janitor_light, double"),
        ("double", "{number: 2}", "the arguments are not JSON"),
        ("double", "[2]", "must be one JSON object"),
        ("double", '{"number": ' + "[" * 15_000, "the arguments are not JSON: this JSON nests too deeply"),
        ("double", f'{{"number": {"2" * 5_000}}}', "the arguments are not JSON: Exceeds the limit"),
        ("double", f'{{"number": "{"2" * 400_000}"}}', "400,014 characters of arguments; at most 20,000"),
        ("Janitor_light", '{"room": "hall"}', "needs the argument 'entity'"),
        ("Janitor_light", '{"entity": "bo", "room": "hall", "count": 40}', "less than or equal to 9"),
        ("Janitor_light", '{"entity": "bo", "room": "hall", "count": "four"}', "count"),
        ("Janitor_light", '{"entity": "__import__", "room": "hall"}', "there is no '__import__'"),
        ("double", '{"number": 2, "x=1, y": 3}', "4"),  # what is no name is no argument
    ],
)
def test_a_wrong_call_is_answered_and_changes_nothing(name, arguments, told):
    llm = Calling([(name, arguments)], "Well.")
    simulation = house(FunctionCaller, llm)
    simulation.by_name["ann"].ask("Go.")
    assert told in llm.requests[1].messages[-1].text
    assert simulation.world["hall"].lamps == 0


def test_calls_of_one_reply_are_made_in_order_and_rounds_are_limited():
    lighting = ("Janitor_light", '{"entity": "bo", "room": "hall"}')
    llm = Calling([lighting, lighting], [lighting], [lighting], "Enough.")
    simulation = house(FunctionCaller, llm, habits=Habits(max_cells=2))
    simulation.by_name["ann"].ask("Light.")
    assert len(llm.requests) == 3
    assert simulation.world["hall"].lamps == 3
    simulation.by_name["ann"].ask("Go on.")
    assert [message.role for message in llm.requests[-1].messages][-3:] == ["assistant", "tool", "user"]


def test_codeact_keeps_its_variables_but_takes_and_hands_out_no_objects():
    llm = ScriptedModel(["```python\nx = double(4)\n```", "```python\nprint(x + 1)\n```", "Nine."])
    simulation = house(CodeAct, llm)
    ann = simulation.by_name["ann"]
    assert ann.ask("Double four, and one more.") == "Nine."
    assert [row.text for row in ann.session if row.kind == "output"][-1] == "<output>\n9\n</output>"
    with pytest.raises(WorldError, match="takes no objects"):
        ann.inject("table", pd.DataFrame())
    with pytest.raises(WorldError, match="hands out no objects"):
        ann.retrieve("x")


def test_codeact_reads_all_that_it_prints():
    simulation = house(CodeAct, ScriptedModel(["```python\nprint('x' * 15_000)\n```", "Long."]))
    simulation.by_name["ann"].ask("Print.")
    assert "x" * 15_000 in simulation.by_name["ann"].session[-2].text


def test_sessions_of_function_callers_are_in_the_journal(tmp_path):
    world = World(seed=1)
    world.inject("double", lambda number: 2 * number)
    llm = Calling([("double", '{"number": 4}')], "Eight.")
    make = {"agents": lambda simulation: [FunctionCaller(simulation, "ann")], "llm": llm, "out": tmp_path / "run"}
    simulation = Simulation(world, **make)
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        (call, _) = run.calls()
        assert call["reply"]["tool_calls"][0]["name"] == "double"
        assert [turn.code for turn in run.turns("ann")] == ["double(number=4)"]


def test_a_desk_reads_and_writes_objects_as_text():
    class Hat:
        """A hat."""

        def __init__(self):
            self.size = 5

        def grow(self) -> None:
            """Become larger."""
            self.size += 1

    table = pd.DataFrame({"a": [1, 2]})
    desk = VariableStore(
        {"table": Variable(table), "tags": Variable({"x"}), "share": Variable(0.5), "hat": Variable(Hat())}
    )
    assert desk.read_variable("table") == {"columns": ["a"], "rows": [[1], [2]]}
    desk.write_variable("table", {"columns": ["a"], "rows": [[7]]})
    desk.write_variable("tags", ["y", "z"])
    desk.write_variable("share", 1)
    desk.write_variable("hat", {"size": 9})
    assert type(desk.values["table"]) is pd.DataFrame
    assert (desk.values["tags"], desk.values["share"], desk.values["hat"].size) == ({"y", "z"}, 1.0, 9)
    assert type(desk.values["share"]) is float
    with pytest.raises(TypeError, match="'hat' is written as it is read, as a dict of size"):
        desk.write_variable("hat", "large")
    with pytest.raises(KeyError, match="there are: table"):
        desk.read_variable("coat")


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (221, 221.0, False),
        (0.1 + 0.2, 0.3, True),
        (True, 1, False),
        (float("nan"), float("nan"), True),
        ([1, [2, "a"]], [1, [2, "a"]], True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (pd.DataFrame({"a": [1]}, index=[5]), pd.DataFrame({"a": [1]}), True),
        (pd.Series([1], index=["x"]), pd.Series([1], index=["y"]), False),
        ({"x", "y"}, {"y", "x"}, True),
    ],
)
def test_values_are_the_same_or_not(one, other, equal):
    assert same(plain(one), plain(other)) is equal


def test_what_is_delivered_may_be_a_block_of_json_and_what_is_said_last_counts():
    block = '```json\n{\n  "total": 3,\n  "of": ["a"]\n}\n```'
    assert delivered(f"I summed them up:\n{block}\nThat is all.") == {"total": 3, "of": ["a"]}
    assert delivered('{\n  "total": 3\n}') == {"total": 3}
    assert delivered(f'{block}\nNo:\n**{{"total": 4}}**') == {"total": 4, "of": ["a"]}
    assert delivered('{"total": 4}.\nNo:\n' + block)["total"] == 3
    assert delivered('{"fence": "```"}') == {"fence": "```"}
    assert delivered('It is {"total": 3}, or\n```\n{"total": 3\n```') == {}


def test_a_line_within_an_object_that_is_delivered_takes_nothing_from_it():
    rows = '{\n  "name": "sums", "rows": [\n    {"name": "Bo"}\n  ]\n}'
    assert delivered(rows) == {"name": "sums", "rows": [{"name": "Bo"}]}


def test_what_is_delivered_is_found_at_once_among_many_empty_lines():
    began = time.process_time()
    assert delivered("\n" * 100_000 + '{"total": 3}') == {"total": 3}  # 20 s, where each is tried to begin a fence
    assert time.process_time() - began < 5


def test_what_is_delivered_are_lines_of_json():
    text = 'Here: {"no": 1}\n`{"rows": [1, 2]}`\n{"name": "Bo"}\n{broken}\n[1]'
    assert delivered(text) == {"rows": [1, 2], "name": "Bo"}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("x = 3 + 4.5", "x = 4 + 5.5"),
        ("door.lock(True)", "door.lock(False)"),
        ("name = 'Bo'", "name = 'Bo!'"),
        ("door.lock()", "pass"),
    ],
)
def test_a_slip_changes_what_can_be_mistaken(right, wrong):
    assert slip(right) == wrong
