# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# How the runners, on this kernel and in guests, judge what a test said, and what their last lines say.
#
# A test ends with a line that begins with PASS, FAIL or SKIP and its name. Machines are noisy and emulation is slow: what
# fails runs once more, and is named if it passes then. Two failures are never tried again: that of a test with a line
# "# must never" near its top, which promises that nobody and nothing wrong dies or changes and therefore waits for
# conditions, not for times; and, in whatever test, a wrong death.

passed=0 skipped=0 failed=() retried=()

verdict() { # output test: the test's line, if it came that far
  tr -d '\r' <"$1" | grep -aE "^(PASS|FAIL|SKIP) $2(:|\$)" | head -1 || true
}

may_retry() { # test-file verdict
  [[ $2 = FAIL* && $2 != *": wrong death: "* ]] && ! grep -q '^# must never' "$1"
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

# The last lines; the exit code says whether all passed.
conclude() {
  [ ${#retried[@]} = 0 ] || printf 'retried: %s\n' "${retried[@]}"
  [ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
  echo "$passed passed, ${#failed[@]} failed, $skipped skipped"
  [ ${#failed[@]} = 0 ]
}
