# The helper works with only the capabilities of conf/charon-ua-killer.service, in tiers 1 and 2.
# shellcheck shell=bash
command -v setpriv >/dev/null || skip "no setpriv (package util-linux)"
begin 128 600
gone() { [[ $(decision decisionToGoneMillis) = [0-9]* ]]; }
for tier in 1 2; do
  load --tier $tier
  : >"$FILES/helper.log"
  as_unit "$UA" --bpffs "$BPFFS" reap >"$FILES/helper.log" 2>&1 &
  HELPER=$!
  helper_ready
  [ "$(cat "$FILES/helper.log")" = "helper for tier $tier is ready" ] || fail "helper: $(cat "$FILES/helper.log")"
  ua set cgth-time-ms 1000
  victim=$(container "victim-$tier")
  best_effort "$victim"
  start "$victim" anonymous 220 1
  wait_dead "$victim" 10 || fail "tier $tier: alive; $(cat "$FILES/helper.log")"
  await 2 gone || fail "tier $tier: no record of the release"
  report="$report tier $tier: $(numbers);"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  ua unload >/dev/null
done
pass "$report"
