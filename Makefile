# A thin front: the build itself is CMakeLists.txt and CMakePresets.json.
#
#   make            build/release/ridge
#   make demo       the same, and the main job shown on the built-in catalogue
#   make check      every test and gate, as CI runs them
#   make perf       how fast it is
#   make accuracy   how far off it is: docs/accuracy.md and the ledger of the test
#   make coverage   which lines the tests reach
#   make format     lay out the sources
#   make install    to PREFIX (/usr/local), under DESTDIR if given
#   make clean
PREFIX ?= /usr/local
SHELL := /bin/sh
.PHONY: all demo check perf accuracy coverage format install clean

all:
	@tools/install-packages.sh build
	@tools/build.sh release

demo: all
	@tools/demo.sh build/release/ridge

check:
	@tools/install-packages.sh build check
	@tools/check.sh

perf: all
	@cmake --build build/release --target perf >/dev/null
	@build/release/perf

accuracy: all
	@tests/accuracy/run.sh build/release/ridge --left-out
	@tests/accuracy/run.sh build/release/ridge --bless

coverage:
	@tools/install-packages.sh build check coverage
	@tools/build.sh coverage
	@ctest --preset coverage -j "$$(nproc)" >/dev/null
	@gcovr --root . --filter src/ --filter cli/ --object-directory build/coverage

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all
	@cmake --install build/release --prefix "$(PREFIX)"

clean:
	rm -rf build
