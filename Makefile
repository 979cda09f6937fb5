# Gopherlo. `make` lists the targets; `make demo` is the place to start.
#
# Everything is written below build/, except: Go's own caches, the PJRT plugin
# (a user's data folder, shared by all checkouts), and what `make install` says.

GO     ?= go
PYTHON ?= python3
PREFIX ?= $(HOME)/.local
# Jupyter's folder of the user, or that of another PREFIX.
KERNELS = $(if $(filter-out $(HOME)/.local,$(PREFIX)),--prefix "$(PREFIX)")

BUILD    := build
GOPHERLO := $(BUILD)/bin/gopherlo
VENV     := $(BUILD)/venv
PY       := $(VENV)/bin/python
NOTEBOOK := notebooks/01-controlling-xla.ipynb
GO_DIRS  := cells cmd display install internal interp jaxlike kernel metadata xla
TOOL      = $(GO) tool -modfile=.ci/tools.mod

export GO PYTHON
# pip: quiet about itself, and no question is ever asked.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export PIP_NO_INPUT := 1
# Jupyter: the project's own folders only.
JUPYTER_ENV := JUPYTER_PATH="$(CURDIR)/$(BUILD)/jupyter/share/jupyter" \
	JUPYTER_DATA_DIR="$(CURDIR)/$(BUILD)/jupyter/data" \
	JUPYTER_CONFIG_DIR="$(CURDIR)/$(BUILD)/jupyter/config" \
	JUPYTER_RUNTIME_DIR="$(CURDIR)/$(BUILD)/jupyter/runtime" \
	JUPYTER_PLATFORM_DIRS=1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- running -----------------------------------------------------------------

.PHONY: demo
demo: preflight venv build plugin kernelspec ## build, install the plugin, run the first notebook with a real client
	@echo "== running $(NOTEBOOK)"
	@$(PY) notebooks/run.py $(NOTEBOOK) --html $(BUILD)/01-controlling-xla.html

.PHONY: lab
lab: preflight venv build plugin kernelspec $(VENV)/.ready-lab ## JupyterLab with the kernel, on the notebooks
	cd notebooks && $(JUPYTER_ENV) ../$(PY) -m jupyterlab $(LAB_FLAGS)

.PHONY: install
install: preflight-build ## build, copy the program to PREFIX/bin and tell the user's Jupyter
	CGO_ENABLED=1 $(GO) build -o $(GOPHERLO) ./cmd/gopherlo
	install -d "$(PREFIX)/bin"
	install -m 755 $(GOPHERLO) "$(PREFIX)/bin/gopherlo"
	GOPHERLO_SOURCE="$(CURDIR)" $(GOPHERLO) source "$(PREFIX)/share/gopherlo/src.zip"
	"$(PREFIX)/bin/gopherlo" install $(KERNELS)
	@echo "Now once: $(PREFIX)/bin/gopherlo plugin install cpu"

.PHONY: uninstall
uninstall: ## take back what install did
	-"$(PREFIX)/bin/gopherlo" uninstall $(KERNELS)
	rm -f "$(PREFIX)/bin/gopherlo" "$(PREFIX)/share/gopherlo/src.zip"

# ---- the parts of the set-up; each does only what is not done yet --------------

.PHONY: preflight preflight-build
preflight:
	@.ci/preflight
preflight-build:
	@command -v $(GO) >/dev/null || { echo "Go 1.26 or newer is needed: https://go.dev/dl/" >&2; exit 1; }

.PHONY: build
build: ## build the program
	@echo "== building $(GOPHERLO)"
	@CGO_ENABLED=1 $(GO) build -o $(GOPHERLO) ./cmd/gopherlo

.PHONY: venv
venv: $(VENV)/.ready

$(VENV)/.ready: notebooks/requirements.txt
	@echo "== creating $(VENV) with a Jupyter client (half a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet -r $<
	@touch $@

$(VENV)/.ready-lab: notebooks/requirements-lab.txt notebooks/lab-settings.json $(VENV)/.ready
	@echo "== installing JupyterLab into $(VENV) (a minute or two)"
	@$(PY) -m pip install --quiet -r $<
	@install -d $(VENV)/share/jupyter/lab/settings/overrides.d
	@install -m 644 notebooks/lab-settings.json $(VENV)/share/jupyter/lab/settings/overrides.d/gopherlo.json
	@touch $@

$(VENV)/.ready-test: notebooks/requirements-test.txt $(VENV)/.ready
	@echo "== installing Jupyter's kernel tests into $(VENV)"
	@$(PY) -m pip install --quiet -r $<
	@touch $@

