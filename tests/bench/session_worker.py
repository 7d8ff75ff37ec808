"""Does with sessions what agents do with them, by one engine; prints what it costs as a line of JSON; see `rath`."""

import gc
import json
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.fake_provider import provider

SHORT, LONG, NOTES, SESSIONS = 10, 100_000, 5_000, 100
LATENCY_S = 0.3
TEXT = "I went to the market and bought some apples, row {}"
ASKED = "apples of note 4711"


def median_us(act: Callable[[], Any], calls: int, repeats: int = 7) -> float:
    """Return the CPU time of an act in µs, the median of some, each the mean over so many calls."""
    costs_s = []
    for _ in range(repeats):
        started_s = time.process_time()
        for _call in range(calls):
            act()
        costs_s.append((time.process_time() - started_s) / calls)
    return statistics.median(costs_s) * 1e6


def peak_kib(act: Callable[[], Any]) -> float:
    """Return how much memory an act takes at its peak."""
    gc.collect()
    tracemalloc.start()
    act()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1024


def wall_ms(act: Callable[[], Any], repeats: int = 3) -> float:
    """Return how long an act takes by the clock, the median of some."""
    took_s = []
    for _ in range(repeats):
        started_s = time.perf_counter()
        act()
        took_s.append(time.perf_counter() - started_s)
    return statistics.median(took_s) * 1e3


def cave_sim(server: list[str]) -> dict[str, float]:
    """Return what our sessions cost."""
    from cave_sim.mcp.tool_server import ToolServer
    from cave_sim.models import Request
    from cave_sim.models.client import Asker
    from cave_sim.models.from_cli import ModelChoice
    from cave_sim.session.memory import Memory
    from cave_sim.session.session import Session
    from cave_sim.session.transcript import Transcript

    def session_of(rows: int, kind: str = "user") -> Session:
        session = Session("ann")
        for number in range(rows):
            session.append(kind, TEXT.format(number))
        return session

    long, transcript = session_of(LONG), Transcript()
    first = median_us(lambda: Transcript().messages(long), 1, 3) / 1e3
    transcript.messages(long)

    def next_request() -> None:
        long.append("user", TEXT)
        transcript.messages(long)

    costs = {"first_request_ms": first, "request_ms": median_us(next_request, 3) / 1e3}
    costs["request_kib"] = peak_kib(next_request)
    for rows, calls, name in ((SHORT, 1, "append_10_us"), (LONG, 100, "append_100000_us")):
        samples = []
        for _ in range(200 if rows == SHORT else 7):
            session = session_of(rows) if rows == SHORT else long.fork()
            samples.append(median_us(lambda session=session: session.append("user", TEXT), calls, 1))
        costs[name] = statistics.median(samples)
    memory, life = Memory(), Session("ann")
    for number in range(NOTES):
        memory.commit(life, f"note {number}: {TEXT.format(number)}", importance=1, step=number, time_s=float(number))
    costs["recall_ms"] = wall_ms(lambda: Memory().recall(life, ASKED, now_s=1e4, count=4), 7)  # the index is built, too
    with ToolServer(server) as tools:
        tools.call("echo", {})
        costs["tool_call_ms"] = wall_ms(lambda: tools.call("echo", {}), 20)
    with provider(LATENCY_S) as url, Asker() as asker:
        model = ModelChoice("openai/test", api_base=url).open()

        def ask() -> None:
            sessions = [Session(f"n{number}") for number in range(SESSIONS)]
            for number, session in enumerate(sessions):
                session.append("user", f"What now, {number}?")
            asked = [(model, Request(Transcript().messages(session))) for session in sessions]
            for session, reply in zip(sessions, asker.ask_all(asked), strict=True):
                session.append("assistant", reply.text)

        costs["sessions_ms"] = wall_ms(ask, 3)
    return costs


def openrath(server: list[str]) -> dict[str, float]:
    """Return what sessions of openrath cost."""
    from rath.flow import Agent
    from rath.flow.tool.mcp_adapter import MCPClient
    from rath.llm import Provider
    from rath.memory import get
    from rath.memory.abc import MemoryStoreSpec
    from rath.memory.op_types import MemoryOpFind, MemoryOpWrite
    from rath.session import ChunkTable, Session, chunk_table_to_messages, user_text_chunk
    from rath.session.chat_request_build import provider_into_chat_request

    asked = Provider(model="test")

    def table_of(rows: int) -> ChunkTable:
        return ChunkTable(tuple(user_text_chunk(TEXT.format(number)) for number in range(rows)))

    def request_of(session: Session) -> None:
        messages = chunk_table_to_messages(session.chunk_table)
        provider_into_chat_request(messages, None, asked, default_tool_choice="auto")

    def append(session: Session) -> None:
        session.chunk_table = session.chunk_table.extend(user_text_chunk(TEXT))

    def next_request() -> None:
        append(long)
        request_of(long)

    long = Session(table_of(LONG))
    costs = {"first_request_ms": median_us(lambda: request_of(long), 1, 3) / 1e3}
    costs["request_ms"] = median_us(next_request, 3) / 1e3
    costs["request_kib"] = peak_kib(next_request)
    for rows, calls, name in ((SHORT, 1, "append_10_us"), (LONG, 100, "append_100000_us")):
        samples = []
        for _ in range(200 if rows == SHORT else 7):
            session = Session(table_of(rows) if rows == SHORT else long.chunk_table)
            samples.append(median_us(lambda session=session: append(session), calls, 1))
        costs[name] = statistics.median(samples)
    with tempfile.TemporaryDirectory() as folder:
        store = get("local").open(MemoryStoreSpec(options={"path": str(Path(folder))}))
        for number in range(NOTES):
            text = f"note {number}: {TEXT.format(number)}"
            store.dispatch(MemoryOpWrite(uri=f"memory://user/memories/notes/n{number}", content=text))
        costs["recall_ms"] = wall_ms(lambda: store.dispatch(MemoryOpFind(query=ASKED, top_k=4)))
    client = MCPClient(server)
    costs["tool_call_ms"] = wall_ms(lambda: client.call_tool("echo", {}), 5)
    with provider(LATENCY_S) as url:
        agent = Agent("You live in a town.", Provider(model="test", base_url=url, api_key="none"))

        def ask() -> None:
            for done in [agent(Session.from_user_message(f"What now, {number}?")) for number in range(SESSIONS)]:
                done.synchronize()

        costs["sessions_ms"] = wall_ms(ask, 3)
    return costs


if __name__ == "__main__":
    print(json.dumps({"cave_sim": cave_sim, "openrath": openrath}[sys.argv[1]](json.loads(sys.argv[2]))))
