# The whole developer interface. Each target does its own set-up; `make` alone lists them.

VENV := .venv
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
RUST := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
CORE := $(shell find crates -type f) Cargo.toml Cargo.lock pyproject.toml
DIRS := $(wildcard python tests bench)
# Without a release core, the demo builds one that is compiled quickly. Other targets build the release core.
DEMO_CORE := $(if $(wildcard $(VENV)/.built),.built,.demo)

# Tests run in two processes, a file at a time (make test WORKERS=0: in one). Those of a service or a cluster
# want the machine for themselves.
WORKERS ?= 2
SIDE_BY_SIDE := -n $(WORKERS) --dist loadfile
ALONE := tests/engines/spark tests/serve

# One environment for maturin and for cargo, or each would build the bindings anew.
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PYO3_PYTHON := $(CURDIR)/$(VENV)/bin/python
export PATH := $(CURDIR)/$(VENV)/bin:$(HOME)/.cargo/bin:$(PATH)

# $(call need,TEST,DEBIAN PACKAGE): with root a missing tool is installed, without it is named.
need = { $(1); } >/dev/null 2>&1 || \
	{ test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -q && apt-get install -qy $(2); } || \
	{ echo "missing: $(2) (as root: apt-get install $(2))" >&2; exit 1; }

# $(call want,TEST,DEBIAN PACKAGE,WHAT FOR): the same for a tool without which something is left out.
want = ($(call need,$(1),$(2))) || echo "without it $(3)" >&2

.PHONY: help demo test check lint lint-python lint-rust ready bench bench-spark quality quality-neural audit-deps sbom docs screens format clean tools browser java pywb sites

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

demo: $(VENV)/$(DEMO_CORE) ## index the bundled sample crawl and ask it everything
	pagekin demo

test: browser java pywb sites lint ## everything: make lint, the Rust tests and all Python tests, each once
	cargo test --release --workspace
	pytest $(SIDE_BY_SIDE) $(ALONE:%=--ignore=%)
	pytest $(ALONE)

check: lint ## before each commit: make lint and the fast tests
	pytest $(SIDE_BY_SIDE) -m "not slow"

lint: ready ## format, lint, strict types, clippy, stubs
	@$(MAKE) --no-print-directory -j2 --output-sync lint-python lint-rust

lint-python:
	ruff format --check $(DIRS)
	ruff check $(DIRS)
	mypy
	python -m mypy.stubtest pagekin._core

lint-rust:
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --all-features -- -D warnings

bench: ready ## measure against the floor and against other tools
	@rm $(VENV)/.built # the next target builds the core without what only benchmarks use
	maturin develop --release --features bench
	python -m pip install --quiet -r bench/requirements.txt
	python -m bench.build.run
	python -m bench.build.structures
	python -m bench.build.sketches
	python -m bench.build.concepts
	python -m bench.questions.queries
	python -m bench.build.growth
	python -m bench.build.generators
	@$(call need,command -v wrk,wrk)
	python -m bench.questions.serve
	python -m bench.questions.answers
	python -m bench.questions.batch
	python -m bench.questions.first_page

bench-spark: ready ## measure the Spark engine
	python -m bench.build.spark
	python -m bench.build.skew

quality: ready ## judge related pages beside those of other tools, on every crawl; WRITE=1 puts the tables in place
	python -m pip install --quiet -r bench/quality/requirements.txt
	python -m bench.quality $(WRITE:%=--write)

quality-neural: ready ## the same with sentence embeddings; installs torch
	python -m pip install --quiet -r bench/quality/requirements-neural.txt
	python -m bench.quality --neural $(WRITE:%=--write)

# What cannot be fetched is said, and fails the target: an audit that did not happen is none.
audit-deps: ready ## look up known weaknesses of all dependencies (needs cargo-deny and the network)
	python -m pip install --quiet 'pip-audit>=2.7,<3'
	@failed=; \
	cargo deny --version >/dev/null 2>&1 || failed="$$failed cargo-deny(missing: cargo install --locked cargo-deny)"; \
	! cargo deny --version >/dev/null 2>&1 || cargo deny check || failed="$$failed cargo-deny"; \
	pip-audit --skip-editable || failed="$$failed pip-audit"; \
	test -z "$$failed" || { echo "NOT AUDITED, or with findings:$$failed" >&2; exit 1; }

sbom: ready ## write dist/sbom.json, the Python packages of the environment (CycloneDX)
	python -m pip install --quiet 'cyclonedx-bom>=7,<8'
	@mkdir -p dist
	cyclonedx-py environment --output-file dist/sbom.json

docs: ready ## write docs/commands.md anew
	python -m pagekin.cli.reference > docs/commands.md

screens: ready browser ## take the pictures in docs/screens anew
	python -m tests.serve.browser.screens docs/screens

format: ready ## format Python and Rust
	ruff format $(DIRS)
	ruff check --fix $(DIRS)
	cargo fmt --all

clean: ## remove everything that was made here
	rm -rf $(VENV) target dist .pytest_cache .mypy_cache .ruff_cache .hypothesis bench/out
	find python tests -name __pycache__ -prune -exec rm -rf {} +
	rm -f python/pagekin/_core*.so

# The tools of developers are downloaded while the core is compiled; pip installs one thing at a time.
ready:
	@$(MAKE) --no-print-directory -j2 $(VENV)/.core $(VENV)/.dev
	@$(MAKE) --no-print-directory $(VENV)/.built

$(VENV)/.demo: $(VENV)/.made $(CORE)
	maturin develop --profile demo
	@touch $@

$(VENV)/.built: $(VENV)/.core
	maturin develop --release
	@rm -f $(VENV)/.demo
	@touch $@

$(VENV)/.core: $(VENV)/.made $(CORE)
	maturin develop --release --skip-install
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	python -m pip install --quiet --group development
	@touch $@

$(VENV)/.made: | tools
	$(or $(PYTHON),python3) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet 'maturin>=1.7,<2' 'pip>=25.1'
	@touch $@

browser:
	@$(call want,command -v chromium || command -v chromium-browser || command -v google-chrome,chromium,the tests in a browser are skipped)

java:
	@$(call want,java -version || "$$JAVA_HOME"/bin/java -version,default-jre-headless,the tests of the Spark engine are skipped)

sites:
	@$(call want,command -v hugo && command -v jekyll,hugo jekyll,the tests of their templates are skipped)

# It needs other versions of libraries, so it has an environment of its own.
pywb: $(VENV)/.made
	@test -x $(VENV)/pywb/bin/pywb || { python -m venv $(VENV)/pywb && \
		python -m pip --python $(VENV)/pywb/bin/python install --quiet -r tests/replay/requirements.txt; } || \
		echo "without pywb the tests of replay are skipped" >&2

tools:
	@$(call need,command -v cc,build-essential)
	@$(call need,$(or $(PYTHON),python3) -c 'import ensurepip; import venv',python3-venv)
	@$(call need,command -v cargo,cargo)
	@$(call need,command -v cargo-fmt,rustfmt)
	@$(call need,command -v cargo-clippy,rust-clippy)
	@$(or $(PYTHON),python3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pagekin needs Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	@printf '%s\n' "$(RUST)" "$$(cargo --version | cut -d' ' -f2)" | sort -CV || \
		{ echo "pagekin needs Rust $(RUST) or newer, found $$(cargo --version): use rustup" >&2; exit 1; }
