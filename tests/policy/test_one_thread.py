"""Products of large arrays come out alike on any number of threads, and the process keeps its own number."""

import json
import subprocess
import sys

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from tests.policy import square

PRODUCTS = [
    "a = np.arange(100_003) * 0.1\nme.mood = float(np.dot(a, a) % 1)",
    "a = np.arange(90_000.0).reshape(300, 300) / 7\nme.mood = float((a @ a).sum() % 1)",
    "a = np.eye(100) * 50 + 1\na[3] = 2.5\nme.mood = float(abs(np.linalg.solve(a, np.ones(100)).sum()) % 1)",
    "a = np.arange(20_000.0).reshape(2, 10_000) % 13\nme.mood = float(abs(np.corrcoef(a)[0, 1]) % 1)",
]
SCRIPT = """
import json, sys
from tests.policy import square
print(json.dumps([square.build().execute(cell, agent="ann").changes[0].new for cell in json.load(sys.stdin)]))
"""


def moods(threads: str, tmp_path) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(PRODUCTS),
        env={"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.long
def test_a_product_is_the_same_with_one_thread_and_with_two(tmp_path):
    assert moods("1", tmp_path) == moods("2", tmp_path)


@pytest.mark.parametrize("cell", PRODUCTS)
def test_the_process_keeps_its_threads(cell):
    with threadpool_limits(2, user_api="blas"):
        before = threadpool_info()
        assert square.build().execute(cell, agent="ann").committed
        assert threadpool_info() == before
