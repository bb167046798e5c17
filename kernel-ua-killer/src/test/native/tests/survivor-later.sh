# A victim that did not die leads to the next kill only while its shortage lasts: not when the kernel reclaims again much later.
# shellcheck shell=bash
# must never
[ -d /sys/fs/cgroup/freezer ] || skip "no cgroup v1 freezer: on v2 a frozen process dies"
begin 128 600
FREEZER=/sys/fs/cgroup/freezer/charon-ua-test-$$
thaw() {
  echo THAWED >"$FREEZER/freezer.state"
  cleanup
  rmdir "$FREEZER"
}
mkdir "$FREEZER" || skip "the freezer refuses a cgroup"
trap thaw EXIT
load # no helper, whose signals would wake nobody either
ua set cgth-time-ms 1000
ua set victim-timeout-ms 2000
production=$(container production)
frozen=$(container frozen)
innocent=$(container innocent)
watched "$production"
best_effort "$frozen" 900 1000
best_effort "$innocent" 100 60000
start "$frozen" idle 60
start "$innocent" idle 20
cat "$frozen/cgroup.procs" >"$FREEZER/cgroup.procs"
echo FROZEN >"$FREEZER/freezer.state"
start "$production" anonymous 220 1
await 20 at_least 1 kills || fail "nobody thrashes; $(state)"
kill_cgroup "$production" # the shortage is over before the victim is given up
[ "$(json survivors)" = 0 ] || skip "the machine was too slow: the victim was given up already"
sleep 4 # longer than it is waited for the victim, and for a series that stands still
truncate -s 1T "$FILES/stream"
start "$(container stream)" stream "$FILES/stream" 1
await 20 at_least 1 json survivors || fail "the victim that did not die is not given up; $(state)"
await 20 at_least $(($(json samplingPasses) + 5)) json samplingPasses || fail "the kernel does not reclaim; $(state)"
expect_alive "$innocent" "a container that never thrashed, for a shortage of long ago,"
expect_alive "$frozen" "the frozen victim"
expect_kills 1
pass "1 survivor, nobody died for it later"
