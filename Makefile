# One command runner. `make` lists what there is.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Every `whet` that a test starts would compile the sources anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test check format lint types imports bench clean sandbox

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(STAMP) sandbox  ## the whole loop on a buggy calculator: found, mended, proved, approved, deployed, taken back
	@$(BIN)/whet demo

test: $(STAMP) sandbox  ## the tests
	$(BIN)/pytest -q -n 3 --dist loadfile --no-loadscope-reorder

check: format lint types imports test  ## everything that must hold before a commit

format: $(STAMP)  ## is it formatted
	$(BIN)/ruff format --check .

lint: $(STAMP)  ## ruff
	$(BIN)/ruff check .

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

imports: $(STAMP)  ## each layer imports only downward
	$(BIN)/lint-imports

bench: $(STAMP) sandbox  ## the benchmarks, in one table
	$(BIN)/python -m bench

clean:  ## remove what was installed and cached here
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(STAMP): pyproject.toml
	@command -v git >/dev/null || { echo "git is missing: install it first (apt-get install git)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "no virtual environment could be made: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "whet needs Python 3.11 or newer; try: make PYTHON=python3.12"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(STAMP)

sandbox:
	@sh .ci/bubblewrap
