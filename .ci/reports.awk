# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Reads the XML reports of Surefire and Failsafe. Prints, separated by tabs: outcome, class, test, seconds, reason.
# The outcome is passed, failed, skipped, retried (passed only at the second attempt), or class, which holds the total
# time. Each record begins after a "<", so it is one tag and the text after it. CDATA, which may hold anything, is
# skipped.
BEGIN {
  RS = "<"
  OFS = "\t"
}

FNR == 1 { next_report() }

text {
  text = !index($0, "]]>")
  next
}

/^!\[CDATA\[/ {
  text = !index($0, "]]>")
  if (unexplained) reason = explanation()
  unexplained = 0
  next
}

/^testsuite[ \n]/ {
  suite = attribute("name")
  print "class", suite, "", seconds(), ""
  complete = 0
}

/^\/testsuite>/ { complete = 1 }

/^testcase[ \n]/ {
  class = attribute("classname")
  test = attribute("name")
  time = seconds()
  outcome = "passed"
  reason = ""
  if ($0 ~ /\/>[^>]*$/) print outcome, class, test, time, reason
}

/^(failure|error)[ \n>]/ { becomes("failed") }
/^skipped[ \n\/>]/ { becomes("skipped") }
/^(flakyFailure|flakyError)[ \n>]/ { becomes("retried") }
/^\/testcase>/ { print outcome, class, test, time, reason }

END { next_report() }

# The report that ends here must be complete: a killed process leaves an incomplete one.
function next_report() {
  if (report != "" && !complete) print "failed", suite != "" ? suite : report, "", 0, report " ends too early"
  report = FILENAME
  suite = ""
  complete = text = unexplained = 0
}

function becomes(what) {
  if (outcome != "passed") return
  outcome = what
  reason = attribute("message")
  unexplained = reason == ""
}

# If a report has no message, it is in the exception's text, before the stack.
function explanation() {
  sub(/^!\[CDATA\[([a-z0-9]+\.)*TestAbortedException: (Assumption failed: )?/, "")
  sub(/!\[CDATA\[/, "")
  sub(/(\n\tat |\]\]>).*/, "")
  gsub(/[ \t\r\n]+/, " ")
  return $0
}

function seconds() {
  time = attribute("time")
  gsub(/,/, "", time)
  return time + 0
}

function attribute(name, value) {
  if (!match($0, "[ \n]" name "=\"[^\"]*\"")) return ""
  value = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
  gsub(/&#(10|9|13);|[\t\n\r]/, " ", value)
  gsub(/&lt;/, "<", value)
  gsub(/&gt;/, ">", value)
  gsub(/&quot;/, "\"", value)
  gsub(/&apos;|&#39;/, "'", value)
  gsub(/&amp;/, "\\&", value)
  return value
}
