"""What the page on security says in passing of the layers, on any host."""

import ast
import signal
from decimal import Decimal, localcontext

import plotly.graph_objects as graphs

from cave_sim import Entity, Limits, World, field
from tests.docs.pages import ROOT


class Bank(Entity):
    """Computes by Python's own context of decimals."""

    rates: list[str] = field([])

    def note_rate(self) -> None:
        """Note what a third is."""
        self.rates.append(str(Decimal(1) / Decimal(3)))


def test_how_a_cell_computes_with_decimals_is_no_affair_of_a_method_and_ends_with_its_turn():
    world = World()
    world.add("bank", Bank())
    third = "print(decimal.Decimal(1) / decimal.Decimal(3))"
    with localcontext(prec=7):
        coarse = world.execute(f"import decimal\ndecimal.getcontext().prec = 3\nbank.note_rate()\n{third}")
        after = world.execute(f"import decimal\nbank.note_rate()\n{third}")
    assert (coarse.output, after.output) == ("0.333\n", f"0.{'3' * 28}\n")
    assert world["bank"].rates == ["0.3333333"] * 2


def test_numpy_draws_from_the_stream_of_the_agent_whatever_the_seed():
    def drawn(cell: str) -> str:
        world = World(seed=3)
        world.add("bank", Bank())
        return world.execute(f"{cell}\nprint(rng.random())").output

    untouched = drawn("")
    seeded = {drawn(f"np.random.seed({seed})\nnp.random.random(2)") for seed in (1, 2)}
    made = {drawn(f"np.random.default_rng({seed}).random(2)") for seed in (1, 2)}
    assert len(seeded) == len(made) == 1
    assert untouched not in seeded | made


def test_what_numpy_draws_by_a_generator_with_a_seed_is_drawn_and_is_another_draw_each_time():
    drawn = World().execute("print(np.random.default_rng(1).random(), np.random.default_rng(1).random())")
    assert drawn.committed, drawn.error
    assert len(set(drawn.output.split())) == 2


def test_a_table_takes_functions_of_the_cell_comparisons_and_names_that_compute_and_no_other_name():
    world = World()
    world.execute("df = pd.DataFrame({'a': [1, 2]})")
    takes = world.execute(
        "print(df.agg('sum')['a'], df.agg(lambda c: c.max())['a'], df.apply('mean')['a'], len(df.query('a > 1')))"
    )
    assert takes.output == "3 2 1.5 1\n"
    for call in (
        "agg('to_pickle')",
        "apply('to_csv')",
        "agg(['sum', 'to_json'])",
        "query('a.__class__')",
        "query('@pd.io')",
    ):
        refused = world.execute(f"df.{call}")
        assert (refused.status, "not for cells" in str(refused.error)) == ("blocked", True), call


def test_libraries_are_handed_no_object_of_a_cell_whose_methods_they_would_call():
    own = """
import collections
class Own(collections.UserList):
    def __iter__(self):
        print("called")
        return iter([1])
"""
    for use in (
        "import plotly.graph_objects as go\ngo.Figure(go.Bar(x=['a'], y=Own([1])))",
        "from sklearn.linear_model import LinearRegression\nLinearRegression().fit([[1]], Own([1]))",
    ):
        turn = World().execute(own + use)
        assert (turn.status, turn.output) == ("failed", ""), turn.error
        assert "not an Own" in str(turn.error)


def test_of_a_figure_that_was_injected_a_cell_sees_what_is_drawn_and_no_way_to_a_file():
    world = World()
    world.inject("figure", graphs.Figure(graphs.Bar(x=["a"], y=[7])))
    assert world.execute("print(figure.data[0].y)").output == "(7,)\n"
    for cell in ("figure.write_html('x.html')", "figure.write_image('x.png')", "figure.data[0].figure.write_json('x')"):
        assert world.execute(cell).status == "blocked", cell


def test_a_field_that_is_called_like_a_method_of_a_library_opens_no_way_to_that_method(tmp_path):
    class Desk(Entity):
        """Has a field of a dangerous name."""

        to_csv: str = field("tomorrow")

    world = World()
    world.add("desk", Desk())
    assert world.execute("print(desk.to_csv)").output == "tomorrow\n"
    way = tmp_path / "out.csv"
    assert world.execute(f"pd.DataFrame({{'a': [1]}}).to_csv({str(way)!r})").status == "blocked"
    assert not way.exists()


def test_where_there_is_no_deadline_nothing_is_set_to_interrupt_a_cell():
    def timer_in_a_cell(limits: Limits) -> float:
        world, seen = World(limits=limits), []
        world.inject("look", lambda: seen.append(max(signal.getitimer(signal.ITIMER_REAL))))
        world.execute("look()")
        return seen[0]

    assert timer_in_a_cell(Limits(deadline_s=0)) == 0 < timer_in_a_cell(Limits(deadline_s=9))


def test_no_module_of_ours_imports_what_makes_objects_of_bytes_by_running_code():
    runs_code = {"pickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}
    texts = [path.read_text() for path in (ROOT / "cave_sim").rglob("*.py")]
    imported = set()
    for text in texts:
        if not any(name in text for name in runs_code):
            continue  # and so need not be understood
        for node in ast.walk(ast.parse(text)):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            imported |= {name.split(".")[0] for name in names}
    assert imported
    assert imported & runs_code == set()
