# Every target sets up what it needs; a second call redoes nothing.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
PYTHON := .venv/bin/python
BUILD := build/release

# Says that it builds only when there is something to build.
ninja = ninja -C $(BUILD) -n $(1) 2>/dev/null | grep -q 'no work to do' || \
  { echo "building $(1); the first time takes some minutes"; ninja -C $(BUILD) --quiet $(1); }

.PHONY: help setup configure build run test check bench test-all clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile

setup: ## Debian packages and the Python environment .venv
	@tools/setup

configure: setup
	@[ -f $(BUILD)/build.ninja ] || cmake --preset release >.cache/cmake.log 2>&1 || \
	  { tail -20 .cache/cmake.log; echo "cmake failed (.cache/cmake.log); is every package of tools/packages.txt installed?"; exit 1; }

build: configure ## build/release/primus and all tests
	@$(call ninja,all)

run: ## Train the main example, MovieLens 100k, into runs/movielens
	@SECONDS=0; \
	$(MAKE) configure; \
	$(call ninja,primus); \
	$(PYTHON) examples/movielens/prepare; \
	rm -rf runs/movielens; \
	$(BUILD)/primus run examples/movielens/job.yaml; \
	echo "make run took $$SECONDS s"

test: ## All tests of the release build
	@SECONDS=0; \
	$(MAKE) build; \
	ctest --preset release -j$$(nproc); \
	echo "make test took $$SECONDS s"

check: setup ## Format, layers, banned names, sizes, documents; needs no build
	@tools/check

bench: ## Measurements of bench/README.md, with PyTorch as the peer
	@tools/setup --bench
	@$(MAKE) build
	@bench/run

test-all: ## What .ci/run does, then TSan, 2 000 simulator seeds and mutations of the code
	@.ci/run --all

clean: ## Remove what was built and run; packages and .venv stay
	@rm -rf build runs .primus examples/*/data
