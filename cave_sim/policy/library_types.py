"""Which attributes a cell may read on what numpy, pandas and networkx make: a list for each of their types."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.policy.libraries import pandas_offsets
from cave_sim.policy.libraries.networkx_views import MAPPINGS, NodeDataView, ViewItems, ViewKeys


def names(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


ARRAY = names(
    "shape size ndim dtype T sum mean std var min max argmin argmax argsort cumsum cumprod prod reshape copy tolist "
    "astype flatten ravel round clip dot any all item fill nonzero transpose repeat sort swapaxes squeeze diagonal "
    "trace nbytes itemsize real imag conj conjugate take searchsorted argpartition compress"
)
TABLE = names(
    "shape size ndim dtypes dtype columns index T empty values head tail describe sum mean std var min max median mode "
    "quantile count nunique unique value_counts idxmax idxmin argmax argmin cumsum cumprod cummax cummin diff "
    "pct_change "
    "corr cov rank round abs clip isna isnull notna notnull fillna dropna ffill bfill drop_duplicates duplicated "
    "sort_values sort_index groupby rolling expanding shift merge join drop rename reset_index set_index melt stack "
    "unstack pivot loc iloc at iat items iterrows itertuples to_dict tolist to_list astype assign copy "
    "isin between where mask nlargest nsmallest any all add sub mul div name str dt map replace prod skew kurt size "
    "get_group first last nth cumcount ngroup groups keys filter select_dtypes explode to_frame item gt lt ge le eq ne "
    "equals combine_first reindex xs get take add_prefix add_suffix insert pop update squeeze floordiv mod "
    "get_level_values nlevels droplevel swaplevel sem isocalendar kurt kurtosis autocorr memory_usage hasnans "
    "is_unique is_monotonic_increasing is_monotonic_decreasing first_valid_index last_valid_index truncate set_axis "
    "rename_axis convert_dtypes infer_objects transpose pow radd rsub "
    "rmul rdiv rtruediv rpow divide multiply subtract truediv "
    "compare align case_when at_time between_time to_period to_timestamp corrwith factorize "
    "ngroups ohlc union intersection difference symmetric_difference get_indexer get_loc to_series to_flat_index "
    "names levels set_names append delete argsort searchsorted freqstr inferred_freq contains left right mid length "
    "categories ordered reorder_levels asof set_levels set_codes sortlevel get_locs get_loc_level"
)
TEXTS = names(
    "lower upper strip lstrip rstrip contains startswith endswith len replace split title capitalize get slice cat "
    "count find extract isdigit isalpha isnumeric isupper islower match fullmatch findall removeprefix removesuffix "
    "casefold swapcase partition rpartition rsplit rfind index rindex encode decode normalize extractall isalnum "
    "isdecimal isspace istitle slice_replace"
)
DATES = names(
    "year month day hour minute second dayofweek weekday date dayofyear quarter days day_name month_name "
    "strftime normalize is_month_start is_month_end isocalendar total_seconds day_of_week day_of_year days_in_month "
    "daysinmonth microsecond nanosecond time is_quarter_start is_quarter_end is_year_start is_year_end is_leap_year "
    "floor ceil round tz to_period to_timestamp components seconds microseconds start_time "
    "end_time week weekofyear qyear freqstr"
)
VIEW = names("data items keys values get")


CATEGORIES = names(
    "categories codes ordered rename_categories reorder_categories add_categories remove_categories "
    "remove_unused_categories set_categories as_ordered as_unordered"
)
VALUES = CATEGORIES | names(
    "tolist shape size dtype sum mean min max std var median prod any all isna unique astype take copy fillna dropna "
    "value_counts argsort sort_values searchsorted"
)
"""Of what lies under a column."""


DTYPE = names("name kind itemsize")


def library_types(basic: dict[type, frozenset[str]]) -> dict[type, frozenset[str]]:
    """Return the types that allowed calls of numpy, pandas and networkx return, by looking at some.

    Args:
        basic: what may be read on Python's own types.
    """
    return _of_pandas() | _of_numpy(basic) | _of_networkx()


def _of_pandas() -> dict[type, frozenset[str]]:
    table = pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "d": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    grouped = table.groupby("b")
    days = pd.Series([1], pd.DatetimeIndex(["2020-01-01"]))
    tables = (
        *(grouped, grouped["a"], grouped[["a"]], table["a"].rolling(1), table.rolling(1), table["a"].expanding()),
        *(grouped["a"].rolling(1), grouped["a"].expanding(), grouped["a"].ewm(1), table["a"].ewm(1)),
        *(table.index, table.columns, pd.Index(["a"]), pd.MultiIndex.from_tuples([(1, 2)]), pd.CategoricalIndex(["a"])),
        *(table[["a"]].ewm(1), days.resample("D"), days.groupby([0]).resample("D")),
    )
    readable = dict.fromkeys(map(type, tables), TABLE)
    readable[pd.IntervalIndex] = TABLE | names("overlaps closed is_overlapping is_non_overlapping_monotonic")
    readable[pd.DatetimeIndex] = readable[pd.TimedeltaIndex] = TABLE | DATES | names("freq")
    readable[pd.PeriodIndex] = TABLE | DATES | names("asfreq freq")
    for each in (table.loc, table.iloc, table.at, table.iat, pd.NaT, pd.NA):
        readable[type(each)] = frozenset()
    columns = [table["a"], table["b"], table["d"], pd.Series([None, True], dtype="boolean")]
    columns += [pd.Series([None], dtype=name) for name in ("Int64", "Float64", "boolean", "string")]
    for column in columns:
        readable[type(column.array)] = VALUES
        readable[type(column.dtype)] = DTYPE
    readable[pd.Categorical] = VALUES
    readable[type(table["b"].str)] = TEXTS
    for values in (table["d"], table["d"] - table["d"], table["d"].dt.to_period("M")):
        readable[type(values.dt)] = DATES | (names("asfreq") if hasattr(values.dt, "asfreq") else frozenset())
        readable[type(values.dtype)] = DTYPE
    readable[type(table["b"].astype("category").cat)] = CATEGORIES
    readable[pd.CategoricalDtype] = names("name kind categories ordered")
    readable[type(pd.IntervalIndex.from_breaks([0, 1]).dtype)] = names("name kind subtype closed")
    readable[pd.Period] = DATES | names("ordinal asfreq freq")
    readable[pd.Interval] = names("left right mid length closed overlaps is_empty")
    readable[type(pd.MultiIndex.from_tuples([(1, 2)]).names)] = names("index count tolist")
    for offset in pandas_offsets.KINDS:
        readable[offset] = names("n name freqstr") | (names("kwds") if not hasattr(offset, "holidays") else frozenset())
    return readable


def _of_numpy(basic: dict[type, frozenset[str]]) -> dict[type, frozenset[str]]:
    readable: dict[type, frozenset[str]] = {type(np.dtype(code)): DTYPE for code in "?bhilqBHILQefdgFDOSUmM"}
    readable[np.poly1d] = names("c coef coeffs coefficients order o roots r deriv integ")
    readable[np.polynomial.Polynomial] = names("coef domain window convert deriv integ roots degree linspace trim")
    readable[np.finfo] = names("eps max min tiny bits resolution precision smallest_normal dtype")
    readable[np.iinfo] = names("max min bits dtype")
    for kind in (
        *(np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.bool_, np.str_),
        *(np.uint8, np.uint16, np.uint32, np.uint64, np.complex64, np.complex128, np.datetime64, np.timedelta64),
    ):
        readable[kind] = basic[float] | basic[str] | names("item round tolist dtype shape ndim size itemsize nbytes")
    return readable


def _of_networkx() -> dict[type, frozenset[str]]:
    graph, directed = nx.Graph([(1, 2)]), nx.DiGraph([(1, 2)])
    views = [graph.nodes, graph.edges, graph.degree, graph.adj, graph.adj[1], graph.nodes(data=True)]
    views += [graph.degree([1]), graph.edges([1]), graph.edges(data=True), graph.edges([1], data=True)]
    views += [directed.in_edges, directed.out_edges, directed.in_degree, directed.out_degree, directed.edges]
    readable = dict.fromkeys((*map(type, (*views, directed.edges(data=True))), *MAPPINGS, NodeDataView), VIEW)
    readable[ViewKeys] = readable[ViewItems] = names("isdisjoint")
    nodes = graph.nodes
    for each in (graph.neighbors(1), nodes.items(), nodes.values(), nodes.keys(), graph.adj[1].items()):
        readable.setdefault(type(each), frozenset())
    return readable
