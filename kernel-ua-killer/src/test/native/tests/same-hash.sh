# A container cannot hide behind names that the kernel keeps at one position of a directory: in tiers 2 and 3 it is observed and killed, and the helper moves another one.
# shellcheck shell=bash
begin 128 600
root=$DOMAIN/best-effort
hide() { # container: in a nested cgroup to which a walk that continues by positions never comes
  mkdir "$1" "$1/al" "$1/ba" "$1/zz" || fail "cannot make the cgroups of $1"
}
gone() { [[ $(decision decisionToGoneMillis) = [0-9]* ]]; }
for tier in 2 3; do
  load --tier "$tier"
  ua --json domain add "$DOMAIN" --killable-below "$root" --promote-to "$DOMAIN/promoted" || fail "cannot name the cgroups"
  start_helper --socket "$FILES/socket"
  ua set cgth-time-ms 1000
  victim=$root/victim-$tier promoted=$root/promoted-$tier
  hide "$victim"
  hide "$promoted"
  best_effort "$victim"
  start "$promoted/zz" idle 5
  moved=$(timeout 10 "$UA" --socket "$FILES/socket" move "$promoted" --domain "$DOMAIN" 2>&1)
  [ "$moved" = '{"moved":1}' ] || fail "tier $tier: move prints: $moved"
  expect_alive "$DOMAIN/promoted" "tier $tier: the promoted container"
  start "$victim/zz" anonymous 220 1
  wait_dead "$victim" 12 || fail "tier $tier: alive; $(state)"
  await 3 gone || fail "tier $tier: no record of the release; helper $(json helperPid): $(cat "$FILES/helper.log")"
  [ "$(json helperPid)" = "$HELPER" ] || fail "tier $tier: the helper $HELPER is $(json helperPid) now"
  expect_kills 1
  report="$report tier $tier: $(numbers);"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  kill_cgroup "$DOMAIN/promoted"
  ua unload >/dev/null
done
pass "$report"
