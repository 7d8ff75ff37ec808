"""``paper``: every table and figure of CaveAgent that needs a model and nothing else, on one page."""

from cave_sim.experiment.paper import PaperPart, PaperStudy, PaperTable

ALL = ("cave", "codeact", "json")
CODE_AND_CALLS = ("json", "cave")
SPLITS = ("simple_python", "multiple", "parallel", "parallel_multiple")
KINDS = ("query", "analysis", "chart")
DIMENSIONS = ("simple", "object", "scientific", *(f"{count} variables" for count in (5, 10, 15, 20, 25)))
STATEFUL = ("stateful_types", "multi_variable", "smart_home", "bank_account")

PAPER = PaperStudy(
    "paper",
    "CaveAgent, measured again",
    "CaveAgent §4 and Appendix F, with tasks, cases and data of our own where the paper has its own.",
    (
        *(PaperPart(name, name, ("cave",)) for name in STATEFUL),
        PaperPart("token_efficiency", "token_efficiency", CODE_AND_CALLS),
        PaperPart("data_tasks", "data_tasks", ALL),
        PaperPart("bfcl", "bfcl", CODE_AND_CALLS, {"split": ",".join(SPLITS)}),
        PaperPart("tau2_airline", "tau2", CODE_AND_CALLS, {"domain": "airline"}),
        PaperPart("tau2_retail", "tau2", CODE_AND_CALLS, {"domain": "retail"}),
    ),
    (
        PaperTable("T1", "τ²-bench: success by domain", ("tau2_airline", "tau2_retail")),
        PaperTable("T2", "BFCL: success by category", ("bfcl",), has_overall=True, groups=SPLITS),
        PaperTable("T3", "Variables: by type, by how many, over long conversations", STATEFUL, groups=DIMENSIONS),
        PaperTable("F5", "Steps, success and tokens by domain", ("token_efficiency",), "cost", True, True),
        PaperTable("T4", "What code on live objects saves", ("token_efficiency",), "improvement"),
        PaperTable("T5", "Data-intensive tasks: three ways of acting", ("data_tasks",), "cost", True, False, KINDS),
    ),
)
