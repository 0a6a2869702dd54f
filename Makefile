# SPDX-License-Identifier: GPL-2.0-only
#
# Everything is built into out/; the lab's roots and kernels lie in the user's
# cache (see docs/lab.md). Each target sets up what it needs.

PREFIX ?= /usr/local
DESTDIR ?=
CC = gcc
CFLAGS = -O2 -g
SAN_FLAGS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
STRICT = -std=gnu11 -Wall -Wextra -Werror
CPPFLAGS = -I. -Ilib -Icli -Icore -Iuapi -Iout/obj/bpf
CLANG = clang
BPF_ARCH = $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(shell uname -m)))
BPFTOOL = $(shell PATH=$$PATH:/usr/sbin:/sbin command -v bpftool)

# As many jobs as CPUs, unless a number was given.
ifeq (,$(filter -j% --jobserver%,$(MAKEFLAGS)))
MAKEFLAGS += -j$(shell nproc)
endif

VERSION := $(shell sed -n 's/^\#define IRQPACE_VERSION "\(.*\)"/\1/p' cli/cli.h)
KERNELS := $(shell sed -e 's/\#.*//' lab/kernels | awk 'NF { print $$1 }')
MODULES := $(KERNELS:%=out/kmod/%/.built)

# Asked when they are used: on a fresh machine pkg-config comes with the set-up.
PKGS = libmnl jansson smartcols libbpf ncursesw
LIBS = $(shell pkg-config --libs $(PKGS)) -lm
LIBS_CFLAGS = $(shell pkg-config --cflags $(PKGS))

