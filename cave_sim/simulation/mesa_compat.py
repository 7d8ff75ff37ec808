"""What a simulation needs of Mesa's model class, alike for all versions of Mesa that we run with."""

from __future__ import annotations

from typing import Any

import mesa


class MesaModel(mesa.Model):  # type: ignore[misc]
    """A model in which an error in a step reaches the caller of the step, and nothing in between.

    Since version 3.5 Mesa takes steps from its list of events, and an error that passes through leaves the list without
    a next step: every later ``step()`` would return at once, having done nothing.

    Args:
        seed: of Mesa's own random generators.
    """

    _user_step: Any
    step: Any

    def __init__(self, seed: int) -> None:
        super().__init__(rng=seed)  # Mesa 3.5 warns about ``seed``; 3.3 knows both
        self._errors: list[BaseException] = []
        self._uncaught_step, self._user_step = self._user_step, self._catching_step
        self._counted_step, self.step = self.step, self._raising_step

    def _catching_step(self) -> None:
        """Take a step as Mesa does it; an error waits until Mesa is through."""
        try:
            self._uncaught_step()
        except BaseException as error:
            self._errors.append(error)

    def _raising_step(self) -> None:
        """Take a step, and raise what went wrong in it."""
        self._counted_step()
        if self._errors:
            raise self._errors.pop()
