"""The smallest server of tools over stdin and stdout: what a call to it takes is the client's cost."""

import json
import sys

TOOL = {"name": "echo", "description": "Say it back.", "inputSchema": {"type": "object", "properties": {}}}


def answer(method: str, asked: dict[str, object]) -> dict[str, object] | None:
    """Return the result of a request; None for a method that this server does not know."""
    if method == "initialize":
        about = {"name": "echo", "version": "1"}
        return {"protocolVersion": asked["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [TOOL]}
    return {"content": [{"type": "text", "text": "hello"}]} if method == "tools/call" else None


def main() -> None:
    """Serve until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            result = answer(request["method"], request.get("params", {}))
            unknown = {"error": {"code": -32601, "message": "unknown method"}}
            reply = {"jsonrpc": "2.0", "id": request["id"], **(unknown if result is None else {"result": result})}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
