# A victim that does not exit (frozen by the cgroup v1 freezer) is given up after victim-timeout-ms; the next candidate is killed, but not for a shortage that has ended, nor once nothing may be killed.
# shellcheck shell=bash
[ -d /sys/fs/cgroup/freezer ] || skip "no cgroup v1 freezer: on v2 a frozen process dies"
begin 128 600
FREEZER=/sys/fs/cgroup/freezer/charon-ua-test-$$
thaw() {
  echo THAWED >"$FREEZER/freezer.state"
  cleanup
  rmdir "$FREEZER"
}
# The victim that the killer chooses first is frozen, and there is a next candidate.
thrash_beside_a_frozen_victim() { # victim-timeout-ms limit: the domain's, or best-effort's
  local inside=
  if [ "$2" = best-effort ]; then
    limit_best_effort 64
    inside=best-effort/
  fi
  ua set cgth-time-ms 1000
  ua set victim-timeout-ms "$1"
  production=$(container production)
  frozen=$(container ${inside}frozen)
  next=$(container ${inside}next)
  watched "$production"
  best_effort "$frozen" 900 1000
  best_effort "$next" 100 60000
  start "$frozen" idle 30
  [ "$2" = best-effort ] || start "$next" idle 20
  await 10 at_least $((30 << 20)) cat "$frozen/memory.usage_in_bytes" || void "the victim does not take its memory"
  cat "$frozen/cgroup.procs" >"$FREEZER/cgroup.procs"
  echo FROZEN >"$FREEZER/freezer.state"
  if [ "$2" = best-effort ]; then start "$next" anonymous 80 1; else start "$production" anonymous 220 1; fi
}
mkdir "$FREEZER" || skip "the freezer refuses a cgroup"
trap thaw EXIT
cases=("1 domain" "3 best-effort")
[ -z "${UA_LONG:-}" ] || cases+=("3 domain" "1 best-effort")
for case in "${cases[@]}"; do
  read -r tier limit <<<"$case"
  load --tier "$tier"
  [ "$tier" = 1 ] || start_helper
  thrash_beside_a_frozen_victim 500 "$limit"
  wait_dead "$next" 10 || fail "tier $case: the next candidate is alive; $(state)"
  expect_alive "$frozen" "tier $case: the frozen victim"
  [ "$limit" = best-effort ] || expect_alive "$production" "tier $case: production"
  expect_kills 2
  [ "$(json survivors)" = 1 ] || fail "tier $case: $(json survivors) survivors, expected 1"
  [ "$(decision trigger)" = "$frozen" ] || fail "tier $case: not the survivor led to the second kill: $(decision trigger)"
  [ "$limit" = domain ] || [ "$(decision killableRootId)" = "$(stat -c %i "$LIMITED")" ] || fail "tier $case: attributed to $(decision killableRootId)"
  report="$report tier $case: the next candidate after $(decision thrashSeconds) s;"
  echo THAWED >"$FREEZER/freezer.state"
  wait_dead "$frozen" 2 || fail "tier $case: it is alive after the thaw"
  kill_cgroup "$production"
  [ "$limit" = domain ] || kill_cgroup "$LIMITED"
  [ "$tier" = 1 ] || kill "$HELPER"
  ua unload >/dev/null
done
# Where no container may be killed any more, a victim that does not exit leads to no other kill.
for tier in 1 ${UA_LONG:+3}; do
  load --tier "$tier"
  [ "$tier" = 1 ] || start_helper
  thrash_beside_a_frozen_victim 3000 domain
  await 20 at_least 1 kills || fail "tier $tier: no container thrashes; $(state)"
  ua set cgth-time-ms 0
  await 20 at_least 1 json survivors || fail "tier $tier: the victim that did not die is not given up; $(state)"
  sleep 1 # ten passes
  expect_alive "$next" "tier $tier: the next candidate, although no container may be killed,"
  expect_kills 1
  kill_cgroup "$production"
  echo THAWED >"$FREEZER/freezer.state"
  wait_dead "$frozen" 2 || fail "tier $tier: it is alive after the thaw"
  [ "$tier" = 1 ] || kill "$HELPER"
  ua unload >/dev/null
done
[ -n "${UA_LONG:-}" ] || pass "$report"
# A victim that may no longer be killed is no survivor.
load --tier 3
start_helper
thrash_beside_a_frozen_victim 3000 domain
await 20 at_least 1 kills || fail "tier 3: no container thrashes; $(state)"
ua unregister "$frozen" || fail "the victim cannot be unregistered"
kill_cgroup "$production"
sleep 4 # longer than the killer waits for a victim
[ "$(json survivors)" = 0 ] || fail "tier 3: a container that is not registered any more counts as a survivor"
expect_alive "$next" "tier 3: the next candidate, for a container that is not registered any more,"
echo THAWED >"$FREEZER/freezer.state"
wait_dead "$frozen" 2 || fail "tier 3: it is alive after the thaw"
kill "$HELPER"
ua unload >/dev/null
# If the victim is given up when the kernel reclaims again much later, no other container is killed.
load
thrash_beside_a_frozen_victim 2000 domain
await 20 at_least 1 kills || fail "no container thrashes; $(state)"
kill_cgroup "$production" # before the victim is given up
[ "$(json survivors)" = 0 ] || void "the machine was too slow: the victim was given up before production was gone"
sleep 4 # longer than the killer waits for the victim, and than a series may go without growth
truncate -s 1T "$FILES/stream"
start "$(container stream)" stream "$FILES/stream" 1
await 20 at_least 1 json survivors || fail "the victim that did not die is not given up; $(state)"
await 20 at_least $(($(json samplingPasses) + 5)) json samplingPasses || fail "the kernel does not reclaim; $(state)"
expect_alive "$next" "a container that never thrashed, for a shortage of long ago,"
expect_alive "$frozen" "the frozen victim"
expect_kills 1
pass "$report no container died later"
