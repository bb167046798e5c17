# shellcheck shell=bash
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# The results of tests, as lines separated by tabs: outcome, class, test, seconds, reason (see reports.awk). Sourced
# by .ci/test and by the test of these functions, .ci/test-of-results; both set ci, the directory of this file.

# Prints the results in the reports whose names come in, each terminated by a zero byte.
read_reports() {
  xargs -0 --no-run-if-empty awk -f "${ci:?}/reports.awk"
}

# Prints the classes that a log of Maven ($1) shows running and that are missing in the results ($2): their process
# exited before they ended.
never_reported() {
  sed -n 's/^\[INFO\] Running \([A-Za-z0-9_.$]*\)$/\1/p' "$1" | sort -u |
    comm -23 - <(cut -f 2 "$2" | sort -u)
}

# Prints the results of those of Hadoop's own tests that passed at the second attempt only, which HadoopsTests grants
# and writes to the log ($1).
hadoops_second_attempts() {
  sed -nE 's/^mode (.*): ([A-Za-z0-9_]+.*) failed \((.*)\), and passed at its second attempt$/retried\tio.charon.hadoop.HadoopsTests\t\2\t0\tmode \1: \3/p' "$1"
}

# Prints why Maven failed according to its log ($1), except for failed tests, which have reports.
maven_errors() {
  sed -n 's/^\[ERROR\] Failed to execute goal //p' "$1" |
    grep -v -e 'There are test failures' -e 'There was a timeout' || true
}

# Prints the message in log $2 of the first failure of the native test $1 ("GUEST: TEST" in a guest), because readers
# of the results may not have the log.
native_reason() {
  local said
  said="$(sed -nE "/^FAIL (.*\) )?${1##*: }( \(|:)/ { s/^[^:]*: //p; q; }" "$2" | tr '\t' ' ' | cut -c -400)"
  printf '%s' "${said:+$said; }see $2"
}

# Whether the tag must-never is at the test $2 of class $1 (source below directory $3), at its class or at a class
# that it extends. If the source is not found, the answer is yes. The phases native and guests are not classes: their
# scripts do not retry tests that must never fail (outcomes.sh of the native tests).
is_must_never() {
  local class="${1##*.}" source parent
  class="${class%%\$*}"
  [[ $1 != native && $1 != guests ]] || return 1
  source="$(source_of "$class" "$3")"
  [[ -n $source ]] || return 0
  if is_tagged "$source" "${2%%[^A-Za-z0-9_]*}"; then return 0; fi
  parent="$(sed -nE "s/.*class $class extends ([A-Za-z0-9_]+).*/\1/p" "$source")"
  [[ -n $parent && -n "$(source_of "$parent" "$3")" ]] && is_must_never "$parent" "$2" "$3"
}

source_of() {
  find "$2" -path '*/src/test/java/*' -name "$1.java" -print -quit
}

# Whether source $1 has the tag must-never at method $2 or at a class.
is_tagged() {
  awk -v method="$2" '
    depth > 0 || /^ *@/ { # an annotation may span several lines
      tagged = tagged || /@Tag\("must-never"\)/
      depth += gsub(/\(/, "") - gsub(/\)/, "")
      next
    }
    /^ *(\/\/|\/\*|\*|$)/ { next }
    tagged && (/(^| )(class|interface|record) / || $0 ~ " " method "\\(") { found = 1 }
    { tagged = 0 }
    END { exit !found }' "$1"
}

# Copies results, and fails those that are not permitted: a skip that the list $1 (TEST|REASON) does not allow, a test
# that must never fail (sources below $2) but passed only at the second attempt, and any other test whose first attempt
# failed with a wrong death, as for native tests (outcomes.sh).
judge() {
  local outcome class test seconds reason
  while IFS=$'\t' read -r outcome class test seconds reason; do
    if [[ $outcome == skipped ]] && ! is_allowed_skip "$1" "${class##*.}.$test" "$reason"; then
      outcome=failed reason="skipped, and the list of skips does not allow it: $reason"
    elif [[ $outcome == retried ]] && is_must_never "$class" "$test" "$2"; then
      outcome=failed reason="passed at the second attempt only, and must never fail: $reason"
    elif [[ $outcome == retried && $reason == *"wrong death"* ]]; then
      outcome=failed reason="passed at the second attempt only, which does not make good: $reason"
    fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$outcome" "$class" "$test" "$seconds" "$reason"
  done < <(sed 's/\t\t/\t-\t/g; s/\t$/\t-/') # read treats several tabs as one
}

# Whether list $1 allows test $2 to be skipped for reason $3. TEST is a shell pattern, REASON an extended regular
# expression.
is_allowed_skip() {
  local test reason
  while IFS='|' read -r test reason; do
    # shellcheck disable=SC2053 # a pattern
    if [[ $test != '#'* && $2 == $test && $3 =~ $reason ]]; then return 0; fi
  done <"$1"
  return 1
}

# Prints "N passed, N failed, N skipped" for the results on standard input; a successful second attempt counts as
# passed.
totals() {
  awk -F '\t' '
    { count[$1]++ }
    END { printf "%d passed, %d failed, %d skipped\n", count["passed"] + count["retried"], count["failed"], count["skipped"] }'
}

# Prints "class.test: reason" for the results with outcome $1 on standard input.
named() {
  awk -F '\t' -v outcome="$1" '
    $1 == outcome {
      test = $3 == "-" || $3 == "" ? "" : "." $3
      print $2 test ($5 == "-" || $5 == "" ? "" : ": " substr($5, 1, 300))
    }'
}

# Prints JSON of the phases (file $1: phase, seconds, sum) and of the judged results in directory $2, one file per
# phase.
results_as_json() {
  awk -F '\t' '
    function text(value) {
      gsub(/\\/, "\\\\", value)
      gsub(/"/, "\\\"", value)
      gsub(/[\001-\037]/, " ", value)
      return "\"" value "\""
    }
    function add(list, entry) { return list (list == "" ? "" : ",") "\n    " entry }
    FNR == 1 && NR > FNR { phase = FILENAME; sub(/.*\//, "", phase); sub(/\.judged$/, "", phase) }
    NR == FNR {
      split($3, sum, /[^0-9]+/)
      phases = add(phases, "{\"name\": " text($1) ", \"seconds\": " $2 ", \"passed\": " sum[1] ", \"failed\": " sum[2] ", \"skipped\": " sum[3] "}")
      next
    }
    $1 == "class" {
      classes = add(classes, "{\"phase\": " text(phase) ", \"class\": " text($2) ", \"seconds\": " $4 "}")
      next
    }
    { count[$1]++ }
    $1 != "passed" {
      test = $2 ($3 == "-" ? "" : "." $3)
      others = add(others, "{\"phase\": " text(phase) ", \"test\": " text(test) ", \"outcome\": " text($1) ", \"reason\": " text($5) "}")
    }
    END {
      printf "{\n  \"outcome\": \"%s\",\n", count["failed"] ? "failed" : "passed"
      printf "  \"passed\": %d,\n  \"failed\": %d,\n  \"skipped\": %d,\n", count["passed"] + count["retried"], count["failed"], count["skipped"]
      printf "  \"phases\": [%s\n  ],\n  \"classes\": [%s\n  ],\n  \"notPassed\": [%s\n  ]\n}\n", phases, classes, others
    }' "$1" "$2"/*.judged
}
