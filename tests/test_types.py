"""The public names are typed through and through: what an editor shows is what there is, and seldom `Any`."""

import ast
import inspect
import re
from importlib.resources import files

import cave_sim
from tests.house.imports import PACKAGE, modules

ANY = {
    "AttributeHints.__getattr__(return)": "what a property of a class of yours gives",
    "Agent.inject(value)": "a variable of a cell",
    "Agent.keep(return)": "what an agent of yours keeps",
    "Agent.restore(state)": "what an agent of yours keeps",
    "Agent.retrieve(return)": "a variable of a cell",
    "Entity.world(return)": "entities stand below the world, and cannot import it",
    "Entity.__init__(values)": "fields, of their declared types",
    "Entity.__init_subclass__(options)": "those of other classes",
    "Entity.__setattr__(value)": "a field",
    "Run.data(return)": "any data that JSON can hold",
    "Run.frame(options)": "those of the frame",
    "Run.plot(return)": "a figure of plotly, which need not be installed",
    "RunsStretches.plot(return)": "a figure of plotly, which need not be installed",
    "RunsStretches.watch(return)": "a frame of the dashboards, which simulations do not know",
    "Watched.journal(return)": "observers stand below the journal's writer",
    "run(options)": "those of the simulation",
    "Run.query(parameters)": "of an SQL statement",
    "Run.rows(parameters)": "of an SQL statement",
    "SettingHints.__init_subclass__(options)": "those of other classes",
    "SettingHints.__setattr__(value)": "of the attribute's type",
    "World.inject(value)": "a variable of a cell",
    "World.restore(options)": "those of the class",
    "World.retrieve(return)": "a variable of a cell",
    "WorldState.__getitem__(return)": "an entity, of the type that was added under the name",
    "field(default)": "of the field's type",
    "field(return)": "of the field's type, so that `cups: int = field(2)` is right",
}
"""What is `Any`, and why no type would be truer."""


FOR_CELLS = f"{PACKAGE}.policy.libraries"  # classes that cells get in place of a library's: no type checker reads cells
STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)


def public_names():
    return [
        value
        for name in cave_sim.__all__
        if inspect.isroutine(value := getattr(cave_sim, name)) or inspect.isclass(value)
    ]


def classes():
    """Return the public classes, and those of ours that they inherit from."""
    found = (base for value in public_names() if inspect.isclass(value) for base in value.__mro__)
    return sorted({each for each in found if each.__module__.startswith("cave_sim")}, key=lambda each: each.__name__)


def functions():
    """Yield every public function and method with its name; properties, too, and not what dataclasses write."""
    yield from ((value.__name__, value) for value in public_names() if inspect.isfunction(value))
    for owner in classes():
        for name, member in vars(owner).items():
            function = inspect.unwrap(getattr(member, "fget", None) or getattr(member, "__func__", member))
            is_written = inspect.isfunction(function) and function.__code__.co_filename == inspect.getfile(owner)
            if is_written and (not name.startswith("_") or name.startswith("__")):
                yield f"{owner.__name__}.{name}", function


def annotations(function):
    """Return parameter -> annotation as it is written, "" where there is none; the result is called `return`."""
    signature = inspect.signature(function)
    written = {each.name: each.annotation for each in signature.parameters.values() if each.name not in ("self", "cls")}
    written["return"] = signature.return_annotation
    return {
        name: "" if each is inspect.Parameter.empty else inspect.formatannotation(each).strip("'")
        for name, each in written.items()
    }


def statements(tree):
    """Yield every statement of a module, in what order they come."""
    to_do = [tree]
    while to_do:
        below = [each for each in ast.iter_child_nodes(to_do.pop()) if isinstance(each, STATEMENTS)]
        yield from below
        to_do += below


def untyped_attributes(owner):
    """Yield the public attributes that a class or its constructor sets and of which neither of them says the type.

    As type checkers see it, one that is set to a parameter alone has the parameter's, and one of a class that is set to
    a number or a text written out has that of numbers or texts.
    """
    for node in owner.body:
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
            names = {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
            yield from (f"{owner.name}.{name}" for name in names if not name.startswith("_"))
    constructor = next((node for node in owner.body if getattr(node, "name", "") == "__init__"), None)
    if constructor is None:
        return
    parameters = {each.arg for each in ast.walk(constructor.args) if isinstance(each, ast.arg)}
    declared = {node.target.id for node in owner.body if isinstance(node, ast.AnnAssign)}
    declared |= {
        node.target.attr
        for node in ast.walk(constructor)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute)
    }
    for node in (each for each in ast.walk(constructor) if isinstance(each, ast.Assign)):
        if isinstance(node.value, ast.Name) and node.value.id in parameters:
            continue
        for target in (part for whole in node.targets for part in ast.walk(whole)):
            is_own = (
                isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
            )
            if is_own and not target.attr.startswith("_") and target.attr not in declared:
                yield f"{owner.name}.{target.attr}"


def test_every_parameter_and_every_result_has_its_type():
    assert not [
        f"{name}({each})" for name, function in functions() for each, text in annotations(function).items() if not text
    ]


def test_any_stands_only_where_no_type_would_be_truer():
    assert {f"{name}({each})" for name, function in functions() for each, text in annotations(function).items()
            if text in ("Any", "typing.Any")} == ANY.keys()  # fmt: skip


def test_every_public_attribute_has_its_type():
    assert not [
        f"{name}.{attribute}"
        for name, path in modules().items()
        if not name.startswith(FOR_CELLS) and "._" not in name
        for owner in statements(ast.parse(path.read_bytes()))
        if isinstance(owner, ast.ClassDef) and not owner.name.startswith("_")
        for attribute in untyped_attributes(owner)
    ]


def test_graphs_are_annotated_by_names_that_say_what_a_node_is():
    annotated = (ast.arg, ast.AnnAssign, ast.FunctionDef)
    assert not [
        f"{name}:{node.lineno}"
        for name, path in modules().items()
        if name != "cave_sim.entity.graph_types" and b"nx." in (source := path.read_bytes())
        for node in ast.walk(ast.parse(source))
        if isinstance(node, annotated)
        and (each := node.returns if isinstance(node, ast.FunctionDef) else node.annotation) is not None
        and re.search(r"\bnx\.(Di)?Graph", ast.unparse(each))
    ]


def test_type_checkers_are_told_that_there_are_types():
    assert (files("cave_sim") / "py.typed").is_file()
