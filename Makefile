# One command runner. `make` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCK := requirements/dev.txt
UV_LOCK := requirements/uv.txt
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes
PYTEST := .ci/in-memory $(BIN)/pytest -q -n 4 --dist worksteal

# Tests that need neither the sandbox nor git: functions in, values out.
QUICK := tests/architecture tests/docs tests/domain tests/guard tests/packaging tests/statistics tests/ledger/test_invariants.py \
  tests/phases/approve tests/phases/diagnose tests/phases/learn tests/store/test_codec.py

# With this variable set, every `whet` process that a test starts would compile the sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo check format lint types imports test quick slow agents bench lock clean packages

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(STAMP) packages  ## run the whole loop on a sample project: find, fix, prove, approve, deploy, roll back
	@$(BIN)/whet demo

check: format lint imports  ## everything that must pass before a commit; CI runs this
	@$(MAKE) --no-print-directory --jobs 2 types test  # the tests wait now and then; the type checker uses that time

format: $(STAMP)  ## check the formatting
	$(BIN)/ruff format --check .

lint: $(STAMP)  ## ruff
	$(BIN)/ruff check .

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

imports: $(STAMP)  ## check that each layer imports only downward
	$(BIN)/lint-imports

test: $(STAMP) packages  ## all tests but the long ones
	$(PYTEST)

quick: $(STAMP)  ## the pure tests: no sandbox, no git, under a minute
	$(PYTEST) -m "not slow and not needs_index and not long" --ignore tests/guard/shell/test_against_bash.py $(QUICK)

slow: $(STAMP) packages  ## long tests: real packages, older pytest, the wheel, the collection of cheats and fixes
	@sh .ci/packages browser
	$(PYTEST) -n 2 --dist loadfile -m "needs_index or long"
	@mkdir -p .mypy_cache
	sed '/^follow_imports/d' pyproject.toml > .mypy_cache/followed.toml  # also check against the types of pydantic-ai
	$(BIN)/mypy --config-file .mypy_cache/followed.toml --cache-dir .mypy_cache/followed

agents: $(STAMP) packages  ## real coding agents from the package indexes (2 GB, once), against a scripted model
	WHET_AGENTS=$${WHET_AGENTS:-$$HOME/.cache/whet-agents} $(BIN)/pytest -q -m needs_index tests/cycle/test_real_agents.py

bench: $(STAMP) packages  ## the benchmarks, in one table
	$(BIN)/python -m bench

lock:  ## pin every package that `make` installs, with hashes, in requirements/
	@command -v uv >/dev/null || { echo "uv is missing: pip install uv"; exit 1; }
	uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --group dev --all-extras \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --output-file $(LOCK)
	echo uv | uv pip compile - --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --output-file $(UV_LOCK)

clean:  ## remove the virtual environment and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# uv needs seconds where pip needs two minutes. It does not read pip's settings (a package index of your own, for example),
# and not every platform has it: then pip installs.
$(STAMP): pyproject.toml $(LOCK) $(UV_LOCK)
	@command -v git >/dev/null || { echo "git is missing: install it first (apt-get install git)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "the virtual environment could not be created: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "whet needs Python 3.11 or newer; try: make PYTHON=python3.12"; exit 1; }
	@echo "installing the packages of $(LOCK)"
	@{ $(PIP) --only-binary :all: --requirement $(UV_LOCK) && $(UV) --requirement $(LOCK); } || \
	  { echo "uv cannot install here; pip does it, which takes minutes"; $(PIP) --requirement $(LOCK); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/pytest --help >/dev/null  # compiles pytest: uv has not, and runs in the sandbox cannot keep what they compile
	@touch $(STAMP)

packages:
	@sh .ci/packages
