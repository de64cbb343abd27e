# `make` alone lists the targets. Everything runs in .venv, which the first target creates.

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/attn-translate

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow check format bench study docs data checkpoint clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

install: .venv/installed ## create .venv and install attn-translate and its test tools in it

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: install ## train for a minute, translate "I love you", and show the attention
	$(RUN) train --minutes 1 --checkpoint checkpoints/demo.safetensors --force
	$(RUN) translate --checkpoint checkpoints/demo.safetensors --format heatmap "I love you"

test: install ## run the tests: a few minutes
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow" --cov --cov-report=term-missing:skip-covered --cov-fail-under=90

test-slow: install ## run the long tests: many minutes
	$(BIN)/python -m pytest -m slow

check: install ## check lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: install ## fix lint and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install ## measure speed and memory: half an hour
	$(BIN)/python tests/benchmarks/cold_start.py
	$(BIN)/python tests/benchmarks/training.py
	$(BIN)/python tests/benchmarks/throughput.py
	$(BIN)/python tests/benchmarks/scale.py
	$(BIN)/python tests/benchmarks/memory.py

study: install ## update docs/attention-study.md: half an hour (ONLY=faithfulness: one part)
	$(BIN)/python -m docs.study $(addprefix --only ,$(ONLY))

docs: install ## update the outputs in README and docs/
	$(BIN)/python tests/documents.py

data: install ## build the bundled corpus from its lexicon and grammar: a minute
	$(BIN)/python -m data.workshop

checkpoint: install ## train the shipped model, checkpoints/default.safetensors
	$(RUN) train --checkpoint checkpoints/default.safetensors --force --seed 1 --threads 2

clean: ## remove .venv and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .coverage build dist
