"""Cells in processes of their own: what they can reach, and what of their proposals lands; and who may ask a page."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

HOSTS = "cave_sim/hosts/process"
SANDBOX, COMMIT = (
    ("hosts/process/test_sandbox.py",),
    ("hosts/process/test_commit.py", "hosts/process/test_break_ins.py"),
)
GUARD = ("dashboards/test_guard.py",)

MUTANTS = [
    Mutant("reaching for a socket is only an error", HOSTS, "rules.end(FATAL_SYSCALLS)", "rules.refuse(FATAL_SYSCALLS, errno.EACCES)", SANDBOX),
    Mutant("the world process lives without Landlock", HOSTS, "rules.restrict()", "pass", SANDBOX),
    Mutant("the fork server restricts nobody", HOSTS, "sandbox.apply_landlock_rules(", "(lambda folders: None)(", SANDBOX),
    Mutant("memory may be made executable", HOSTS, "rules.allow_without((\"mmap\", \"mprotect\"), argument=2, bits=PROT_EXEC)", "rules.allow((\"mmap\", \"mprotect\"))", SANDBOX),
    Mutant("files may be opened", HOSTS, "rules.refuse(FILES, errno.EACCES)", "rules.allow(FILES)", SANDBOX),
    Mutant("a cell's memory has no limit", HOSTS, "limit(resource.RLIMIT_AS, used_bytes + limits.memory_bytes)", "pass", SANDBOX),
    Mutant("what is claimed is not compared", HOSTS, "if sorted(map(_text, net_changes(undo_log, mark))) != sorted(map(_text, self._claimed)):", "if False:", COMMIT),
    Mutant("a cell calls any method", HOSTS, 'if call.method.startswith("_") or not hasattr(member, "__wrapped__"):', "if False:", COMMIT),
    Mutant("anybody is operated", HOSTS, "if not isinstance(rights, Rights) or not (rights.may_change_population() or rights.agent == act.agent):", "if False:", COMMIT),
    Mutant("anybody adds entities", HOSTS, 'if not isinstance(rights, Rights) or not rights.may_change_population() or change.entity[:1] in "$_":', "if False:", COMMIT),
    Mutant("a splice outside its list is taken", HOSTS, "if type(start) is not int or not 0 <= start <= len(holder):", "if False:", COMMIT),
    Mutant("variables of others are bound", HOSTS, "if EVERYTHING not in self._world.rights_of(agent).targets:", "if False:", COMMIT),
    Mutant("a variable of any name is bound", HOSTS, " or not all(map(is_variable, names)):", ":", COMMIT),
    Mutant("lies are not counted", HOSTS, "if reason in VIOLATIONS:", "if False:", COMMIT),
    Mutant("an agent is suspended one lie later", HOSTS, "self._violations.get(agent, 0) < MAX_VIOLATIONS}", "self._violations.get(agent, 0) <= MAX_VIOLATIONS}", COMMIT),
    Mutant("a page of another site may write", "dashboards", 'origin not in (f"http://{host}", f"https://{host}"):', "host not in origin:", GUARD),
    Mutant("a page of another site may listen", "dashboards", 'changes = scope["type"] == "websocket" or ', "changes = ", GUARD),
    Mutant("the server answers to any name", "dashboards", "if match is None or match[1].lower() not in self.hosts:", "if False:", GUARD),
    Mutant("any token will do", "dashboards", 'return hmac.compare_digest((sent or "").encode(), token.encode())', "return True", GUARD),
    Mutant("cells that a model writes run in the process of the command", "cave_sim/cli/options", 'return "process" if asks_model', 'return "local" if asks_model', ("cli/test_main.py",)),
]  # fmt: skip
