"""Where a session comes from: a node that points to the nodes of its parents.

A node is frozen and can only name nodes that were there before it, so no session descends from itself. Nodes hold no
rows: a lineage stays complete when the sessions in it are long forgotten.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Origin = Literal["new", "fork", "detach", "merge", "elsewhere"]
"""How a session began; ``elsewhere`` stands for a parent that was not loaded together with its child."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lineage:
    """One session's place in its family.

    Attributes:
        id: of the session.
        origin: how it began.
        parents: whom it was made from, in order; () for a new or a detached one.
        shared: how many of its rows are those of its first parent.
    """

    id: str
    origin: Origin = "new"
    parents: tuple[Lineage, ...] = ()
    shared: int = 0

    def ancestors(self) -> Iterator[Lineage]:
        """Yield everyone it descends from, once each, nearest first."""
        visited, queue = {self.id}, deque(self.parents)
        while queue:
            node = queue.popleft()
            if node.id not in visited:
                visited.add(node.id)
                yield node
                queue.extend(node.parents)

    def __repr__(self) -> str:
        return f"<Lineage {self.id}: {self.origin} of {', '.join(parent.id for parent in self.parents) or 'nobody'}>"


def session_id(agent: str, *key: object) -> str:
    """Return the id of an agent's session: it follows from the key alone, and stays short however long a family is."""
    digest = hashlib.blake2b("\x1f".join(map(str, key)).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{agent}-{digest}"
