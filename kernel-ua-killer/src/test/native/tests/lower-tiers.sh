# Tier 2 (the kernel detects, the helper kills) and tier 3 (the helper does both) end the same thrash; a restarted helper continues the sequence numbers, so that readers see its kills.
# shellcheck shell=bash
begin 128 600
for tier in 2 3; do
  load --tier $tier
  start_helper
  ua set cgth-time-ms 1500
  victim=$(container "tier-$tier")
  production=$(container production)
  best_effort "$victim"
  watched "$production"
  start "$production" idle 20
  start "$victim" anonymous 220 1
  wait_dead "$victim" 12 || fail "tier $tier: alive after 12 s; $(state)"
  expect_alive "$production" production
  ua --json status | grep -q "\"tier\":$tier,.*requested with" || fail "tier $tier is not shown with its reason"
  [ "$(decision executor)" = helper ] || fail "tier $tier: killed by $(decision executor)"
  report="$report tier $tier: $(numbers);"
  [ "$(decision sequence)" = 1 ] || fail "tier $tier: the first decision is number $(decision sequence)"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  start_helper
  second=$(container "second-$tier")
  best_effort "$second"
  start "$second" anonymous 220 1
  wait_dead "$second" 12 || fail "tier $tier: alive after 12 s with a new helper; $(state)"
  [ "$(decision sequence)" = 2 ] || fail "tier $tier: the second decision is number $(decision sequence)"
  expect_alive "$production" production
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  kill_cgroup "$production"
  ua unload >/dev/null
done
pass "$report"
