"""A server that speaks as much of OpenSandbox's protocol as its client needs for files and commands, for tests alone.

Each "container" is a folder: nothing is held off. Paths below ``/workspace`` are taken as paths in the folder.
"""

import json
import shutil
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

CREATED = "2026-01-01T00:00:00Z"


class SandboxServer(ThreadingHTTPServer):
    """Serves until it is left.

    Attributes:
        folders: id of a container -> its folder; one that was ended is gone.
    """

    def __init__(self, key):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key, self.folders = key, {}
        self.address = f"127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        for folder in self.folders.values():
            shutil.rmtree(folder)
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        place, asked = self._place()
        if place[:2] == ["v1", "sandboxes"] and place[3:4] == ["endpoints"]:
            self._say({"endpoint": f"{self.server.address}/{place[2]}", "headers": {}})
        elif place[:2] == ["v1", "sandboxes"]:
            self._say(self._about(place[2]))
        elif place[1:] == ["files", "download"]:
            path = self._in_folder(place[0], asked["path"][0])
            if path.is_file():
                self._say(path.read_bytes())
            else:
                self._say({"code": "FILE_NOT_FOUND", "message": "there is no such file"}, 404)
        else:
            self._say({})

    def do_POST(self):
        place, _ = self._place()
        body = self._body()
        if place == ["v1", "sandboxes"]:
            if self.headers.get("open-sandbox-api-key") != self.server.key:
                self._say({"code": "UNAUTHORIZED", "message": "who are you?"}, 401)
                return
            name = f"box-{len(self.server.folders)}"
            self.server.folders[name] = Path(tempfile.mkdtemp())
            self._say(self._about(name), 202)
        elif place[1:] == ["command"]:
            self._run(place[0], json.loads(body))
        elif place[1:] == ["files", "upload"]:
            about, content = _parts(body, self.headers["content-type"])
            self._in_folder(place[0], json.loads(about)["path"]).write_bytes(content)
            self._say({})

    def do_DELETE(self):
        place, asked = self._place()
        if place[:2] == ["v1", "sandboxes"]:
            shutil.rmtree(self.server.folders.pop(place[2]))
        else:
            for path in asked["path"]:
                self._in_folder(place[0], path).unlink()
        self._say(b"", 204 if place[0] == "v1" else 200)

    def _run(self, name, asked):
        command = asked["command"] if "command" in asked else asked["argv"]
        argv = ["sh", "-c", command] if isinstance(command, str) else command
        argv = [word.replace("/workspace", str(self._in_folder(name, "/workspace"))) for word in argv]
        ran = subprocess.run(argv, cwd=self._in_folder(name, asked.get("cwd") or "/"), capture_output=True, text=True)
        events = [{"type": "init", "text": "1"}]
        events += [{"type": "stdout", "text": line} for line in ran.stdout.splitlines()]
        events += [{"type": "stderr", "text": line} for line in ran.stderr.splitlines()]
        if ran.returncode:
            events.append({"type": "error", "error": {"ename": "CommandExecError", "evalue": str(ran.returncode)}})
        else:
            events.append({"type": "execution_complete", "execution_time": 1})
        told = (f"data: {json.dumps({**event, 'timestamp': place})}\n\n" for place, event in enumerate(events))
        self._say("".join(told).encode(), kind="text/event-stream")

    def _about(self, name):
        status = {"state": "Running"}
        return {"id": name, "status": status, "createdAt": CREATED, "expiresAt": CREATED, "entrypoint": ["sh"]}

    def _in_folder(self, name, path):
        return self.server.folders[name] / path.lstrip("/")

    def _body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        pieces = []
        while size := int(self.rfile.readline(), 16):
            pieces.append(self.rfile.read(size + 2)[:-2])
        self.rfile.readline()
        return b"".join(pieces)

    def _place(self):
        split = urlsplit(self.path)
        return [part for part in split.path.split("/") if part], parse_qs(split.query)

    def _say(self, what, status=200, kind=None):
        data = what if isinstance(what, bytes) else json.dumps(what).encode()
        self.send_response(status)
        self.send_header("content-type", kind or "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _parts(body, kind):
    """Return what the parts of a form hold."""
    border = b"--" + kind.partition("boundary=")[2].encode()
    return [part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n") for part in body.split(border)[1:-1]]
