"""A server that speaks the protocol by hand and badly: it answers a call with the line that it was started with."""

import json
import sys

ENDLESS = "endless"


def answer(request: object, result: object) -> None:
    """Answer a request as one should."""
    print(json.dumps({"jsonrpc": "2.0", "id": request, "result": result}), flush=True)


def main(line: str) -> None:
    """Serve; in the line ``ID`` stands for the request's."""
    for said in sys.stdin:
        message = json.loads(said)
        if message["method"] == "initialize":
            about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "rude", "version": "1"}}
            answer(message["id"], {"protocolVersion": message["params"]["protocolVersion"], **about})
        elif message["method"] == "tools/list":
            page = int(message["params"].get("cursor", 0)) if "params" in message else 0
            tools = [{"name": f"tool{page}", "inputSchema": {"type": "object"}}]
            answer(message["id"], {"tools": tools, **({"nextCursor": str(page + 1)} if page < 2 else {})})
        elif message["method"] == "tools/call":
            while line == ENDLESS:
                sys.stdout.write("x" * 1_000_000)
            print(line.replace("ID", str(message["id"])), flush=True)
        elif "id" in message:
            answer(message["id"], {})


if __name__ == "__main__":
    main(sys.argv[1])
