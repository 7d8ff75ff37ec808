"""What cells do instead, where they reach for a module that is not for them."""

from __future__ import annotations

from typing import NoReturn

from cave_sim.errors import Blocked

_WAYS_OUT = {
    "a turn runs alone, and the world's time does not pass meanwhile; act again in a later turn": (
        "asyncio threading multiprocessing concurrent subprocess signal sched timeit cProfile profile tracemalloc"
    ),
    "nothing outside of the world is within reach; use entities, their methods and what was injected": (
        "os pathlib shutil tempfile glob socket http urllib requests httpx aiohttp ssl smtplib ftplib "
        "platform getpass locale ctypes argparse webbrowser selenium bs4 openai"
    ),
    "chance comes from rng (or random), the agent's own stream": "secrets",
    "print what you want to be read": (
        "logging traceback rich tqdm tabulate colorama _repr_html_ _repr_markdown_ _repr_svg_ _repr_png_ _repr_latex_ "
        "_ipython_display_"
    ),
    "look the value up in a classmethod of your own": "_missing_",
    "give each member its value": "_generate_next_value_",
    "leave it out": "_order_ _ignore_",
    "check with assert": "unittest pytest hypothesis",
    "variables stay from cell to cell by themselves; as a text, use json": "pickle shelve dill marshal joblib",
    "use a list, or np.array": "array",
    "a cell lies in no file; what it needs is in a variable, or in the world": "__file__",
    "use encode and decode of texts, or base64": "codecs",
    "use a small class, a dataclass or a dict": "types attr attrs pydantic",
    "figures are drawn by plotly.express and plotly.graph_objects": "matplotlib seaborn plotly altair bokeh",
    "nothing is shown in here; return the numbers": "tkinter turtle pygame PIL IPython",
    "use numpy (np.linalg, np.polyfit), scipy.stats or sklearn, or ask for a tool to be injected": (
        "scipy statsmodels sympy torch tensorflow keras numba"
    ),
    "write the number, as 299_792_458.0": "scipy.constants",
    "take np.convolve and np.fft": "scipy.signal scipy.ndimage scipy.fft",
    "take a dict of cells that are not zero, or np.array": "scipy.sparse",
    "use what there is of sklearn.linear_model, sklearn.ensemble, sklearn.tree or sklearn.neighbors": "sklearn",
    "use networkx": "igraph",
    "of a place take zoneinfo.ZoneInfo('Europe/Oslo'), or tz_convert('Europe/Oslo')": "pytz dateutil tzlocal",
    "cells cannot look at themselves or at Python": "inspect importlib gc weakref ast dis builtins code runpy atexit",
}
_BY_MODULE = {module: way for way, modules in _WAYS_OUT.items() for module in modules.split()}


_CLOCKS = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")
_OF_CLASSES = dict.fromkeys(_CLOCKS, "the world's time is clock.now")


_OF_OWN_CLASSES = {"mro": "name the class above, or ask issubclass"}


def refuse_of_class(holder: type, name: str) -> NoReturn:
    """Refuse an attribute of a class: as not for cells where it is there, with what to do instead."""
    word = f"{holder.__name__}.{name}"
    if not hasattr(holder, name):
        raise AttributeError(f"type object {holder.__name__!r} has no attribute {name!r}")
    instead = _OF_CLASSES.get(word) or _OF_OWN_CLASSES.get(name)
    raise Blocked(f"{word} is not for cells" + (f"; {instead}" if instead else ""))


_BASES = {
    "write it below collections.UserDict": "dict OrderedDict defaultdict Counter Mapping MutableMapping ChainMap",
    "write it below collections.UserList": "list deque Sequence MutableSequence",
    "write a plain class with the same methods": (
        "Iterable Iterator Collection Container Sized Hashable Callable Reversible Set MutableSet Generator"
    ),
    "write it below Exception": "BaseException BaseExceptionGroup ExceptionGroup",
}
_BY_BASE = {base: way for way, bases in _BASES.items() for base in bases.split()}


def instead_of_base(base: str) -> str:
    """Return what to do instead of writing a class below another that cells have not made."""
    return _BY_BASE.get(base, "hold one in an attribute instead")


AN_ITEM = "prices['bread'] = 3"
"""What stands at the end of a refusal to write an attribute of a dict; whoever knows which one may say it instead."""