USER_SRC := $(wildcard lib/*.c cli/*.c)
LIB_SRC := $(wildcard lib/*.c)
CORE_SRC := $(wildcard core/*.c)
BPF_SRC := $(wildcard bpf/*.bpf.c)
BPF_SKEL := $(BPF_SRC:bpf/%.bpf.c=out/obj/bpf/%.skel.h)
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT := $(UNIT_SRC:%.c=out/%)
UNIT_SAN := $(UNIT_SRC:%.c=out/san/%)

FUZZ := $(patsubst tests/fuzz/%.c,out/fuzz/%,$(wildcard tests/fuzz/*.c))

FAST_TESTS = $(UNIT) $(UNIT_SAN) $(sort $(wildcard tests/cli/*.sh)) \
	$(sort $(wildcard tests/meta/*.sh)) tests/fuzz/run.sh
GUEST_TESTS = $(sort $(wildcard tests/guest/*.sh)) $(sort $(wildcard tests/bench/*.sh))

.PHONY: all irqpace modules check check-fast check-guest check-mutants check-storm demo bench-count \
	install uninstall clean help host host-build
.DELETE_ON_ERROR:
.SECONDARY:

all: out/irqpace modules

help:
	@printf '%s\n' \
	'make                out/irqpace and the modules for every kernel of lab/kernels' \
	'make irqpace        out/irqpace alone' \
	'make demo           compare the policies on NVMe, AHCI and UFS in a guest' \
	'make check-fast     the tests that need no guest (under 2 minutes)' \
	'make check          all tests (under 40 minutes on 2 cores)' \
	'make check-storm    100,000 changes of policy under verified load' \
	'make check-mutants  take out one rule after the other: each has to be noticed' \
	'make bench-count    the figures, counted in instructions: out/bench/results.json' \
	'make install        the command, its man pages, and the module by DKMS (as root;' \
	'                    PREFIX=$(PREFIX), DESTDIR is honoured)' \
	'make uninstall      takes these away again' \
	'make clean          removes out/ (the lab stays in the cache)'

# Packages of this machine, installed where they are missing.
host-build:
	@lab/setup build

host: host-build
	@lab/setup host

irqpace: out/irqpace

# clang's own headers: a BPF program must not see the machine's libc.
out/obj/bpf/%.bpf.o: bpf/%.bpf.c Makefile | host-build
	@mkdir -p $(@D)
	$(CLANG) -target bpf -mcpu=v3 -O2 -g -std=gnu11 -Wall -Wextra -Werror -Wno-unused-parameter \
		-ffreestanding -D__TARGET_ARCH_$(BPF_ARCH) -I/usr/include/$$($(CC) -dumpmachine) \
		-MMD -MP -c -o $@ $<

out/obj/bpf/%.skel.h: out/obj/bpf/%.bpf.o
	$(BPFTOOL) gen object out/obj/bpf/$*.linked.o $<
	$(BPFTOOL) gen skeleton out/obj/bpf/$*.linked.o name $*_bpf >$@

$(USER_SRC:%.c=out/obj/%.o) $(USER_SRC:%.c=out/san/obj/%.o): | $(BPF_SKEL)

out/obj/%.o: %.c Makefile | host-build
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(CFLAGS) $(CPPFLAGS) $(LIBS_CFLAGS) -MMD -MP -c -o $@ $<

out/san/obj/%.o: %.c Makefile | host-build
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(SAN_FLAGS) $(CPPFLAGS) $(LIBS_CFLAGS) -MMD -MP -c -o $@ $<

# Remade whole, so that a source that went away does not stay in it.
out/obj/libpace.a: $(LIB_SRC:%.c=out/obj/%.o) $(CORE_SRC:%.c=out/obj/%.o)
	@rm -f $@
	ar rcs $@ $^

out/san/obj/libpace.a: $(LIB_SRC:%.c=out/san/obj/%.o) $(CORE_SRC:%.c=out/san/obj/%.o)
	@rm -f $@
	ar rcs $@ $^

out/irqpace: $(USER_SRC:%.c=out/obj/%.o) out/obj/libpace.a
	$(CC) $(CFLAGS) -o $@ $^ $(LIBS)

out/san/irqpace: $(USER_SRC:%.c=out/san/obj/%.o) out/san/obj/libpace.a
	$(CC) $(SAN_FLAGS) -o $@ $^ $(LIBS)

out/tests/unit/%: out/obj/tests/unit/%.o out/obj/libpace.a | host
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka $(LIBS)

out/san/tests/unit/%: out/san/obj/tests/unit/%.o out/san/obj/libpace.a | host
	@mkdir -p $(@D)
	$(CC) $(SAN_FLAGS) -o $@ $^ -lcmocka $(LIBS)

$(UNIT_SRC:%.c=out/obj/%.o) $(UNIT_SRC:%.c=out/san/obj/%.o): | host

# What the fuzz targets reach of lib/; the linker says when a file is missing here.
FUZZ_LIB = device dist dist_write duration errmsg json lines lines_counts lines_merge nearest nl \
	nl_decode nl_event nl_types nlattr pci policy proc_interrupts rootfs selector \
	selector_find utf8 xalloc
FUZZ_FLAGS = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer

out/fuzz/obj/%.o: %.c Makefile | host
	@mkdir -p $(@D)
	$(CLANG) $(STRICT) $(FUZZ_FLAGS) $(CPPFLAGS) $(LIBS_CFLAGS) -MMD -MP -c -o $@ $<

out/fuzz/%: out/fuzz/obj/tests/fuzz/%.o $(FUZZ_LIB:%=out/fuzz/obj/lib/%.o)
	$(CLANG) -fsanitize=fuzzer,address,undefined -o $@ $^ -lmnl -ljansson -lm

# Programs that tests run, here or in a guest.
TOOLS := $(patsubst %.c,out/%,$(wildcard tests/tools/*.c))
TOOLS_SAN := out/san/tests/tools/top-sim

out/tests/tools/%: out/obj/tests/tools/%.o out/obj/libpace.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LIBS)

out/san/tests/tools/%: out/san/obj/tests/tools/%.o out/san/obj/libpace.a
	@mkdir -p $(@D)
	$(CC) $(SAN_FLAGS) -o $@ $^ $(LIBS)

# The folders stand for files that come and go.
KERNEL_SRC := $(wildcard core uapi kmod kmod/compat synth core/*.[ch] uapi/*.h kmod/*.[ch] \
	kmod/Kbuild kmod/compat/* synth/compat synth/compat/* synth/*.[ch] synth/Kbuild)

modules: $(MODULES)

out/kmod/%/.built: $(KERNEL_SRC) lab/build-modules lab/in-root | host
	lab/build-modules $*
	@touch $@

check-fast: out/irqpace out/san/irqpace $(TOOLS) $(TOOLS_SAN) $(UNIT) $(UNIT_SAN) $(FUZZ) | host
	@tests/run $(FAST_TESTS)

check-guest: all $(TOOLS) | host
	@tests/run $(GUEST_TESTS)

# The fuzzers are a test among others, and a long one here.
check: export IRQPACE_FUZZ_SECONDS ?= 60
check: all $(TOOLS) $(TOOLS_SAN) out/san/irqpace $(UNIT) $(UNIT_SAN) $(FUZZ) | host
	@tests/run $(FAST_TESTS) $(GUEST_TESTS)

# As many changes of policy as the module has to stand.
check-storm: all $(TOOLS) | host
	IRQPACE_CHANGES=$${IRQPACE_CHANGES:-100000} tests/guest/devices.sh

check-mutants: all | host
	@tests/mutants/run

demo: out/irqpace out/kmod/$(firstword $(KERNELS))/.built
	@lab/demo

bench-count: out/irqpace out/kmod/$(firstword $(KERNELS))/.built
	@lab/bench-count

install: out/irqpace
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' dkms/install add

uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' dkms/install remove

clean:
	rm -rf out

-include $(wildcard out/obj/*/*.d out/obj/*/*/*.d out/san/obj/*/*.d out/san/obj/*/*/*.d out/fuzz/obj/*/*.d \
	out/fuzz/obj/*/*/*.d)
