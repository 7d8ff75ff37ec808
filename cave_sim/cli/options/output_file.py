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


def results_folder(run: Path, ending: str, out: Path | None) -> Path:
    """Return the folder in which results about a run are kept, which may be there already.

    Args:
        run: folder of the run, which is only read.
        ending: what its name is followed by in the one that lies beside it, such as ``-why``.
        out: what ``--out`` names instead.

    Raises:
        WorldError: it is a file, or the folder of the run; or nobody named it, and it leads elsewhere, as one that came
            with a stranger's run may.
    """
    folder = run.resolve()
    beside = folder.with_name(f"{folder.name}{ending}")
    if out is None:
        if beside.is_symlink():
            raise WorldError(f"{beside} is a link; if results are to be kept where it leads, say --out {beside}")
        return beside
    if out.exists() and not out.is_dir():
        raise WorldError(f"--out {out}: this is a file; name a folder")
    if out.resolve() == folder:
        raise WorldError(f"--out {out}: this is the run, which is only read; name another folder")
    return out
