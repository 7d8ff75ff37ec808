"""What a command costs before it does anything, against Python alone."""

import resource
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.measure import Sample, medians_us
from tests.bench.table import Row, ratio


def start_up(repeats: int) -> Iterator[Row]:
    """Yield rows for importing the package and for helps of the command line, against a Python that does nothing."""
    ways = {
        "python -c pass": process("-c", "pass"),
        "import cave_sim": process("-c", "import cave_sim"),
        "cave-sim --help": process("-m", "cave_sim", "--help"),
        "cave-sim run --help": process("-m", "cave_sim", "run", "--help"),
    }
    costs = medians_us(ways, calls=3, repeats=repeats)
    for name, most in (("import cave_sim", 6), ("cave-sim --help", 6), ("cave-sim run --help", 12)):
        yield ratio(name, costs, name, "python -c pass", most)


def process(*arguments: str, python: str = sys.executable) -> Sample:
    """Time a Python of its own by the CPU time that it takes, from its start to its end."""

    def sample(calls: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(calls):
            subprocess.run([python, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / calls

    return sample
