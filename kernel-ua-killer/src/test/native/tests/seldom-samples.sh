# Passes that are further apart than flat-ms do not end a series, in tiers 1 and 3: the thrasher is killed.
# shellcheck shell=bash
# long
begin 128 600
for tier in 1 3; do
  load --tier $tier
  start_helper
  ua set period-ms 400
  ua set flat-ms 100
  ua set cgth-time-ms 1000
  victim=$(container "tier-$tier")
  best_effort "$victim"
  start "$victim" anonymous 220 1
  wait_dead "$victim" 8 || fail "tier $tier: alive; $(state)"
  report="$report tier $tier: $(numbers);"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  ua unload >/dev/null
done
pass "$report"
