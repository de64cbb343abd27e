# `make` alone lists the targets. Everything runs in .venv, which the first target makes.

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/attn-translate

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow check format bench study docs data checkpoint clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

install: .venv/installed ## make .venv and install attn-translate in it, with what its tests need

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: install ## train for a minute, translate "I love you", and show the attention
	$(RUN) train --minutes 1 --checkpoint checkpoints/demo.safetensors --force
	$(RUN) translate --checkpoint checkpoints/demo.safetensors --format heatmap "I love you"

test: install ## run the tests, some minutes
	$(BIN)/python -m pytest -m "not slow" --cov --cov-report=term-missing:skip-covered --cov-fail-under=90

test-slow: install ## run the tests that take many minutes
	$(BIN)/python -m pytest -m slow

check: install ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: install ## put the code in shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install ## measure speed and memory, half an hour
	$(BIN)/python tests/benchmarks/cold_start.py
	$(BIN)/python tests/benchmarks/training.py
	$(BIN)/python tests/benchmarks/throughput.py
	$(BIN)/python tests/benchmarks/scale.py
	$(BIN)/python tests/benchmarks/memory.py

study: install ## compare the score functions, half an hour, into docs/attention-study.md; ONLY=faithfulness: one part
	$(BIN)/python -m docs.study $(addprefix --only ,$(ONLY))

docs: install ## write into README and docs/ what their commands show now
	$(BIN)/python tests/documents.py

data: install ## build the bundled corpus from its lexicon and grammar, a minute
	$(BIN)/python -m data.workshop

checkpoint: install ## train checkpoints/default.safetensors, the model that ships
	$(RUN) train --checkpoint checkpoints/default.safetensors --force --seed 1 --threads 2

clean: ## remove .venv and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .coverage build dist
