"""All mutants, by what they are about."""

from tests.mutants import (
    in_documents,
    in_hosts,
    in_models,
    in_pages,
    in_policy,
    in_privacy,
    in_runs,
    in_state,
    in_world,
)
from tests.mutants.mutant import Mutant

MUTANTS: list[Mutant] = [
    mutant
    for part in (in_policy, in_privacy, in_state, in_world, in_runs, in_models, in_hosts, in_pages, in_documents)
    for mutant in part.MUTANTS
]  # fmt: skip