$(VENV)/.ready-browser: notebooks/requirements-browser.txt $(VENV)/.ready
	@echo "== installing the browser test's packages into $(VENV)"
	@$(PY) -m pip install --quiet -r $<
	@touch $@

.PHONY: plugin
plugin: build venv
	@echo "== the PJRT plugin for the CPU"
	@$(GOPHERLO) plugin install cpu --python $(PY)

.PHONY: kernelspec
kernelspec: build
	@$(GOPHERLO) install --prefix $(BUILD)/jupyter

.PHONY: wheel wheel-test
wheel: preflight-build ## build the Python wheel, with the program and the kernelspec, into build/dist
	@$(PYTHON) scripts/wheel.py
wheel-test: wheel ## install the wheel into an empty environment with JupyterLab and run the first notebook
	@$(PYTHON) scripts/wheel_test.py

# ---- testing -----------------------------------------------------------------

.PHONY: test
test: preflight venv build plugin kernelspec $(VENV)/.ready-test ## all tests but browser, fuzzing and long faults, about 10 minutes
	@$(PY) .ci/test.py

.PHONY: test-full
test-full: preflight venv build plugin kernelspec $(VENV)/.ready-test $(VENV)/.ready-browser ## test, and browser, fuzzing (60 s each), long faults
	@$(PY) .ci/test.py --full

.PHONY: browser-setup
browser-setup: $(VENV)/.ready-browser

.PHONY: test-no-plugin
test-no-plugin: preflight venv build kernelspec ## the notebook's text cells with no PJRT plugin
	@$(PY) notebooks/run.py $(NOTEBOOK) --no-plugin --quiet

.PHONY: cuda-smoke
cuda-smoke: build venv ## on a machine with an NVIDIA GPU: install the CUDA plugin, run a matmul, an option, an error
	@PYTHON_FOR_PIP=$(PY) .ci/cuda-smoke

.PHONY: test-short
test-short: ## the inner loop: pure Go packages, no cgo, no plugin
	CGO_ENABLED=0 PJRT_PLUGIN_LIBRARY_PATH=none $(GO) test -short $(PKG_NO_CGO)
PKG_NO_CGO ?= ./cells ./kernel/... ./interp/... ./jaxlike/... ./metadata/... ./display/... ./xla/hlo/... ./xla/stablehlo/... ./xla/hloconv/... ./internal/...

.PHONY: notebooks
notebooks: venv build plugin kernelspec ## run the notebooks and store their outputs
	@$(PY) notebooks/run.py $(NOTEBOOK) --save

.PHONY: bench
bench: ## run the benchmarks; compare two files with `make benchstat OLD=… NEW=…`
	@mkdir -p $(BUILD)
	$(GO) test -run '^$$' -bench . -benchmem -count $${COUNT:-6} $${PKG:-./...} | tee $(BUILD)/bench.txt

.PHONY: benchstat
benchstat:
	$(TOOL) benchstat $(OLD) $(NEW)

# ---- checking ----------------------------------------------------------------

.PHONY: check
check: fmt-check vet staticcheck arch generate-check ## format, vet, staticcheck, import rules, generated files

.PHONY: fmt
fmt: ## format the Go files
	$(TOOL) gofumpt -w $(wildcard $(GO_DIRS))

.PHONY: fmt-check
fmt-check:
	@out=$$($(TOOL) gofumpt -l $(wildcard $(GO_DIRS))) && { [ -z "$$out" ] || { echo "not formatted (make fmt):"; echo "$$out"; exit 1; }; }

.PHONY: vet staticcheck arch
vet:
	$(GO) vet ./...
staticcheck:
	@mkdir -p $(BUILD)/bin
	@$(GO) build -modfile=.ci/tools.mod -o $(BUILD)/bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	$(BUILD)/bin/staticcheck ./...
arch:
	$(GO) test ./internal/archtest

.PHONY: lint
lint: ## golangci-lint with all linters; the first run builds it (about two minutes)
	@mkdir -p $(BUILD)/bin
	$(GO) build -modfile=.ci/tools.mod -o $(BUILD)/bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	$(BUILD)/bin/golangci-lint run

.PHONY: generate generate-check
generate: ## write the generated files again
	$(GO) generate ./...
generate-check: ## fail when a generated file is stale
	.ci/generated

.PHONY: clean
clean: ## remove build/
	rm -rf $(BUILD)
