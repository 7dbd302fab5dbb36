# Everything a user or a developer does with this project, one word each.
# A machine with Python 3.11 to 3.13, make and git is enough; uv is used where present.

PORT ?= 8000
HOST ?= 127.0.0.1
ONLY ?=
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	&& echo $$p && break; done)
BIN := .venv/bin
UV := $(shell command -v uv)
# Tests wait for servers: one worker more than processors. A file of tests stays in one
# worker, so that its servers start once; the folders with the longest files come first.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# The model of `make test-model`: smollm2, of 93 MB, or qwen, of 1.1 GB.
MODEL ?= smollm2
# Generated examples are the same each time; `make test EXAMPLES=new` looks for others.
EXAMPLES ?= same
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
	--hypothesis-profile=$(EXAMPLES)

.DEFAULT_GOAL := help
.PHONY: help run test test-slow test-all test-model lint format bench searxng browser doctor docs screenshots lock sbom audit clean

help:  ## show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

run: .venv/app.ready  ## start the app (PORT=8000 HOST=127.0.0.1)
	$(BIN)/chainlit run app.py --headless --host $(HOST) --port $(PORT)

test: .venv/dev.ready  ## run all but the slow tests: what to trust the product needs
	$(PYTEST) -m "not slow"

test-slow: .venv/dev.ready  ## run the slow tests: most of the browser, load, images
	$(PYTEST) -m slow

test-all: test test-slow  ## run all tests

test-model: .venv/dev.ready  ## test with a real language model (MODEL=qwen for a larger one)
	MODEL=$(MODEL) $(BIN)/python -m pytest tests/model

lint: .venv/dev.ready  ## check style, types and architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/folder_sizes.py

format: .venv/dev.ready  ## tidy the source
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/dev.ready  ## measure speed and memory (ONLY=name for one)
	$(BIN)/python -m benchmarks $(ONLY)

searxng:  ## start a SearXNG of your own without Docker, on port 8080
	@$(call need_python)
	$(PYTHON) deploy/searxng/start.py

browser: .venv/browser.ready  ## install what drives a headless Chrome, and say what is found
	$(BIN)/python -m websearch backends

doctor: .venv/app.ready  ## find out what is wrong with search and model
	$(BIN)/python -m agent doctor

docs: .venv/dev.ready  ## write the generated parts of docs/ anew
	UPDATE_DOCS=1 $(BIN)/python -m pytest -q tests/docs

screenshots: .venv/dev.ready  ## write a picture of each screen into docs/images
	PYTHONPATH=.:tests $(BIN)/python docs/screenshots.py

lock:  ## resolve the dependencies anew (needs uv)
	@test -n "$(UV)" || { echo "make lock needs uv: pip install uv" >&2; exit 1; }
	$(UV) pip compile $(LOCK) pyproject.toml --group build -o requirements.lock
	$(UV) pip compile $(LOCK) pyproject.toml --group build --extra browser -o requirements-browser.lock
	$(UV) pip compile $(LOCK) pyproject.toml --group build --group dev -o requirements-dev.lock
	$(UV) pip compile $(LOCK) --python-version 3.11 deploy/searxng/requirements.in -o deploy/searxng/requirements.lock
	echo xllamacpp | $(UV) pip compile $(LOCK) $(ALONE) --no-deps - -o benchmarks/models/server.lock
	echo 'litellm[proxy]' | $(UV) pip compile $(LOCK) $(ALONE) - -o tests/model/litellm.lock
	$(UV) pip compile $(LOCK) --python-version 3.11 deploy/supply/requirements.in -o deploy/supply/requirements.lock

sbom: .venv/supply.ready  ## list all packages and their licences (build/sbom.json, build/licences.md)
	@mkdir -p build
	.venv/supply/bin/cyclonedx-py requirements requirements.lock --of JSON --output-reproducible -o build/sbom.json
	.venv/supply/bin/pip-licenses --python $(BIN)/python --format markdown --with-urls --order license --output-file build/licences.md

audit: .venv/supply.ready  ## look for known weaknesses of the locked packages
	@echo "An index that has no advisories lets everything pass: see docs/operations.md#audit."
	.venv/supply/bin/pip-audit --disable-pip --require-hashes -r requirements.lock

clean:  ## remove environments and caches
	rm -rf .venv .searxng .models .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

ALONE = --python-version 3.11 --no-annotate
LOCK = --quiet --universal --generate-hashes --no-emit-index-url --custom-compile-command "make lock"

PROJECT = --no-deps --no-build-isolation --editable .

# Each set of packages has a mark, newer than its lock: nothing is installed twice.
# A larger set brings the smaller ones along. The project itself comes last: it brings
# `websearch-chat`, is built by a locked package, and downloads nothing.
.venv/app.ready: requirements.lock
	@$(call install,requirements.lock,app)
.venv/browser.ready: requirements-browser.lock
	@$(call install,requirements-browser.lock,app browser)
.venv/dev.ready: requirements-dev.lock
	@$(call install,requirements-dev.lock,app browser dev)

.venv/supply.ready: deploy/supply/requirements.lock .venv/app.ready
	@$(call need_python)
	$(PYTHON) -m venv --clear .venv/supply
	.venv/supply/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r deploy/supply/requirements.lock
	@touch $@

define need_python
test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed and was not found: install it, or name it with make PYTHON=/path/to/python3 …" >&2; exit 1; }
endef

define install
$(need_python); \
echo "Installing $(1) into .venv (once, about a minute) …"; \
if [ -n "$(UV)" ]; then \
	{ test -x $(BIN)/python || $(UV) venv --quiet --python "$(PYTHON)" .venv; } && \
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r $(1) && \
	$(UV) pip install --quiet --python $(BIN)/python $(PROJECT); \
else \
	{ test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv || { echo "python3 has no venv module: on Debian or Ubuntu, apt install python3-venv" >&2; exit 1; }; } && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1) && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PROJECT); \
fi && touch $(patsubst %,.venv/%.ready,$(2))
endef
