"""What the dashboard's server lets in, asked without a server: names of its own, pages of its own, its token."""

import pytest

from cave_sim.dashboards.live.guard import AccessGuard, same


async def app(scope, receive, send):
    """Never called: only what the guard says is looked at."""


GUARD = AccessGuard(app, hosts=["town.example"], token="secret")


def trouble(host, origin=None, method="POST", kind="http", path="/api/runs", query="token=secret", **more):
    headers = [(b"host", host.encode()), *([] if origin is None else [(b"origin", origin.encode())])]
    headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
    scope = {"type": kind, "method": method, "headers": headers, "path": path, "query_string": query.encode()}
    return GUARD.trouble(scope | {"server": ("127.0.0.1", 8600)})


@pytest.mark.parametrize("host", ["127.0.0.1:8050", "localhost:8050", "[::1]:8050", "town.example:8050", "localhost"])
def test_pages_of_its_own_come_in_under_each_of_its_names(host):
    assert trouble(host) == ""
    assert trouble(host, f"http://{host}") == ""
    assert trouble(host, f"http://{host}", kind="websocket") == ""


FOREIGN = ["evil.example", "localhost.evil.example", "evil.example:8050", "", "127.0.0.1.evil.example"]
NO_NAMES = ["[", "[::1", "[v1.x]", "evil@localhost", "localhost#.evil.example", "localhost/", "localhost:x"]


@pytest.mark.parametrize("host", FOREIGN + NO_NAMES)
def test_another_name_is_refused_however_it_is_asked(host):
    assert "is not called" in trouble(host, method="GET")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost:8050.evil.example",
        "http://evil.example/localhost:8050",
        "http://evil.example?localhost:8050",
        "http://user@evil.example:8050",
        "http://localhost:8051",
        "http://localhost",
        "http://[",
        "http://user@localhost:8050",
        "http://localhost:8050/",
        "null",
        "",
    ],
)
def test_what_a_page_of_another_site_sends_is_refused(origin):
    assert "are refused" in trouble("localhost:8050", origin)
    assert "are refused" in trouble("localhost:8050", origin, method="GET", kind="websocket")


def test_looking_is_open_to_links_from_anywhere():
    assert trouble("localhost:8050", "http://evil.example", method="GET") == ""


@pytest.mark.parametrize("given", ["secre", "secrets", "", None, "ß"])
def test_only_the_token_is_the_token(given):
    assert same("secret", "secret")
    assert not same(given, "secret")


KNOWING = [
    {"query": "token=secret"},
    {"query": "", "x_cave_token": "secret"},
    {"query": "", "cookie": "cave-token-8600=secret"},
]
NOT_KNOWING = [
    {"query": ""},
    {"query": "token=guessed"},
    {"query": "", "x_cave_token": "guessed"},
    {"query": "", "cookie": "cave-token-8601=secret"},
    {"query": "", "cookie": "cave-token-8600="},
]
TELLING = ["/api/runs", "/api/run/town/overview", "/api/run/town/download/report.html", "/api/study", "/ws"]


@pytest.mark.parametrize("path", TELLING)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_who_knows_the_token_is_told(path, kind):
    assert [trouble("localhost", method="GET", kind=kind, path=path, **way) for way in KNOWING] == [""] * len(KNOWING)


@pytest.mark.parametrize("path", TELLING)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_who_lacks_the_token_is_told_nothing(path, kind):
    for way in NOT_KNOWING:
        assert "?token=" in trouble("localhost", method="GET", kind=kind, path=path, **way)


@pytest.mark.parametrize("path", ["/", "/runs", "/web/main.js"])
def test_the_page_itself_is_the_same_for_everybody(path):
    assert trouble("localhost", method="GET", path=path, query="") == ""