def refuse_writing(kind: type, *, is_drawn: bool) -> NoReturn:
    """Refuse to write an attribute of an object that is no cell's, with what to do instead."""
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        raise AttributeError("can't set attribute")  # as Python says of a named tuple, and programs that show it expect
    way = "they write entities and their own objects"
    if is_drawn:
        way = "call update_layout or update_traces of its figure"
    elif kind.__name__ == "ndarray":
        way = "write its items, as in array[...] = value, or make another one: array.reshape(...), array.astype(...)"
    elif issubclass(kind, dict):
        way = f"write its items, as in {AN_ITEM}"
    raise Blocked(f"attributes of a {kind.__name__} are not written by cells; {way}")


_METHODS = {
    "it runs where no line of the cell calls it; write a method, and call it": "__del__ __getattribute__ __setattr__ "
    "__delattr__ __init_subclass__ __set_name__ __instancecheck__ __subclasscheck__ __prepare__ __mro_entries__",
    "reading an attribute runs nothing but properties; write a property, or a method that takes the name": (
        "__getattr__ __get__ __set__ __delete__ __dir__"
    ),
    "objects are made by their class; write __init__, or a classmethod that returns one": "__new__",
    "how large something may become is asked before it is computed; write int(x) where a number is needed": (
        "__index__ __length_hint__"
    ),
    "arguments in brackets of a class are for readers; write class Box(Generic[T])": "__class_getitem__",
    "nothing waits in here; write a plain method": "__await__ __aiter__ __anext__ __aenter__ __aexit__",
    "variables are kept as they are; leave it out": (
        "__reduce__ __reduce_ex__ __getstate__ __setstate__ __copy__ __deepcopy__ __sizeof__ __getnewargs__"
    ),
}
_BY_METHOD = {method: way for way, methods in _METHODS.items() for method in methods.split()}


def instead_of_method(method: str) -> str:
    """Return why a class of a cell may not define a special method, and what to do instead; empty without an answer."""
    return _BY_METHOD.get(method, "")


