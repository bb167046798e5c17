# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# How the runners, on this kernel and in guests, judge the output of a test, and what their last lines contain.
#
# A test ends with a line of PASS, FAIL or SKIP and its name. Machines are noisy and emulation is slow, so a failed
# test runs once more and is listed if it passes then. Two kinds of failures are never retried: that of a test with
# the line "# must never" near its top, which promises that nothing wrong is killed or changed and therefore waits for
# conditions, not for times; and, in any test, a wrong kill. An attempt is void if the situation in which something wrong
# could happen did not come about: it has shown nothing, and may be repeated in any test.

passed=0 skipped=0 failed=() retried=()

verdict() { # output test: prints the verdict of the test, if it got that far
  tr -d '\r' <"$1" | grep -aE "^(PASS|FAIL|SKIP) $2(:|\$)" | head -1 || true
}

may_retry() { # test-file verdict
  [[ $2 = FAIL* && $2 != *": wrong death: "* ]] && { [[ $2 = *": void: "* ]] || ! grep -q '^# must never' "$1"; }
}

count() { # name verdict attempt
  case $2 in
  PASS*)
    passed=$((passed + 1))
    [ "$3" = 1 ] || retried+=("$1")
    ;;
  SKIP*) skipped=$((skipped + 1)) ;;
  *) failed+=("$1") ;;
  esac
}

# Prints the last lines; the exit code is 0 if all passed.
conclude() {
  [ ${#retried[@]} = 0 ] || printf 'retried: %s\n' "${retried[@]}"
  [ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
  echo "$passed passed, ${#failed[@]} failed, $skipped skipped"
  [ ${#failed[@]} = 0 ]
}
