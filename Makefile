# `run` needs Go and Node and nothing else; `test` installs what it needs by itself (scripts/setup).

PORT ?= 8080
WASM := GOOS=js GOARCH=wasm
GO_IN_NODE = $(WASM) go test -exec="$$(go env GOROOT)/lib/wasm/go_js_wasm_exec"

.PHONY: run build release generate setup test test-go test-wasm test-ts e2e site contracts check vectors bench build/bench figures

# The console on this machine: http://localhost:8080/ (make run PORT=8081 for another port).
run: build
	@go run ./web/serve -dir dist -port $(PORT)

build:
	@go run ./web/build -out dist

# As build, with the smallest files; compressing takes about half a minute.
release:
	@go run ./web/build -out dist -release

# Brings committed generated files up to date, each after what it is made from.
generate: setup
	go run ./core/protocol/gen -out sandboxhost/bootstrap/src/protocol.gen.ts
	go run ./sandboxhost/bootstrap/bundle
	go run ./web/gen

setup:
	@scripts/setup

test: setup test-go test-wasm test-ts e2e

test-go:
	go test ./...

# The same core as wasm, and the border to JavaScript, under Node.
test-wasm:
	$(GO_IN_NODE) ./core/canon ./core/tool ./core/registry ./core/task ./core/shelf ./core/grant ./core/audit ./core/secret ./core/storage ./core/archive ./core/protocol ./core/policy ./core ./wasm/jsbind ./wasm/browser ./wasm/browser/store ./wasm/browser/urls

test-ts: setup
	go run ./sandboxhost/bootstrap/bundle -tests
	node --test build/ts-tests/
	node --test internal/identity/identity.test.mjs

# What `run` serves, beside the pages of the specs, and for positive controls an engine and frames whose guards can be turned off.
site:
	@go run ./web/build -out build/site
	@$(WASM) go build -trimpath -tags controls -ldflags='-s -w' -o build/site/taskyon-controls.wasm ./wasm
	@cp e2e/pages/* build/site/
	@go run ./sandboxhost/bootstrap/bundle -weaken build/site/frames

e2e: setup site
	npx playwright test

# The security contracts in three engines, see SECURITY.md. CONTROLS=1 turns each guard off in turn, ENGINES and ONLY choose some.
contracts: site
	@scripts/setup-browsers
	@go run ./internal/contracts -out build/site/contracts.json
	@rm -rf build/contracts build/site/contracts
	@npx tsc -p e2e/contracts
	@cp -r build/contracts/page build/site/contracts
	@node build/contracts/main.js

# Format, vet for both targets, types, and generated files that are what their sources say. Doors are a Go test.
check: setup
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	go vet ./...
	$(WASM) go vet ./core/... ./sandboxhost/ ./sandboxhost/bootstrap/ ./wasm/... ./web/...
	$(WASM) go vet -tags controls ./sandboxhost/
	go test -count=1 .
	npx tsc --noEmit -p .
	npx tsc --noEmit -p sandboxhost/bootstrap
	npx tsc --noEmit -p sandboxhost/bootstrap/test
	npx tsc --noEmit -p e2e
	go run ./core/protocol/gen -check
	go run ./sandboxhost/bootstrap/bundle -check
	go run ./web/gen -check
	go mod verify >/dev/null

vectors:
	@go run ./internal/vectors

# What the pages of bench and figures load.
build/bench: setup site
	@mkdir -p build/bench
	@$(WASM) go build -trimpath -ldflags='-s -w' -o build/bench/empty.wasm ./bench/empty
	@$(WASM) go build -trimpath -ldflags='-s -w' -o build/bench/policy.wasm ./bench/policy
	@go build -o build/bench/remote ./bench/remote
	@cp build/site/taskyon.wasm build/site/taskyon.js build/site/wasm_exec.js bench/pages/* build/bench/
	@cp node_modules/canonicalize/lib/canonicalize.js build/bench/
	@cp node_modules/hash-wasm/dist/index.esm.min.js build/bench/hash-wasm.js
	@mkdir -p build/bench/peers/codemode build/bench/peers/quickjs/ffi build/bench/peers/quickjs/wasm
	@cp node_modules/@cloudflare/codemode/dist/*.js node_modules/acorn/dist/acorn.mjs build/bench/peers/codemode/
	@cp node_modules/quickjs-emscripten-core/dist/*.mjs build/bench/peers/quickjs/
	@cp node_modules/@jitl/quickjs-ffi-types/dist/*.mjs build/bench/peers/quickjs/ffi/
	@cp node_modules/@jitl/quickjs-wasmfile-release-sync/dist/*.mjs node_modules/@jitl/quickjs-wasmfile-release-sync/dist/*.wasm build/bench/peers/quickjs/wasm/

# Ratios against raw baselines of the same page and run; raw samples are kept in bench/samples.
bench: build/bench
	@node bench/run.mjs

# What a tool can do to its page, in three engines: stalls, kills, memory. ENGINES chooses some. About five minutes an engine.
figures: build/bench
	@scripts/setup-browsers
	@npx tsc -p e2e/contracts
	@node bench/figures.mjs