_OF_MODULES = {
    "itertools.batched": "it is Python 3.12's; write iter(lambda: tuple(islice(items, n)), ())",
    "contextlib.redirect_stderr": "errors are printed as everything is; take redirect_stdout",
    "contextlib.AsyncExitStack": "nothing waits in here; take ExitStack",
    "contextlib.asynccontextmanager": "nothing waits in here; take contextmanager",
    "contextlib.ContextDecorator": "enter it with `with`",
    "collections.UserString": "hold a text in an attribute",
    "struct.pack_into": "write data[at:end] = struct.pack(...)",
    **dict.fromkeys(
        ("csv.Sniffer", "csv.Dialect", "csv.excel", "csv.excel_tab", "csv.unix_dialect", "csv.register_dialect"),
        "say how lines are written where they are read: csv.reader(lines, delimiter=';')",
    ),
    "string.Formatter": "take text.format(...)",
    "operator.length_hint": "take len",
    "time.strftime": "ask clock.text, or strftime of a date",
    "time.localtime": "ask clock.now",
    "io.BytesIO": "take a bytearray, and slices of it",
    "dataclasses.make_dataclass": "write it as a class",
    "typing.NewType": "write UserId = int",
    "typing.runtime_checkable": "ask hasattr",
    "typing.get_type_hints": "ask dataclasses.fields",
    "sqlite3.Row": "ask each[0] for each in cursor.description, or take pd.read_sql",
    "sklearn.model_selection.HalvingGridSearchCV": "take GridSearchCV",
    "sklearn.model_selection.HalvingRandomSearchCV": "take RandomizedSearchCV",
    **dict.fromkeys(
        (f"sklearn.metrics.{name}Display" for name in ("ConfusionMatrix", "RocCurve", "PrecisionRecall")),
        "compute the numbers, and draw them by plotly.express",
    ),
    "sklearn.tree.plot_tree": "take export_text",
    "sklearn.linear_model.PassiveAggressiveClassifier": "take SGDClassifier",
    **dict.fromkeys(
        (f"sklearn.linear_model.{name}" for name in ("QuantileRegressor", "TheilSenRegressor", "RANSACRegressor")),
        "take HuberRegressor",
    ),
    "sklearn.feature_selection.RFECV": "take RFE in GridSearchCV",
    "sklearn.ensemble.HistGradientBoostingClassifier": "take GradientBoostingClassifier",
    "sklearn.ensemble.HistGradientBoostingRegressor": "take GradientBoostingRegressor",
    "sklearn.preprocessing.SplineTransformer": "take PolynomialFeatures or KBinsDiscretizer",
    **dict.fromkeys((f"sklearn.svm.{name}" for name in ("NuSVC", "NuSVR")), "take SVC or SVR"),
    "sklearn.svm.LinearSVC": 'take SVC(kernel="linear") or SGDClassifier',
    "sklearn.svm.LinearSVR": 'take SVR(kernel="linear") or SGDRegressor',
    **dict.fromkeys(
        (f"sklearn.cluster.{name}" for name in ("SpectralClustering", "OPTICS", "Birch", "MeanShift")), "take DBSCAN"
    ),
    **dict.fromkeys(
        (f"sklearn.base.{name}" for name in ("BaseEstimator", "TransformerMixin", "ClassifierMixin", "RegressorMixin")),
        "change the columns before they are given to a pipeline, or take FunctionTransformer(np.log1p)",
    ),
    "scipy.stats.bootstrap": "draw samples by rng.choices, and take np.percentile of what they come to",
    "functools.update_wrapper": "decorate with functools.wraps",
    "operator.call": "call it",
    "json.load": "take loads, of a text",
    "json.dump": "take dumps, which returns the text",
    "numpy.busdaycalendar": "give weekmask=... and holidays=... to np.busday_count and np.is_busday",
    **dict.fromkeys(("numpy.rec", "numpy.recarray", "numpy.core", "numpy.void"), "keep columns in a pd.DataFrame"),
    **dict.fromkeys(("numpy.matrix", "numpy.asmatrix", "numpy.bmat"), "take np.array, np.block and @"),
    **dict.fromkeys(
        (f"scipy.optimize.{name}" for name in "differential_evolution dual_annealing basinhopping shgo brute".split()),
        "begin minimize(...) at several places, and take the least of what it finds",
    ),
    **dict.fromkeys(("scipy.optimize.Bounds",), "give bounds as pairs, one for each number"),
    **dict.fromkeys(
        ("scipy.optimize.LinearConstraint", "scipy.optimize.NonlinearConstraint"),
        'give constraints as {"type": "ineq", "fun": function} to minimize(..., method="SLSQP")',
    ),
    **dict.fromkeys(
        (*(f"sklearn.datasets.fetch_{name}" for name in "california_housing openml 20newsgroups covtype".split()),),
        "take load_iris or load_diabetes, make data by make_classification, or ask for a table to be injected",
    ),
    **dict.fromkeys(("scipy.linalg.logm",), "of a symmetric matrix take np.linalg.eigh, and np.log of its values"),
    **dict.fromkeys(("scipy.integrate.odeint", "scipy.integrate.ode"), "take solve_ivp"),
    **dict.fromkeys(
        (f"scipy.integrate.{name}" for name in ("dblquad", "tplquad", "nquad", "fixed_quad")),
        "take quad, of a function that calls quad",
    ),
    **dict.fromkeys(
        ("scipy.optimize.milp",),
        "take linprog, and look beside what it finds, or ask for a tool to be injected",
    ),
    **dict.fromkeys(
        (f"scipy.interpolate.{name}" for name in ("UnivariateSpline", "make_interp_spline", "BSpline", "splrep")),
        "take CubicSpline",
    ),
    **dict.fromkeys(
        (f"scipy.interpolate.{name}" for name in ("griddata", "RegularGridInterpolator", "RBFInterpolator")),
        "interpolate along one axis after the other, or take the nearest points by scipy.spatial.KDTree",
    ),
    **dict.fromkeys(
        (f"scipy.spatial.{name}" for name in ("ConvexHull", "Delaunay", "Voronoi")), "ask for a tool to be injected"
    ),
    "scipy.stats.ecdf": "take np.sort(values), and np.arange(1, len(values) + 1) / len(values)",
    "scipy.stats.qmc": "draw by np.random.default_rng().random((n, d))",
    "numpy.lib.recfunctions": "keep columns in a pd.DataFrame",
    **dict.fromkeys(
        (f"sklearn.inspection.{name}" for name in ("partial_dependence", "PartialDependenceDisplay")),
        "set a column of a copy to each value in turn, and take the mean of predict()",
    ),
    "scipy.stats.monte_carlo_test": "draw by np.random.default_rng(), and count",
    "scipy.stats.permutation_test": "shuffle by np.random.default_rng(), and count",
    "scipy.stats.multivariate_normal": "draw by np.random.default_rng().multivariate_normal",
    **dict.fromkeys(
        (
            f"numpy.polynomial.{name}"
            for name in "chebyshev legendre hermite hermite_e laguerre Chebyshev Legendre".split()
        ),
        "take np.polynomial.Polynomial",
    ),
    "numpy.ma": "keep a mask of booleans beside the array, or nan in it",
    "numpy.nditer": "loop over the array, or over np.ndenumerate(array)",
    "numpy.frombuffer": "take np.array(list(data))",
    "numpy.frompyfunc": "take np.vectorize",
    "numpy.shares_memory": "take np.may_share_memory",
    "numpy.savetxt": "print np.array2string(array), or take tolist() and json",
    **dict.fromkeys(("numpy.save", "numpy.savez", "numpy.load"), "variables stay from cell to cell by themselves"),
    "numpy.lib.stride_tricks.as_strided": "take sliding_window_view",
    **dict.fromkeys(
        ("networkx.MultiGraph", "networkx.MultiDiGraph", "networkx.scale_free_graph", "networkx.configuration_model"),
        "take nx.Graph or nx.DiGraph, and keep what several edges hold in an attribute of one, as a list",
    ),
    **dict.fromkeys(
        (f"networkx.draw{kind}" for kind in ("", "_networkx", "_spring", "_circular", "_kamada_kawai", "_shell")),
        "place nodes by nx.spring_layout(graph), and draw them by plotly.graph_objects",
    ),
    "numpy.apply_over_axes": "give the function a tuple of axes",
}


