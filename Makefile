# `make demo` runs the small real cohort of config/demo; `make test` runs all checks and tests.
# Both set up .venv in this clone first and touch nothing outside it.

PYTHON ?= python3
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin

ifneq ($(words $(CURDIR)),1)
$(error The path of this clone holds a space, which make and Snakemake cannot take; move it)
endif

# Caches and temporary files of tools stay in the clone.
export XDG_CACHE_HOME := $(CURDIR)/.cache
export XDG_CONFIG_HOME := $(CURDIR)/.cache/config
export TMPDIR := $(CURDIR)/.cache/tmp
$(shell mkdir -p $(TMPDIR))
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PATH := $(BIN):$(PATH)

# One line per job on the terminal; Snakemake's own log goes to .snakemake/log.
SNAKEMAKE := $(BIN)/snakemake

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev demo demo-slurm demo-allocation test lint unit workflow long-tests slurm-tests schemas lock clean

help:
	@echo "make demo      run the demo cohort (no key, no account)"
	@echo "make demo-slurm, make demo-allocation      the same on a Slurm that is there"
	@echo "make test      lint and test everything"
	@echo "make setup     set up .venv for your own runs"
	@echo "make schemas   write schemas/ from the models"
	@echo "make clean     remove results and caches, keep .venv"

$(VENV)/.runtime: envs/requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (about a minute)"
	@$(BIN)/python -m pip install --quiet --no-cache-dir --require-hashes --requirement envs/requirements.lock
	@$(BIN)/python -m pip install --quiet --no-cache-dir --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime envs/requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --no-cache-dir --require-hashes --requirement envs/requirements-dev.lock
	@touch $@

setup: $(VENV)/.runtime

setup-dev: $(VENV)/.dev

demo: setup
	@$(SNAKEMAKE) --profile profiles/demo
	@$(BIN)/intogen-agent collect --overview results

# The demo on Slurm, each mode in a directory of its own. SNAKEMAKE_ARGUMENTS and SBATCH_ARGUMENTS
# add what your cluster wants.
slurm-there:
	@command -v sbatch >/dev/null || { echo "ERROR: Slurm's commands (sbatch, sinfo, squeue) are not here; run this where you submit jobs" >&2; exit 2; }
	@timeout 30 sinfo --noheader >/dev/null 2>&1 || { echo "ERROR: sinfo gets no answer from Slurm's controller; run this where you submit jobs" >&2; exit 2; }

demo-slurm: slurm-there setup
	@$(SNAKEMAKE) --profile profiles/slurm --configfile config/demo/config.yaml \
		--directory .demo/slurm --quiet reason host \
		--slurm-init-seconds-before-status-checks 5 $(SNAKEMAKE_ARGUMENTS)
	@$(BIN)/intogen-agent collect --overview .demo/slurm/results

demo-allocation: slurm-there setup
	@mkdir -p .demo/allocation
	@sbatch --wait --cpus-per-task=2 --mem=4G --time=60 --output=.demo/allocation/run.log \
		$(SBATCH_ARGUMENTS) profiles/slurm-allocation/run.sbatch \
		--configfile config/demo/config.yaml --directory .demo/allocation --cores 8 \
		$(SNAKEMAKE_ARGUMENTS) || { tail -n 20 .demo/allocation/run.log >&2; exit 1; }
	@$(BIN)/intogen-agent collect --overview .demo/allocation/results

test: lint unit workflow

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/snakefmt --check Snakefile rules
	@$(SNAKEMAKE) --lint --profile profiles/demo

unit: setup-dev
	@$(BIN)/python -m pytest -m "not workflow and not long" -n 2

workflow: setup-dev
	@$(BIN)/python -m pytest -m "workflow and not slurm and not long" -n 3

long-tests: setup-dev
	@$(BIN)/python -m pytest -m "long and not slurm" -n 2

# On a Slurm that answers, or, as root on Debian, on one that is installed for the tests' own time;
# else they skip and say why.
slurm-tests: setup-dev
	@INTOGEN_AGENT_SLURM_TESTS=1 $(BIN)/python -m pytest tests/slurm -m slurm -n 0 -rs $(SLURM_TESTS)

schemas: setup-dev
	@$(BIN)/python -m intogen_agent.schemas schemas

# Needs uv; the lock files hold no index addresses.
lock:
	cd envs && for name in requirements requirements-dev; do \
		uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
			--no-emit-index-url --no-emit-find-links --no-annotate \
			--custom-compile-command "make lock" $$name.in --output-file $$name.lock; done

clean:
	rm -rf results .demo .snakemake .cache
