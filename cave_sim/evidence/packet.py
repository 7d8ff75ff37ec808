"""A packet as its author writes it: what is claimed, and what is done to show it. A TOML file, read as data."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.files.given_files import given_toml, why_unread

MOST_BYTES = 200_000
Text = Annotated[str, Field(min_length=1, max_length=2_000)]
RunName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]{0,80}$")]
"""The folder of a run, in the packet's own."""


class _Strict(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _expect_known_keys(cls, value: object) -> object:
        """Name a key that there is not, and the one that was meant, before anything else is missed."""
        if (
            strange := next((key for key in value if key not in cls.model_fields), None)
            if type(value) is dict
            else None
        ):
            near = did_you_mean(strange, cls.model_fields)
            raise ValueError(f"there is no key {strange!r}.{near} There are {', '.join(cls.model_fields)}")
        return value


class Claim(_Strict):
    """One thing that is said.

    Attributes:
        says: the claim, in the words of the page.
        page: where it is said, such as ``README.md``.
        test: what holds it, as pytest names it (``tests/test_tea.py::test_…``); "" for the packet's commands.
    """

    says: Text
    page: str = ""
    test: Annotated[str, Field(pattern=r"^$|^tests/[\w/]+\.py::\w+$")] = ""


class AtMost(_Strict):
    """What a command may take, its child processes included; a bound on another machine than the claim's leaves room.

    Attributes:
        cpu_s: processor time in seconds.
        memory_mb: at once, in 10^6 bytes, of the process that took most.
        written_mb: what its ``--out`` holds in the end, in 10^6 bytes.
    """

    cpu_s: Annotated[float, Field(gt=0)] | None = None
    memory_mb: Annotated[float, Field(gt=0)] | None = None
    written_mb: Annotated[float, Field(gt=0)] | None = None


class PacketCommand(_Strict):
    """One command of cave-sim.

    Attributes:
        run: what stands behind ``cave-sim``; ``{here}`` is the folder of the packet's file.
        exit: the exit code that it must end with.
        prints: texts that must be in its output, each of them.
        kill_at: kill it (SIGKILL) as soon as its run's journal holds this step; its exit code is not asked then.
        at_most: what it may take.
    """

    run: Text
    exit: int = 0
    prints: tuple[Text, ...] = ()
    kill_at: Annotated[int, Field(ge=0)] | None = None
    at_most: AtMost = AtMost()

    @field_validator("run")
    @classmethod
    def _can_be_split(cls, text: str) -> str:
        try:
            shlex.split(text)
        except ValueError as error:
            raise ValueError(f"this is no command line: {error}") from None
        return text

    @model_validator(mode="after")
    def _has_a_run_to_watch(self) -> Self:
        if self.kill_at is not None and self.out is None:
            raise ValueError("kill_at needs a run to look at: name its folder with --out")
        return self

    @property
    def out(self) -> str | None:
        """The folder that the command's run is written to; None if it names none."""
        words = self.words(Path())
        return words[words.index("--out") + 1] if "--out" in words[:-1] else None

    def words(self, here: Path) -> list[str]:
        """Return the words of the command line."""
        return [word.replace("{here}", str(here)) for word in shlex.split(self.run)]


class Packet(_Strict):
    """What is claimed, and what is done to show it.

    Attributes:
        title: what it is about, in a few words.
        claims: what it shows. With neither tests nor commands they are claims that nothing shows yet.
        proves, does_not_prove: what follows when it holds, and what does not.
        commands: of cave-sim, one after the other, in one folder.
        same: runs whose last states must be equal, as their hashes have it.
        different: runs whose last states must all differ.
    """

    title: Text
    claims: Annotated[tuple[Claim, ...], Field(min_length=1)]
    proves: str = ""
    does_not_prove: str = ""
    commands: tuple[PacketCommand, ...] = ()
    same: tuple[Annotated[tuple[RunName, ...], Field(min_length=2)], ...] = ()
    different: tuple[Annotated[tuple[RunName, ...], Field(min_length=2)], ...] = ()

    @model_validator(mode="after")
    def _shows_what_it_claims(self) -> Self:
        tested = [claim for claim in self.claims if claim.test]
        if tested and not self.commands and len(tested) < len(self.claims):
            missing = next(claim.says for claim in self.claims if not claim.test)
            raise ValueError(f"nothing shows {missing!r}: give it a test, or the packet commands")
        if (self.same or self.different) and not self.commands:
            raise ValueError("same and different compare runs: give commands that make them")
        if self.is_shown and not (self.proves and self.does_not_prove):
            raise ValueError("say what it proves and what it does not: proves, does_not_prove")
        return self

    @property
    def is_shown(self) -> bool:
        """Whether there is anything that shows its claims."""
        return bool(self.commands) or any(claim.test for claim in self.claims)

    @property
    def tests(self) -> list[str]:
        """The tests that hold its claims, each once."""
        return list(dict.fromkeys(claim.test for claim in self.claims if claim.test))


def read_packet(path: Path) -> Packet:
    """Return the packet of a TOML file; nothing of it is run.

    Raises:
        WorldError: it cannot be read, is no TOML, or is no packet; the message says where.
    """
    try:
        return Packet.model_validate(given_toml(path, MOST_BYTES))
    except OSError as error:
        raise WorldError(f"{path} cannot be read: {why_unread(error)}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise WorldError(f"{path}: {place}: {message}" if place else f"{path}: {message}") from None
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and TOMLDecodeError are ValueErrors
        raise WorldError(f"{path} is no TOML: {str(error) or 'it is nested too deeply'}") from None


def packets_in(places: list[Path]) -> dict[Path, Packet]:
    """Return the packets of files, and of all ``.toml`` files of folders, by their paths.

    Raises:
        WorldError: there is none, two have one name, or one cannot be read.
    """
    paths = [path for place in places for path in (sorted(place.glob("*.toml")) if place.is_dir() else [place])]
    if not paths:
        raise WorldError(f"no packet in {', '.join(map(str, places))}: a packet is a file such as claims/kills.toml")
    names = [path.stem for path in paths]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise WorldError(f"two packets are called {twice}: their evidence would lie in one folder")
    return {path: read_packet(path) for path in paths}
