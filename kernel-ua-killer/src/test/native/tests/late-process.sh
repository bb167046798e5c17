# A process that the first pass over a victim missed is killed in the next one, however late that comes; what cannot die is given up; a victim that never runs out of new processes does not protect others.
# shellcheck shell=bash
[ -d /sys/fs/cgroup/freezer ] || skip "no cgroup v1 freezer: on v2 a frozen process dies"
begin 128 600
FREEZER=/sys/fs/cgroup/freezer/charon-ua-test-$$
SPAWNERS=()
thaw() {
  kill "${SPAWNERS[@]}" 2>/dev/null
  echo THAWED >"$FREEZER/freezer.state"
  cleanup
  rmdir "$FREEZER"
}
mkdir "$FREEZER" || skip "the freezer refuses a cgroup"
trap thaw EXIT
freeze_in() { # cgroup megabytes: a process that takes its signal and does not die
  start "$1" idle "$2"
  await 10 at_least $(($2 << 20)) cat "$1/memory.usage_in_bytes" || void "a process does not take its memory"
  cat "$1/cgroup.procs" >"$FREEZER/cgroup.procs"
  echo FROZEN >"$FREEZER/freezer.state"
}
load # no helper, which would kill what the kernel left
[ "$(json tier)" = 1 ] || skip "the kernel does not kill"
ua set cgth-time-ms 1000
ua set period-ms 1000 # so that the reclaim that is going on at the kill causes no second pass
victim=$(container victim) next=$(container next)
best_effort "$victim" 900 1000
best_effort "$next" 100 60000
start "$next" idle 20
freeze_in "$victim" 10
start "$victim" anonymous 220 1
await 20 at_least 1 kills || fail "no container thrashes; $(state)"
only_frozen() { [ "$(population "$victim")" = 1 ]; }
await 10 only_frozen || fail "$(population "$victim") processes of the victim are left, expected the frozen one"
start "$victim" idle 5 # as if it had been forked just before
sleep 4 # longer than the killer waits for a victim
[ "$(decision passes)" = 1 ] || void "$(decision passes) passes over the victim, because the machine reclaims"
truncate -s 1T "$FILES/stream"
start "$(container stream)" stream "$FILES/stream" 1
await 10 only_frozen || fail "the late process is alive; $(state)"
await 10 at_least 1 json survivors || fail "the frozen victim is not given up; $(state)"
expect_alive "$next" "a container that never thrashed"
expect_kills 1
kill_cgroup "$DOMAIN/stream"
echo THAWED >"$FREEZER/freezer.state"
wait_dead "$victim" 5 || fail "it is alive after the thaw"
[ -n "${UA_LONG:-}" ] || pass
ua set period-ms 300 # in each period there is a new process
ua set victim-timeout-ms 100
shield=$(container shield) production=$(container production)
best_effort "$shield" 900 1000
watched "$production"
freeze_in "$shield" 30
for _ in {1..4}; do
  while :; do
    (echo "$BASHPID" >"$shield/cgroup.procs" && exec sleep 60) &
    sleep 0.02
  done 2>/dev/null &
  SPAWNERS+=($!)
done
start "$production" anonymous 220 1
wait_dead "$next" 40 || fail "the victim with ever new processes protects others; $(state)"
passes=$(ua --json watch --since 1 --count 1 | value passes)
expect_alive "$production" production
[ "$passes" -ge 50 ] || void "given up after $passes passes, because no new process was there for one"
pass "a shield for $passes passes"
