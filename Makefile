# Streamwright. `make help` lists what there is.
PYTHON ?= python3
PY := .venv/bin/python
NPM = $(PY) -m webapp.local.npm
OPENAPI = $(PY) manage.py export_openapi_schema --api webapp.api.api --output .run/openapi.json
INSTALL = PYTHONPATH=webapp $(PYTHON) -m local.install
# empty, whatever the machine says: a product is many processes, and each would compile all its imports again
# With compiled modules a warm start takes 13.5 s instead of 26.7 on two slow cores.
export PYTHONDONTWRITEBYTECODE =

# Tests that failed beside real processes run once more, on fresh ones: on a busy machine one of a thousand misses its
# time, and the next lanes should still run. The first failure stays in the output, and a fault fails twice.
lane = $(PY) -m pytest --lane $(1) -o cache_dir=.run/cache/pytest-$(1) $(2) || $(PY) -m pytest --lane $(1) -o cache_dir=.run/cache/pytest-$(1) --lf

LANES = test-quick test-slow
SLOW = test-browser test-spark test-services test-proof test-cluster

.DEFAULT_GOAL := help
.PHONY: help run test test-quick test-slow test-pure $(SLOW) test-python test-pages \
  check check-python check-pages check-types check-lint check-kernel check-rules coverage mutants bench package docs pictures types soak worker-bundle \
  clean install install-dev requirements

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{printf "  make %-13s %s\n", $$1, $$2}'

run: install ## install, start everything, print the address; Ctrl-C stops
	@exec $(PY) manage.py up

test: ## install, check, and run every lane of tests; the first failure ends it
	@times=; for lane in $(LANES); do \
	  start=$$(date +%s); \
	  $(MAKE) --no-print-directory $$lane || { echo "$$times\n$$lane FAILED"; exit 1; }; \
	  times="$$times\n$$lane passed in $$(($$(date +%s) - start)) s"; \
	done; printf "$$times\n"

test-quick: install-dev ## check and test-pure side by side: the checks alone leave a third of the processors idle
	@$(MAKE) --no-print-directory -j3 --output-sync check-lint check-python check-pages check-kernel test-python test-pages

test-pure: install-dev ## tests that start nothing, and those of the page
	@$(MAKE) --no-print-directory -j2 --output-sync test-python test-pages

test-slow: install-dev ## the other lanes, two at a time: most of them alone leave a third of the processors idle
	@$(MAKE) --no-print-directory -j2 --output-sync $(SLOW)

test-services: install-dev ## tests with Postgres, Redis, Kafka and other processes
	$(call lane,services,-n 3 --dist loadfile --no-loadscope-reorder)

test-proof: install-dev ## the whole product, killed and compared with an oracle
	$(call lane,proof,)

test-spark: install-dev ## tests with Spark
	$(call lane,spark,-n 2 --dist loadfile --no-loadscope-reorder)

test-browser: install-dev ## journeys through the page in a real Chromium
	$(call lane,browser,)

test-cluster: install-dev ## tests on a Spark cluster with HDFS, its hosts made of network namespaces
	$(call lane,cluster,)

test-python:
	$(PY) -m pytest --lane pure -n auto

test-pages:
	$(NPM) test

check: install-dev ## ruff, mypy, import-linter, eslint, tsc, the page's types, cycles, links and figures
	@$(MAKE) --no-print-directory -j2 --output-sync check-lint check-python check-pages check-kernel check-rules

check-python:
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) .venv/bin/lint-imports

check-pages: check-types
	$(NPM) run typecheck

check-types:
	$(OPENAPI)
	$(NPM) run types -- --check "$$PWD/.run/openapi.json"

check-lint:
	$(NPM) run lint

# tests of the lane `pure` that look at imports and the documents; test-quick runs them with the others
# the kernel, where cargo is; cargo-deny where it is installed
check-kernel: install-dev
	@export CARGO_TARGET_DIR="$$PWD/.run/kernel" && cd runner/kernel && if command -v cargo >/dev/null; then \
	  cargo fmt --check && cargo clippy -q --release --all-targets --locked -- -D warnings && \
	  { ! command -v cargo-deny >/dev/null || cargo deny -L error check; }; \
	else echo "cargo is not installed: the kernel is not checked"; fi

check-rules:
	$(PY) -m pytest -q --lane pure tests/test_imports.py tests/docs
	$(NPM) test -- src/imports.test.ts

coverage: install-dev ## which lines of the pure rooms the pure tests reach
	COVERAGE_FILE=.run/coverage $(PY) -m pytest -q --lane pure -n auto --cov=designer --cov=runner/engine --cov-report=term:skip-covered

mutants: install-dev ## change the code of pure rooms and see whether a test fails: make mutants SEED=1 COUNT=300
	.run/boot/bin/uv venv -q --allow-existing .run/mutants
	.run/boot/bin/uv pip sync -q --require-hashes --build-constraints requirements/run.txt \
	  --python .run/mutants/bin/python requirements/run.txt requirements/docs.txt requirements/mutants.txt
	.run/mutants/bin/python -m tests.mutants --seed "$(or $(SEED),1)" --count "$(or $(COUNT),300)"

bench: install-dev ## measure, and keep the figures in docs/benchmarks.json
	$(PY) -m tests.bench

package: install ## build the wheel of this version into .run/package; tags of git say which version it is
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	printf '[build]\nbuild_base = %s\n[egg_info]\negg_base = %s\n' $$work $$work > $$work/elsewhere.cfg; \
	DIST_EXTRA_CONFIG=$$work/elsewhere.cfg .run/boot/bin/uv build -q --wheel --no-build-isolation --python $(PY) -o .run/package
	@ls .run/package

docs: install ## build the site of docs/ into .run/site; broken links fail
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build -q

pictures: install-dev ## retake the README's screenshots
	$(PY) -m tests.pictures

types: install-dev ## generate the browser's types and values from the server
	$(OPENAPI)
	$(NPM) run types -- "$$PWD/.run/openapi.json"
	$(PY) manage.py shell --no-imports -c "import webapp.page_values as p; print(p.write_typescript(), end='')" > frontend/src/api/values.ts

worker-bundle: install ## make the archives that runs send to the workers of a Spark cluster
	$(PY) -m runner.spark.session.worker_files .run/workers

soak: install-dev ## random cases and faults: make soak SEED=1 COUNT=100 PUBLIC_SCHEMAS=folder
	$(PY) -m tests.soak --seed "$(or $(SEED),random)" --count "$(or $(COUNT),100)" $(if $(PUBLIC_SCHEMAS),--public-schemas "$(PUBLIC_SCHEMAS)")

clean: ## remove .run, .venv and built pages, data included (asks first)
	@printf 'Remove .venv, frontend/node_modules, frontend/dist and .run with all its data? [y/N] ' && read answer && [ "$$answer" = y ]
	rm -rf .venv .run frontend/node_modules frontend/dist

install: ## only install what running needs
	@$(INSTALL)

install-dev: ## only install what checks and tests need
	@$(INSTALL) --dev

requirements: install-dev ## renew the pins of requirements/*.in
	.run/boot/bin/uv pip compile -q --upgrade --no-deps --python-version 3.12 --only-binary :all: \
	  --generate-hashes --no-header --no-annotate requirements/redis.in -o requirements/redis.txt
	for part in tools run docs dev mutants; do .run/boot/bin/uv pip compile -q --upgrade --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-annotate requirements/$$part.in -o requirements/$$part.txt || exit 1; done
	.run/boot/bin/uv pip compile -q --upgrade --no-deps --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-annotate requirements/s3.in -o requirements/s3.txt
