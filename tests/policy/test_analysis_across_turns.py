"""What analysts make in one cell is in the next one what it was: results, densities, figures, rows, steps of time."""

import pytest

from tests.policy.test_data_lines import SETUP, worlds

MADE = {
    "rows of a database that were not read yet": (
        'rows = db.execute("SELECT city, units FROM sales ORDER BY units")\nrows.fetchone()',
        "rows.fetchmany(2), len(rows.fetchall())",
        "([('Oslo', 2), ('Oslo', 3)], 5)",
    ),
    "numbers and texts of a figure": (
        "import plotly.express as px\nbars = px.bar(sales, x='city', y='units', color='product')\nNone",
        "bars.data[0].y.sum(), bars.data[0].x[0], bars.data[0].y.dtype",
        "(np.int64(24), 'Oslo', dtype('int64'))",
    ),
    "errors of a figure, and names of its own": (
        (
            "import plotly.graph_objects as go\n"
            "own = {'number': 5, 'objects': [5], 'array': [1, 2], '$array': 'x', '$$number': math.inf}\n"
            "fig = go.Figure(go.Scatter(x=[1, 2], y=[1, 2], error_y={'array': [1, 2]}, meta=own))\nNone"
        ),
        "fig.data[0].error_y.array, fig.data[0].meta == own",
        "((1, 2), True)",
    ),
    "what a test computes on demand": (
        "from scipy import stats\nfound = stats.ttest_ind(x, y)\nt, p = found",
        "x[:] = 0\nfound.confidence_interval(0.9).low.round(3), found.df, found[0] == t, found",
        (
            "(np.float64(-5.409), np.float64(20.0), np.True_, TtestResult(statistic=np.float64(-3.0736134499013983), "
            "pvalue=np.float64(0.005992615917261498), df=np.float64(20.0)))"
        ),
    ),
    "a density": (
        "from scipy import stats\ndensity = stats.gaussian_kde(y, bw_method=0.5)",
        "density([1.0, 5.0]).round(4), density.n",
        "(array([0.0591, 0.0852]), 11)",
    ),
    "days with holidays among them": (
        "days = pd.date_range('2024-12-23', periods=3, freq=pd.offsets.CustomBusinessDay(holidays=['2024-12-24']))",
        "days[1], days.freq, days[-1] + days.freq",
        "(Timestamp('2024-12-25 00:00:00'), <CustomBusinessDay>, Timestamp('2024-12-27 00:00:00'))",
    ),
    "steps that have no short name": (
        "months = pd.date_range('2024-01-31', periods=2, freq=pd.DateOffset(months=1))",
        "months.freq, months[-1]",
        "(<DateOffset: months=1>, Timestamp('2024-02-29 00:00:00'))",
    ),
    "rows that are unlike": (
        "kinds = np.unique([[1, 2], [1, 2], [3, 4]], axis=0)",
        "kinds.tolist()",
        "[[1, 2], [3, 4]]",
    ),
    "an estimator that chooses columns": (
        (
            "from sklearn.feature_selection import SelectKBest, f_regression\n"
            "chosen = SelectKBest(f_regression, k=1).fit(np.c_[np.cos(x), x], y)"
        ),
        "chosen.get_support().tolist(), chosen.fit(np.c_[x, np.cos(x)], y).get_support().tolist()",
        "([False, True], [True, False])",
    ),
    "trees that look for what is odd": (
        (
            "from sklearn.ensemble import IsolationForest\n"
            "odd = IsolationForest(n_estimators=5, max_features=0.5, random_state=0).fit(a)\n"
            "before = odd.decision_function(a)"
        ),
        "(odd.decision_function(a) == before).tolist()",
        "[True, True, True]",
    ),
}


@pytest.mark.parametrize("thing", MADE)
def test_what_one_cell_made_the_next_one_has(thing):
    world, (make, ask, told) = worlds(), MADE[thing]
    for cell in (SETUP.strip(), make):
        turn = world.execute(cell, agent="ann")
        assert turn.committed, turn.error
    turn = world.execute(ask, agent="ann")
    assert (turn.error, turn.output) == (None, told)


REFUSED = {
    "a search by halves": ("from sklearn.model_selection import HalvingGridSearchCV", "take GridSearchCV"),
    "another size of an array": ("np.zeros(4).resize((2, 2))", "np.resize(a, shape)"),
    "other polynomials": ("np.polynomial.chebyshev.chebval(1, [1])", "np.polynomial.Polynomial"),
    "scores that draw": (
        "from sklearn.feature_selection import SelectKBest, mutual_info_classif\nSelectKBest(mutual_info_classif)",
        "choose columns by are chi2",
    ),
}


@pytest.mark.parametrize("thing", REFUSED)
def test_what_is_left_out_is_refused_with_a_way_out(thing):
    cell, words = REFUSED[thing]
    turn = worlds().execute(cell, agent="ann")
    assert turn.status in ("failed", "blocked")
    assert words in turn.error


def test_texts_of_numbers_are_texts_to_pandas_too():
    world = worlds()
    world.execute(SETUP.strip(), agent="ann")
    turn = world.execute("str(sales['units'].astype(str).dtype), people['age'].astype(str).isna().sum()", agent="ann")
    assert turn.output == "('str', np.int64(1))"
