# Under pressure: a stream of new data, repeated reads of a file that never fitted, a sort that spills, an idle cache, idle memory.
# shellcheck shell=bash
# must never
begin 96 600
load
ua set cgth-time-ms 1000
for name in streaming rereading spilling idle-cache idle-memory; do best_effort "$(container $name)"; done
"$WORK" create "$FILES/cached" 60
"$WORK" create "$FILES/reread" 200
truncate -s 1T "$FILES/new" # a hole: read as fast as the kernel can
start "$DOMAIN/idle-cache" cache "$FILES/cached"
start "$DOMAIN/idle-memory" idle 40
innocent() { # name seconds workload...: it thrashes by no measure, whatever the kernel reclaims for it
  start "$DOMAIN/$1" "${@:3}"
  sleep "$2"
  expect_alive "$DOMAIN/$1" "$1"
  kill_cgroup "$DOMAIN/$1"
}
innocent streaming 2 stream "$FILES/new" 1
innocent spilling 6 spill "$FILES/spill" 120 # two rounds
innocent rereading 2 stream "$FILES/reread" 10000
expect_alive "$DOMAIN/idle-cache" "the idle cache"
expect_alive "$DOMAIN/idle-memory" "idle memory"
expect_kills 0
at_least 101 json reclaims || fail "there was no pressure"
pass "$(json reclaims) reclaims, 0 kills"
