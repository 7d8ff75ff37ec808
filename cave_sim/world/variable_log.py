"""Variables that cells touched, as they were: so they are put back where a turn comes to nothing, or waits to land."""

from __future__ import annotations

from typing import Any

from cave_sim.runtime.namespace import Namespace
from cave_sim.runtime.variable_news import VariableNews, news_since


class VariableLog:
    """An undo log of whole namespaces; they are plain data, so noting one costs a copy of its names."""

    def __init__(self) -> None:
        self._entries: list[tuple[Namespace, dict[str, Any], set[str]]] = []
        self._marks: list[int] = []

    def open(self) -> None:
        """Begin a turn."""
        self._marks.append(len(self._entries))

    def note(self, namespace: Namespace) -> None:
        """Note how an agent's variables are, before the turn under way does something to them."""
        if not self._marks or namespace.is_in_turn:
            return
        if all(noted is not namespace for noted, _, _ in self._entries[self._marks[-1] :]):
            self._entries.append((namespace, dict(namespace.data), set(namespace.changed)))

    def undo(self) -> None:
        """Put back what was noted since the turn under way began."""
        while len(self._entries) > self._marks[-1]:
            namespace, earlier, changed = self._entries.pop()
            namespace.put_back(earlier)
            namespace.changed = changed

    def news(self) -> dict[str, VariableNews]:
        """Return what became of the variables that were noted since the turn under way began, by agent."""
        first: dict[str, tuple[Namespace, dict[str, Any]]] = {}
        for namespace, earlier, _ in self._entries[self._marks[-1] :]:
            first.setdefault(namespace.agent, (namespace, earlier))
        return {agent: news_since(earlier, namespace) for agent, (namespace, earlier) in first.items()}

    def close(self) -> None:
        """End the turn; what it noted is the turn's around it."""
        self._marks.pop()
        if not self._marks:
            self._entries.clear()
