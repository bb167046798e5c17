#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the real-kernel tests: all of them, or those named, one after another, because they make memory pressure and measure
# time. Each makes its own cgroup, swap and pins, and removes them. What fails runs once more, unless it must never fail
# (outcomes.sh); what is late has failed. Last lines: "retried: TEST" for each that passed only then, "failed: TEST" for each
# that did not, and "N passed, N failed, N skipped". Needs root and a built ua-killer (make -C ../../main/native).
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${UA_OUT:-$HERE/../../../target/native}
export UA_OUT=$OUT
TEST_SECONDS=90
RUN_SECONDS=540
[ -z "${UA_LONG:-}" ] || TEST_SECONDS=420 RUN_SECONDS=1380 # some tests do more then
# shellcheck source=kernel-ua-killer/src/test/native/outcomes.sh
. "$HERE/outcomes.sh"
case ${1:-} in
-h | --help)
  echo "usage: run-tests.sh [TEST...]; tests:"
  for file in "$HERE"/tests/*.sh; do echo "  $(basename "$file" .sh): $(sed -n '1s/^# //p' "$file")"; done
  exit 0
  ;;
esac
[ -x "$OUT/ua-killer" ] || { echo "no $OUT/ua-killer: run make -C $HERE/../../main/native first" >&2; exit 2; }
# The kernel may refuse even maps, as in most containers; a refused program is tier 3, which the tests would notice.
UA_REFUSED=$("$OUT/ua-killer" self-test 2>&1 | grep -o "refuses even BPF maps.*" || true)
export UA_REFUSED
output=$(mktemp)
# An interrupted run leaves nothing behind: the test under way cleans up.
running=
end() {
  [ -z "$running" ] || { kill "$running"; wait "$running"; } 2>/dev/null || true
  rm -f "$output"
}
trap end EXIT
trap 'exit 143' TERM INT HUP

# Runs a test and shows what it says, with the seconds it took. The verdict is in `line`.
run() { # test
  local began=${EPOCHREALTIME//[!0-9]/} limit=$((RUN_SECONDS - SECONDS)) code=0 took
  if [ $limit -le 0 ]; then
    line="FAIL $1: not started, the $RUN_SECONDS s of the whole run are over"
    echo "$line"
    return
  fi
  [ $limit -lt $TEST_SECONDS ] || limit=$TEST_SECONDS
  # shellcheck disable=SC2016 # expanded by the inner shell
  TEST=$1 timeout --kill-after=20 $limit \
    bash -c '. "$0/lib.sh"; . "$0/tests/$TEST.sh"; fail "ended without a verdict"' "$HERE" </dev/null >"$output" 2>&1 &
  running=$!
  wait "$running" || code=$?
  running=
  case $code in
  124 | 137)
    # It may have given its verdict and not have ended.
    sed -i "s/^\(PASS\|FAIL\|SKIP\) /  &/" "$output"
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

# shellcheck disable=SC2046 # one word for each test
[ $# -gt 0 ] || set -- $(basename -s .sh -a "$HERE"/tests/*.sh)
for name in "$@"; do
  file=$HERE/tests/$name.sh
  [ -f "$file" ] || { echo "no test $name; see run-tests.sh --help" >&2; exit 2; }
  attempt=1
  run "$name"
  if may_retry "$file" "$line" && [ $SECONDS -lt $RUN_SECONDS ]; then
    attempt=2
    run "$name"
  fi
  count "$name" "$line" $attempt
done
conclude
