# The helper works with the capabilities of conf/charon-ua-killer.service and no others, in tiers 1 and 2.
command -v setpriv >/dev/null || skip "no setpriv (package util-linux)"
UNIT=$HERE/../../../../conf/charon-ua-killer.service
caps=$(sed -n 's/^CapabilityBoundingSet=//p' "$UNIT" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
begin 128 600
for tier in 1 2; do
  load --tier $tier
  setpriv --no-new-privs --bounding-set "-all,$caps" --inh-caps "-all,$caps" \
    "$UA" --bpffs "$BPFFS" reap >"$FILES/helper.log" 2>&1 &
  HELPER=$!
  sleep 0.5
  [ "$(cat "$FILES/helper.log")" = "helper for tier $tier is ready" ] || fail "helper: $(cat "$FILES/helper.log")"
  ua set cgth-time-ms 1000
  victim=$(container "victim-$tier")
  best_effort "$victim"
  start "$victim" anonymous 220 1
  wait_dead "$victim" 10 || fail "tier $tier: alive; $(cat "$FILES/helper.log")"
  sleep 0.3
  [ "$(decision decisionToGoneMillis)" != "" ] || fail "tier $tier: no record of the release"
  report="$report tier $tier: $(numbers);"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  ua unload >/dev/null
done
pass "$caps;$report"
