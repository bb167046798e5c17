# A victim that does not exit (frozen by the cgroup v1 freezer) is given up after victim-timeout-ms; the next candidate is killed, but not for a shortage that has ended.
# shellcheck shell=bash
[ -d /sys/fs/cgroup/freezer ] || skip "no cgroup v1 freezer: on v2 a frozen process dies"
begin 128 600
FREEZER=/sys/fs/cgroup/freezer/charon-ua-test-$$
thaw() {
  echo THAWED >"$FREEZER/freezer.state"
  cleanup
  rmdir "$FREEZER"
}
# VICTIM_TIMEOUT_MS: the victim that the killer chooses first is frozen, and there is a next candidate.
thrash_beside_a_frozen_victim() {
  ua set cgth-time-ms 1000
  ua set victim-timeout-ms "$1"
  production=$(container production)
  frozen=$(container frozen)
  next=$(container next)
  watched "$production"
  best_effort "$frozen" 900 1000
  best_effort "$next" 100 60000
  start "$frozen" idle 60
  start "$next" idle 20
  cat "$frozen/cgroup.procs" >"$FREEZER/cgroup.procs"
  echo FROZEN >"$FREEZER/freezer.state"
  start "$production" anonymous 220 1
}
mkdir "$FREEZER" || skip "the freezer refuses a cgroup"
trap thaw EXIT
for tier in 1 3; do
  load --tier $tier
  [ $tier = 1 ] || start_helper
  thrash_beside_a_frozen_victim 500
  wait_dead "$next" 10 || fail "tier $tier: the next candidate lives; $(state)"
  expect_alive "$frozen" "tier $tier: the frozen victim"
  expect_alive "$production" "tier $tier: production"
  expect_kills 2
  [ "$(json survivors)" = 1 ] || fail "tier $tier: $(json survivors) survivors, expected 1"
  [ "$(decision trigger)" = "$frozen" ] || fail "tier $tier: not the survivor led to the second kill: $(decision trigger)"
  report="$report tier $tier: the next candidate after $(decision thrashSeconds) s;"
  echo THAWED >"$FREEZER/freezer.state"
  wait_dead "$frozen" 2 || fail "tier $tier: thawed, it lives on"
  kill_cgroup "$production"
  [ $tier = 1 ] || kill "$HELPER"
  ua unload >/dev/null
done
[ -n "${UA_LONG:-}" ] || pass "$report"
# If the victim is given up when the kernel reclaims again much later, no other container is killed.
load
thrash_beside_a_frozen_victim 2000
await 20 at_least 1 kills || fail "nobody thrashes; $(state)"
kill_cgroup "$production" # before the victim is given up
[ "$(json survivors)" = 0 ] || fail "void, the machine was too slow: the victim was given up before production was gone"
sleep 4 # longer than the killer waits for the victim, and than a series may go without growth
truncate -s 1T "$FILES/stream"
start "$(container stream)" stream "$FILES/stream" 1
await 20 at_least 1 json survivors || fail "the victim that did not die is not given up; $(state)"
await 20 at_least $(($(json samplingPasses) + 5)) json samplingPasses || fail "the kernel does not reclaim; $(state)"
expect_alive "$next" "a container that never thrashed, for a shortage of long ago,"
expect_alive "$frozen" "the frozen victim"
expect_kills 1
pass "$report nobody died later"
