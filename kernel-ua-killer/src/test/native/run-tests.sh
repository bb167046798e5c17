#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the real-kernel tests: all of them, or those named, one after another, because they make memory pressure and
# measure time. Tests with the line "# beside others" near the top do neither: they run first, a few at a time. The
# options select one kind. Tests with the line "# long" run if they are named, or with UA_LONG=1. Each test makes its own cgroup, swap and pins, and removes them. A failed test runs once
# more, one at a time, unless it must never fail (outcomes.sh); a late test has failed. Last lines: "retried: TEST" for
# each test that passed only then, "failed: TEST" for each that did not pass, and "N passed, N failed, N skipped".
# Needs root and a built ua-killer (make -C ../../main/native).
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${UA_OUT:-$HERE/../../../target/native}
export UA_OUT=$OUT
TEST_SECONDS=90
LONG_TEST_SECONDS=420
RUN_SECONDS=540
BESIDE=4 # concurrently
[ -z "${UA_LONG:-}" ] || TEST_SECONDS=$LONG_TEST_SECONDS RUN_SECONDS=1380 # some tests do more then
# shellcheck source=kernel-ua-killer/src/test/native/outcomes.sh
. "$HERE/outcomes.sh"
case ${1:-} in
-h | --help)
  echo "usage: run-tests.sh [--alone | --beside-others] [TEST...]; tests:"
  for file in "$HERE"/tests/*.sh; do echo "  $(basename "$file" .sh): $(sed -n '1s/^# //p' "$file")"; done
  exit 0
  ;;
esac
[ -x "$OUT/ua-killer" ] || { echo "no $OUT/ua-killer: run make -C $HERE/../../main/native first" >&2; exit 2; }
# The kernel may refuse even maps, as in most containers; if it refuses programs, that is tier 3, which the tests
# detect.
UA_REFUSED=$("$OUT/ua-killer" self-test 2>&1 | grep -o "refuses even BPF maps.*" || true)
export UA_REFUSED
outputs=$(mktemp -d)
output=$outputs/alone
# An interrupted run leaves nothing behind: the running tests clean up.
running='' beside_others=()
end() {
  local pid
  for pid in $running "${beside_others[@]}"; do kill "$pid" && wait "$pid"; done 2>/dev/null || true
}
trap 'end; rm -rf "$outputs"' EXIT
trap 'exit 143' TERM INT HUP

is_long() { grep -q '^# long' "$HERE/tests/$1.sh"; } # test

# Runs a test and shows its output, with the seconds it took. The verdict is in `line`.
run() { # test
  local began=${EPOCHREALTIME//[!0-9]/} limit=$((RUN_SECONDS - SECONDS)) most=$TEST_SECONDS code=0 took
  if [ $limit -le 0 ]; then
    line="FAIL $1: not started, the $RUN_SECONDS s of the whole run are over"
    echo "$line"
    return
  fi
  ! is_long "$1" || most=$LONG_TEST_SECONDS
  [ $limit -lt $most ] || limit=$most
  # shellcheck disable=SC2016 # expanded by the inner shell
  TEST=$1 timeout --kill-after=20 $limit \
    bash -c '. "$0/lib.sh"; . "$0/tests/$TEST.sh"; fail "ended without a verdict"' "$HERE" </dev/null >"$output" 2>&1 &
  running=$!
  wait "$running" || code=$?
  running=
  case $code in
  124 | 137)
    # It may have printed its verdict without exiting. A failure stays one, so that a wrong death is not retried.
    sed -i "s/^\(PASS\|SKIP\) /  &/" "$output"
    echo "FAIL $1: not finished after $limit s" >>"$output"
    ;;
  esac
  line=$(verdict "$output" "$1")
  if [ -z "$line" ]; then
    line="FAIL $1: no verdict, exit code $code"
    echo "$line" >>"$output"
  fi
  took=$(((${EPOCHREALTIME//[!0-9]/} - began) / 100000))
  sed "s/^\(PASS\|FAIL\|SKIP\) $1\(:\|\$\)/\1 $1 ($((took / 10)).$((took % 10)) s)\2/" "$output"
}

one_beside() { # test
  trap end EXIT
  trap 'exit 143' TERM INT HUP
  beside_others=()
  output=$outputs/$1.output
  run "$1" >"$outputs/$1.shown"
  echo "$line" >"$outputs/$1.line"
}

# Runs these tests concurrently, and shows the output of each when all have ended.
run_beside() { # test...
  local name
  for name in "$@"; do
    while [ "$(jobs -pr | wc -l)" -ge $BESIDE ]; do wait -n || true; done
    one_beside "$name" &
    beside_others+=($!)
  done
  wait
  beside_others=()
  for name in "$@"; do cat "$outputs/$name.shown"; done
}

# Judges a test by the verdict of its first attempt, and runs it again if that is permitted.
judge() { # test
  local attempt=1 file=$HERE/tests/$1.sh
  if may_retry "$file" "$line" && [ $SECONDS -lt $RUN_SECONDS ]; then
    attempt=2
    run "$1"
  fi
  count "$1" "$line" $attempt
}

kind=
case ${1:-} in
--alone | --beside-others)
  kind=$1
  shift
  ;;
esac
if [ $# = 0 ]; then
  for name in $(basename -s .sh -a "$HERE"/tests/*.sh); do
    if [ -n "${UA_LONG:-}" ] || ! is_long "$name"; then set -- "$@" "$name"; fi
  done
fi
beside=() alone=()
for name in "$@"; do
  file=$HERE/tests/$name.sh
  [ -f "$file" ] || { echo "no test $name; see run-tests.sh --help" >&2; exit 2; }
  if grep -q '^# beside others' "$file"; then beside+=("$name"); else alone+=("$name"); fi
done
case $kind in
--alone) beside=() ;;
--beside-others) alone=() ;;
esac
run_beside "${beside[@]}"
for name in "${beside[@]}"; do
  read -r line <"$outputs/$name.line"
  judge "$name"
done
for name in "${alone[@]}"; do
  run "$name"
  judge "$name"
done
conclude
