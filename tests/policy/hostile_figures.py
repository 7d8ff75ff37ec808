"""Hostile cells that draw: with objects of their own, giants, files, and what plotly has that is not for cells."""

PAGES = {
    "drawing": """
import plotly.express as px
class Evil:
    def __str__(self):
        vault.treasury_cents = 0
        return "x"
    __repr__ = __len__ = __iter__ = __str__
px.bar(x=[Evil()], y=[1])

import plotly.graph_objects as go
class Evil:
    def __eq__(self, other):
        vault.treasury_cents = 0
        return True
    def __hash__(self):
        return 1
go.Figure(go.Scatter(x=[1], meta={Evil(): 1}, customdata=pd.Series([Evil()])))

import plotly.graph_objects as go
go.Figure().update_traces(selector=lambda each: setattr(vault, "treasury_cents", 0))

import plotly.graph_objects as go
go.Figure(go.Scatter(x=[1])).data[0].on_click(print)

import plotly.graph_objects as go
go.Figure.write_html(go.Figure(), "canary.html")

import plotly.graph_objects as go
go.Scatter.__wrapped__, go.Scatter.__globals__

import plotly.express as px
px.bar.__closure__[0].cell_contents().pio.write_html

import plotly
plotly.io.write_html, plotly.offline

from plotly import io

import plotly.io as pio
pio.renderers.default = "browser"

import plotly.express as px
px.line(px.data.stocks())

import plotly.express as px
px.imshow("canary.html"), px.imshow(open)

import plotly.express as px
fig = px.bar(x=["a"], y=[1])
fig.show(renderer="browser")
fig.show("browser")

import plotly.express as px
shared = [1] * 400
for _ in range(6):
    shared = [shared] * 400
px.bar(x=shared)

import plotly.graph_objects as go
loop = []
loop.append(loop)
go.Figure(go.Bar(x=loop))

import plotly.graph_objects as go
go.Figure(go.Bar(x=[10 ** 5000], y=["x" * 4_000_000] * 900))

import plotly.express as px
px.timeline([dict(a="now", b="today", c="x")], x_start="a", x_end="b", y="c").to_json()

import plotly.express as px
px.scatter(x=[1, 2], y=[1, 2], trendline="ols")

import plotly.graph_objects as go
go.Figure(go.Scatter(x=vault.accounts.cents)).data[0].x[0] = 9

import plotly.graph_objects as go
f = go.Figure(vault.accounts.to_dict("list"))

import plotly.graph_objects as go
f = go.Figure(go.Scatter(y=vault.grid[0]))
f.data[0].y[0] = 7

import plotly.graph_objects as go
t = go.Scatter(x=[1], name="x")
#> bob
t = go.Scatter(x=[1])
#> ann
t._props["name"], t.parent, t.figure, t._parent

import plotly.graph_objects as go
f = go.Figure()
f._grid_ref = print
f.layout._props = {}
""",
    "drawing without end": """
import plotly.express as px
px.histogram(x=list(range(100_000)), facet_col=list(range(100_000)))

from plotly.subplots import make_subplots
make_subplots(rows=100_000, cols=100_000)
""",
}
