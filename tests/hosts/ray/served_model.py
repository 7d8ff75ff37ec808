"""An OpenAI-compatible application on Ray Serve, asked by minds as any server of one's own is.

    python -m tests.hosts.ray.served_model FOLDER

It prints the state hash of the run and how many calls it made, as JSON.
"""

import json
import os
import socket
import sys
from pathlib import Path

from cave_sim import open_run
from cave_sim.hosts.ray import start
from cave_sim.models import Message, Request
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.simulations.storm_warning.script import reply
from tests.hosts.contracts import STORM

UNTIL = 8


class Chat:
    """Answers chat completions as the script of the simulation does, in a stream if it is asked for one."""

    async def __call__(self, request):
        from starlette.responses import JSONResponse, StreamingResponse

        body = await request.json()
        text = reply(Request(tuple(Message(each["role"], each["content"]) for each in body["messages"])))
        usage = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
        told = {"id": "chatcmpl-1", "created": 0, "model": body["model"], "usage": usage}
        if body.get("stream"):
            return StreamingResponse(events(told, text), media_type="text/event-stream")
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return JSONResponse({**told, "object": "chat.completion", "choices": [choice]})


def events(told, text):
    """Yield an answer as the events of a stream."""
    choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    yield f"data: {json.dumps({**told, 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"
    yield "data: [DONE]\n\n"


def main(folder):
    """Serve, and live a few steps of a storm with minds that ask what is served."""
    from ray import serve

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with start(cpus=4):
        try:
            serve.start(http_options={"host": "127.0.0.1", "port": port})
            serve.run(serve.deployment(Chat).bind(), route_prefix="/v1/chat/completions")
            return live(folder, f"http://127.0.0.1:{port}/v1")
        finally:
            serve.shutdown()


def live(folder, api_base):
    """Return what became of a run whose model is behind a URL."""
    simulation = Recipe("storm_warning", STORM, ModelChoice("openai/test", api_base=api_base)).make(folder)
    simulation.run(until=UNTIL)
    simulation.close()
    with open_run(folder) as run:
        ((calls,),) = run.query("SELECT count(*) FROM calls WHERE reply IS NOT NULL")
    return {"hash": simulation.state_hash, "calls": calls}


if __name__ == "__main__":
    os.environ.setdefault("OPENAI_API_KEY", "none")
    print(json.dumps(main(Path(sys.argv[1]))))
