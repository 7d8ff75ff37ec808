"""Where a command writes a file: asked before there is anything to write, so that no long work ends in vain."""

from __future__ import annotations

from pathlib import Path

from cave_sim.errors import WorldError, reason


def expect_place(option: str, path: Path | None) -> None:
    """Check that a file can lie at a path; None is no file, and fits.

    Args:
        option: what named it, such as ``--html``.
        path: of the file; one that is there already will be replaced.

    Raises:
        WorldError: its folder is not there, or it is a folder itself.
    """
    if path is None:
        return
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # a name that is too long, or a folder that nobody may look into
        raise WorldError(f"{option} {path}: {reason(error)}") from None
    if path.is_dir():
        raise WorldError(f"{option} {path}: this is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise WorldError(f"{option} {path}: there is no folder {path.parent}")


def expect_folder(option: str, path: Path | None, run: Path) -> None:
    """Check that results about a run can be kept in a folder, which may be there already; None fits.

    Raises:
        WorldError: it is a file, or the folder of the run, which is only read.
    """
    if path is None:
        return
    if path.exists() and not path.is_dir():
        raise WorldError(f"{option} {path}: this is a file; name a folder")
    if path.resolve() == run.resolve():
        raise WorldError(f"{option} {path}: this is the run, which is only read; name another folder")
