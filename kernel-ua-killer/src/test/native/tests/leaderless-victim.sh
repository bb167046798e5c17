# In tiers 1 and 3, with --all in every one, a process whose first thread has ended is killed through another one, and nobody else is.
# shellcheck shell=bash
begin 128 800
for tier in 1 ${UA_LONG:+2} 3; do
  load --tier "$tier"
  start_helper
  ua set cgth-time-ms 1500
  victim=$(container "victim-$tier")
  quiet=$(container "quiet-$tier")
  best_effort "$victim" 500 3000
  best_effort "$quiet" 500 600000
  start "$quiet" idle 10
  start "$victim" leaderless 180 2
  wait_dead "$victim" 15 || fail "tier $tier: $(population "$victim") processes left; $(state)"
  expect_alive "$quiet" "the quiet container"
  [ "$(kills)" = 1 ] || fail "tier $tier: $(kills) kills; $(state)"
  report="$report tier $tier: $(numbers);"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  kill_cgroup "$quiet"
  ua unload >/dev/null
done
pass "$report"
