"""What is said of HumanEval's solutions counts what was run, and nothing else."""

import gzip
import json

from tests.runtime.human_eval import main


def problem(number, body, wanted):
    return {
        "task_id": f"Made/{number}",
        "prompt": "def twice(x: int) -> int:\n",
        "canonical_solution": f"    {body}\n",
        "test": f"def check(candidate):\n    assert candidate(2) == {wanted}, 'no'\n",
        "entry_point": "twice",
    }


def test_a_solution_counts_if_it_lands_and_passes_and_of_others_it_is_said_why_not(tmp_path, capsys):
    made = (
        problem(0, "return 2 * x", 4),
        problem(1, "return 3 * x", 4),
        problem(2, "import subprocess; return subprocess", 4),
    )
    (tmp_path / "made.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, made)).encode()))
    main(tmp_path / "made.gz")
    wrong, refused, share = capsys.readouterr().out.splitlines()
    assert wrong.startswith("Made/1: failed: AssertionError")
    assert refused.startswith("Made/2: blocked: Refused by the policy")
    assert "subprocess" in refused
    assert share == "1 of 3 solutions ran as cells and passed their tests"
