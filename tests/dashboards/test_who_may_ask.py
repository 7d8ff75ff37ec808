"""Who may ask the dashboard's server, and under which name."""

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.dashboards.asking import ask


def test_it_listens_to_this_machine_alone(served):
    assert served.host == "127.0.0.1"


def test_a_name_that_was_rebound_to_this_machine_is_refused(served):
    status, body, _ = ask(served, "/api/runs", Host="evil.example")
    assert (status, b"is not called" in body) == (403, True)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_its_own_names_are_answered(served, host):
    assert ask(served, "/api/runs", Host=f"{host}:{served.port}")[0] == 200


def test_a_page_of_another_site_cannot_open_the_line(served):
    line = f"ws://127.0.0.1:{served.port}/ws?run=town&token={served.token}"
    with pytest.raises(InvalidStatus, match="403"), connect(line, origin="http://evil.example"):
        pass


def test_a_form_of_another_site_cannot_steer(served):
    headers = {"Origin": "http://evil.example", "X-Cave-Token": served.token}
    assert ask(served, "/api/run/town/control", {"do": "stop"}, **headers)[0] == 403


@pytest.mark.parametrize("path", ["/api/run/town/control", "/api/run/town/fork", "/api/end", "/api/start"])
@pytest.mark.parametrize("token", ["", "guessed"])
def test_who_lacks_the_token_changes_nothing(served, path, token):
    status, body, _ = ask(served, path, {"do": "stop", "step": 1}, token=token)
    assert (status, b"?token=" in body) == (403, True)


LOOKUPS = ["runs", "study", "tree", "compare?run=town", "run/town/overview", "run/town/feed", "run/town/frames"]


@pytest.mark.parametrize("path", LOOKUPS)
@pytest.mark.parametrize("token", ["", "guessed"])
def test_who_lacks_the_token_reads_nothing(served, path, token):
    status, body, _ = ask(served, f"/api/{path}", token=token)
    assert (status, b"?token=" in body) == (403, True)


def test_who_lacks_the_token_cannot_watch(served):
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://127.0.0.1:{served.port}/ws?run=town"):
        pass


def test_a_browser_that_opened_the_printed_address_goes_on_reading(served):
    _, _, headers = ask(served, f"/?token={served.token}", token="")
    cookie, *attributes = headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict"} <= set(attributes)
    assert ask(served, "/api/runs", token="", Cookie=cookie)[0] == 200
    with connect(f"ws://127.0.0.1:{served.port}/ws?run=town", additional_headers={"Cookie": cookie}) as line:
        assert "status" in line.recv()


def test_a_cookie_alone_steers_nothing(served):
    _, _, headers = ask(served, f"/?token={served.token}", token="")
    cookie = headers["set-cookie"].partition(";")[0]
    status, body, _ = ask(served, "/api/run/town/control", {"do": "stop"}, token="", Cookie=cookie)
    assert (status, b"may look and not steer" in body) == (403, True)


def test_a_guess_gets_no_cookie(served):
    assert ask(served, "/?token=guessed", token="")[2]["set-cookie"] is None


def test_browsers_are_told_to_load_nothing_from_elsewhere(served):
    _, _, headers = ask(served, "/run/town")
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"].partition("script-src")[2].partition(";")[0]


def test_a_path_out_of_the_folder_leads_nowhere(served):
    assert ask(served, "/web/../live/app.py")[0] == 404
    assert ask(served, "/api/run/..%2F..%2Fetc/overview")[0] == 404
