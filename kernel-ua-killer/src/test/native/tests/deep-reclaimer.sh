# Reclaiming sixty cgroups deep gives no protection: the container is sampled and killed, and the helper observes it.
# shellcheck shell=bash
[ "$UNIFIED" = 0 ] || skip "each level would need its own controllers"
begin 128 600
deep=$(container deep)
for _ in {1..60}; do deep=$deep/d; done
mkdir -p "$deep"
victim=$DOMAIN/deep
gone() { [[ $(decision decisionToGoneMillis) = [0-9]* ]]; }
for tier in 1 ${UA_LONG:+3}; do
  load --tier "$tier"
  start_helper
  ua set cgth-time-ms 1000
  # The kernel adds counts from this depth to the container's memory.stat only every two seconds.
  [ "$tier" = 1 ] || ua set flat-ms 5000
  best_effort "$victim"
  start "$deep" anonymous 220 2
  wait_dead "$victim" 10 || fail "tier $tier: alive; $(state)"
  await 3 gone || fail "tier $tier: no record of the release; helper $(json helperPid): $(cat "$FILES/helper.log")"
  report="$report tier $tier: $(numbers);"
  kill "$HELPER" || fail "tier $tier: the helper died"
  wait "$HELPER" 2>/dev/null
  ua unload >/dev/null
done
pass "$report"
