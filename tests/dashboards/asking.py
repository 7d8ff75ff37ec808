"""Asks a dashboard as a page would, without a browser."""

import json
import urllib.error
import urllib.request
from urllib.parse import urlencode


def ask(dashboard, path, wish=None, *, token=None, **headers):
    """Ask with the dashboard's token, unless another is given; a wish is plain data, or bytes as they are sent."""
    headers = {"X-Cave-Token": dashboard.token if token is None else token} | headers
    data = wish if wish is None or isinstance(wish, bytes) else json.dumps(wish).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{dashboard.port}{path}", data, headers)
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.read(), reply.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def answer(dashboard, path, **query):
    status, body, _ = ask(dashboard, f"/api/run/town/{path}?{urlencode(query)}")
    assert status == 200, body
    return json.loads(body)
