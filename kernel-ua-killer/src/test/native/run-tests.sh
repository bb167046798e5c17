#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the real-kernel tests: all of them, or those named. Each makes its own cgroup, swap and pins, and removes them.
# What fails runs again, three times in all. Last lines: "failed: TEST" for each that never passed, and
# "N passed, N failed, N skipped". Needs root and a built ua-killer (make -C ../../main/native).
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${UA_OUT:-$HERE/../../../target/native}
export UA_OUT=$OUT
case $1 in
-h | --help)
  echo "usage: run-tests.sh [TEST...]; tests:"
  for f in "$HERE"/tests/*.sh; do echo "  $(basename "$f" .sh): $(sed -n '1s/^# //p' "$f")"; done
  exit 0
  ;;
esac
[ -x "$OUT/ua-killer" ] || { echo "no $OUT/ua-killer: run make -C $HERE/../../main/native first" >&2; exit 2; }
# The kernel may refuse even maps, as in most containers; a refused program is tier 3, which the tests would notice.
UA_REFUSED=$("$OUT/ua-killer" self-test 2>&1 | grep -o "refuses even BPF maps.*")
export UA_REFUSED
# An interrupted run leaves nothing behind: the test under way cleans up.
running=
trap '[ -z "$running" ] || { kill "$running"; wait "$running"; } 2>/dev/null; exit 143' TERM INT HUP
ATTEMPTS=3 # machines are noisy: what fails runs again
passed=0 failed=() skipped=0
# shellcheck disable=SC2046 # one word for each test
[ $# -gt 0 ] || set -- $(basename -s .sh -a "$HERE"/tests/*.sh)
run() { # test; its outcome is the exit code
  # shellcheck disable=SC2016 # expanded by the inner shell
  TEST=$1 timeout --kill-after=20 90 bash -c '. "$0/lib.sh"; . "$0/tests/$TEST.sh"; fail "ended without a verdict"' "$HERE" </dev/null &
  running=$!
  wait $running
}
for name in "$@"; do
  [ -f "$HERE/tests/$name.sh" ] || { echo "no test $name; see run-tests.sh --help" >&2; exit 2; }
  for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
    run "$name"
    case $? in
    0) passed=$((passed + 1)); break ;;
    3) skipped=$((skipped + 1)); break ;;
    124 | 137) echo "FAIL $name: not finished after 90 s (attempt $attempt)" ;;
    *) echo "$name failed at attempt $attempt" ;;
    esac
    [ "$attempt" -lt "$ATTEMPTS" ] || failed+=("$name")
  done
done
[ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
echo "$passed passed, ${#failed[@]} failed, $skipped skipped"
[ ${#failed[@]} = 0 ]
