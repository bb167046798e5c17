# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that slow the helper's main thread down with strace: in tier 3 it samples one container.
command -v strace >/dev/null || skip "no strace"
begin 128 0
load --tier 3
only=$(container only)
watched "$only"
samples() { ua samples "$only" 2>/dev/null | wc -l; }
start_helper # awake for 5 s at first, with or without memory pressure
await 4 at_least 2 samples || void "it does not sample"
