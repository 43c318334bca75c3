# One command runner. `make` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCK := requirements/dev.txt
PYTEST := $(BIN)/pytest -q -n 3 --dist loadfile --no-loadscope-reorder

# Tests that need neither the sandbox nor git: functions in, values out.
QUICK := tests/architecture tests/docs tests/domain tests/guard tests/packaging tests/statistics tests/ledger/test_invariants.py \
  tests/phases/approve tests/phases/diagnose tests/phases/learn tests/store/test_codec.py

# With this variable set, every `whet` process that a test starts would compile the sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo check format lint types imports test quick slow bench lock clean sandbox

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(STAMP) sandbox  ## run the whole loop on a sample project: find, fix, prove, approve, deploy, roll back
	@$(BIN)/whet demo

check: format lint types imports test  ## everything that must pass before a commit; CI runs this

format: $(STAMP)  ## check the formatting
	$(BIN)/ruff format --check .

lint: $(STAMP)  ## ruff
	$(BIN)/ruff check .

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

imports: $(STAMP)  ## check that each layer imports only downward
	$(BIN)/lint-imports

test: $(STAMP) sandbox  ## all tests that need no package index
	$(PYTEST)

quick: $(STAMP)  ## the pure tests: no sandbox, no git, under a minute
	$(PYTEST) -m "not slow and not needs_index" --ignore tests/guard/shell/test_against_bash.py $(QUICK)

slow: $(STAMP) sandbox  ## the tests that download from the package index: the wheel in an empty environment
	$(BIN)/pytest -q -m needs_index

bench: $(STAMP) sandbox  ## the benchmarks, in one table
	$(BIN)/python -m bench

lock:  ## pin every package that `make` installs, with hashes, in requirements/dev.txt
	@command -v uv >/dev/null || { echo "uv is missing: pip install uv"; exit 1; }
	uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --group dev --all-extras \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --output-file $(LOCK)

clean:  ## remove the virtual environment and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(STAMP): pyproject.toml $(LOCK)
	@command -v git >/dev/null || { echo "git is missing: install it first (apt-get install git)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "the virtual environment could not be created: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "whet needs Python 3.11 or newer; try: make PYTHON=python3.12"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

sandbox:
	@sh .ci/bubblewrap
