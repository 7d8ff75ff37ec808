# Everything below works with nothing but make and a Python >= 3.11: the first target that needs it
# makes .venv and installs the locked versions of requirements.txt; later ones start at once.

# The first Python that answers, is new enough and can make an environment (Debian packs venv apart).
CAN_BUILD = import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python python3.14 python3.13 python3.12 python3.11; do \
	$$python -c "$(CAN_BUILD)" >/dev/null 2>&1 && { echo $$python; break; }; done)
NO_PYTHON = "cave_sim needs Python >= 3.11 with venv, and none was found: install one" \
	"(Debian: apt install python3 python3-venv), or name yours: make PYTHON=path/to/python3"
WRONG_PYTHON = "PYTHON=$(PYTHON) is no Python >= 3.11 with venv:" \
	"name another one, or leave PYTHON away to let make look for it"

BIN = .venv/bin
PIP = $(BIN)/python -m pip install -qq --disable-pip-version-check
# Tests start hundreds of processes: what Python compiles is kept for the next ones, whatever the account is set to.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
LOCKED = .venv/.locked
READY = .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help town llm test long quick bench pictures mutants lint house clean

help: ## show this list
	@echo "cave_sim: societies of code-writing agents"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 15

town: $(READY) ## live one day in a small town, and keep its journal under runs/ (ARGS="--residents 1000")
	@$(BIN)/cave-sim run town_day $(ARGS)

# Both ask the same weights over HTTP. On two free cores that takes some minutes.
PORT ?= 8080
SERVED = --model openai/local --api-base http://127.0.0.1:$(PORT)/v1

llm: $(READY) ## run a small town and a study with a real model on this machine (GGUF=weights.gguf)
	@test -f "$(GGUF)" || { echo "make llm needs weights: make llm GGUF=FILE (docs/local_models.md: which, from whom)" >&2; exit 1; }
	@$(BIN)/cave-sim serve --gguf "$(GGUF)" --port $(PORT) -- sh -c '\
		$(BIN)/cave-sim run town_day --residents 3 --steps 3 --set start=2012-06-01T11:00 --set step_s=1800 $(SERVED) && \
		$(BIN)/cave-sim study stateful_types --limit 1 $(SERVED)'

test: $(READY) ## run the tests, in parallel and in random order; those of a word or a file: all of them (ARGS="-k weather")
	@$(PYTEST) $(ARGS)

long: $(READY) ## run every test, those that take long, too: corpora, kills, actors, notebooks (half an hour on two cores)
	@$(PYTEST) --long $(ARGS)

# What needs neither a browser, Ray, processes that are started or killed, nor runs of whole simulations.
QUICK = $(wildcard tests/test_layout.py tests/test_offline.py) $(addprefix tests/, agents changes entity gym history \
	journal llm_agent models mutants policy runtime session simulation testing world worlds)
NOT_QUICK = $(addprefix --ignore=tests/, \
	agents/test_heterogeneity.py agents/test_resident.py agents/test_resident_runs.py \
	agents/test_thinking_over.py entity/test_tables_come_back.py gym/test_gym.py history/test_blame.py \
	history/test_blame_parts.py history/test_condition_over_steps.py history/test_export.py \
	history/test_highlights.py journal/test_compaction.py journal/test_old_runs.py journal/test_rebuild.py \
	journal/test_repair.py llm_agent/test_context.py models/test_clients.py models/test_code_blocks.py \
	models/test_embeddings.py models/test_from_cli.py models/test_llama_cpp.py models/test_openai_client.py \
	models/test_probe.py models/test_real_town.py models/test_step_deadline.py models/test_tokens.py \
	policy/test_afterwards.py policy/test_analysis_across_turns.py policy/test_data_lines.py \
	policy/test_every_operation.py policy/test_hostile_cells.py policy/test_late_code.py \
	policy/test_learning.py policy/test_lent_copies.py policy/test_memory.py policy/test_ordinary_cells.py \
	policy/test_privacy.py policy/test_promised.py policy/test_repeatable_cells.py policy/test_scipy_solvers.py \
	policy/test_scipy_stats.py policy/test_told_names.py runtime/test_batches.py runtime/test_deadline_timer.py \
	runtime/test_depth.py runtime/test_idioms.py runtime/test_plain_python.py \
	runtime/test_serialization.py runtime/test_set_order.py runtime/test_standstill.py \
	runtime/test_zoned_variables.py simulation/test_chaos.py simulation/test_event_loops.py \
	simulation/test_interrupts.py simulation/test_mirror.py simulation/test_outages.py \
	simulation/test_treatment.py worlds/test_town_day.py worlds/test_town_festivities.py \
	worlds/test_town_neighbour.py worlds/test_town_privacy.py worlds/test_town_week.py \
	worlds/test_village_day.py)

SLOW = kill_9 or killed or any_process or imported_past_the_package or only_the_ray_host

quick: $(READY) ## run in a minute what one breaks first: no browser, Ray, process host, kills, whole simulations or docs
	@$(PYTEST) --workers $$(getconf _NPROCESSORS_ONLN) -m "not long" -k "not ($(SLOW))" $(QUICK) $(NOT_QUICK) $(ARGS)

bench: $(READY) ## time the engine: ratios beside their targets (ARGS="--compare OLD.json", --page FILE, --peers)
	@$(BIN)/python -m tests.bench $(ARGS)

pictures: $(READY) ## make the documentation's pictures anew, in a real browser
	@$(BIN)/python -m tests.dashboards.make_pictures

mutants: $(READY) ## make mistakes in the core, one at a time, and list those that no test notices (ARGS="--only journal")
	@$(BIN)/python -m tests.mutants $(ARGS)

lint: $(READY) ## check style and types
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary

house: $(READY) ## print the structure in numbers (ARGS="--tree CHECKOUT" measures another one)
	@$(BIN)/python -m tests.house $(ARGS)

clean: ## remove .venv, caches and benchmark leftovers; runs/ stays
	@rm -rf .venv .bench .mutants build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): $(LOCKED) pyproject.toml
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q cave_sim agents dashboards simulations worlds
	@touch $@

$(LOCKED): requirements.txt
	@test -n "$(PYTHON)" || { echo $(NO_PYTHON) >&2; exit 1; }
	@"$(PYTHON)" -c "$(CAN_BUILD)" 2>/dev/null || { echo $(WRONG_PYTHON) >&2; exit 1; }
	@echo "Preparing .venv with $$("$(PYTHON)" --version) (once, one to five minutes) ..."
	@"$(PYTHON)" -m venv --clear .venv
	@$(PIP) --no-compile -r requirements.txt
	@$(BIN)/python -m compileall -q -j 0 .venv/lib >/dev/null 2>&1 || true  # on all processors; pip takes one
	@touch $@