def instead_of_name(module: str, name: str) -> str:
    """Return what to do instead of taking a name from a module, as a sentence; empty without an answer."""
    way_out = _OF_MODULES.get(f"{module}.{name}") or _BY_MODULE.get(f"{module}.{name}")
    return f" Instead: {way_out}." if way_out else ""


_OF_TABLES = {
    "take astype() for other numbers, and reshape() for another form": "view",
    "the world's own arrays are read-only; of yours, take a copy()": "flags setflags",
    "take sliding_window_view, of numpy.lib.stride_tricks": "strides",
    "draw with plotly.express: px.line(table, x=..., y=...)": "plot hist boxplot",
    "keep what there is to say of it in a variable of its own": "attrs",
    "ask np.may_share_memory(a, b)": "base",
    "whether it may be done follows from who else holds it; take np.resize(a, shape), or a.reshape(shape)": "resize",
    "take tolist(), and struct.pack or bytes of that": "tobytes tofile dump dumps data byteswap",
    "round the numbers, and take to_markdown(), to_html() or to_latex()": "style",
    "variables stay from cell to cell by themselves; as a text, take to_csv() or to_json()": (
        "to_excel to_parquet to_feather to_hdf to_stata to_pickle to_orc to_sql to_clipboard to_iceberg"
    ),
}
_BY_ATTRIBUTE = {name: way for way, names in _OF_TABLES.items() for name in names.split()}


def instead_of_attribute(kind: type, name: str) -> str:
    """Return what to do instead of reading an attribute, as the end of a sentence; empty without an answer."""
    way_out = _BY_ATTRIBUTE.get(name) if kind.__module__.startswith(("pandas", "numpy")) else None
    way_out = way_out or _OF_TOOLS.get(f"{kind.__name__}.{name}")
    return f"; {way_out}" if way_out else ""


_OF_TOOLS = {
    **dict.fromkeys(("partial.func", "partial.args", "partial.keywords"), "keep what it is made of in variables"),
    "function.cache_parameters": "keep the number in a variable",
    "Match.expand": "write a text of match['name'], or take sub",
}
_BUILTINS = {
    "help(x) prints what something offers, and x.name reads one of it": "dir vars",
    "a variable is read by its name; hold what varies in a dict": "globals locals",
    "nothing outside of the world is within reach; hold a text in a variable, or write to an io.StringIO": "open",
    "write the code itself; data in a text are read by json.loads": "eval exec compile",
    "nobody answers within a turn; act again in a later one": "input",
    "compare with `is`": "id",
    "print what you want to be read": "breakpoint",
    "write import": "__import__",
    "a cell ends with its last line": "exit quit",
    "take bytes, and slices of them": "memoryview",
    "no cell raises Python's own; write a class below ValueError": "SyntaxError IndentationError TabError",
}
_BY_BUILTIN = {name: way for way, names in _BUILTINS.items() for name in names.split()}


def instead_of_builtin(name: str) -> str:
    """Return what to do instead of using a builtin that cells do not have, as the end of a sentence; or nothing."""
    return f"; {_BY_BUILTIN[name]}" if name in _BY_BUILTIN else ""


def way_out(module: str) -> str:
    """Return what to do instead of importing a module; empty where there is no good answer."""
    return _BY_MODULE.get(module) or _OF_MODULES.get(module) or _BY_MODULE.get(module.partition(".")[0], "")
