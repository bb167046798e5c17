# Under pressure: a stream of new data, one that reads a file over and over that never fitted, a sort that spills, an idle cache, idle memory.
begin 96 600
load
ua set cgth-time-ms 1000
for name in streaming rereading spilling idle-cache idle-memory; do best_effort "$(container $name)"; done
"$WORK" create "$FILES/cached" 60
"$WORK" create "$FILES/reread" 200
start "$DOMAIN/idle-cache" cache "$FILES/cached"
start "$DOMAIN/idle-memory" idle 40
sleep 1
for round in 1 2; do
  "$WORK" create "$FILES/stream-$round" 700
  start "$DOMAIN/streaming" stream "$FILES/stream-$round" 1
  wait_dead "$DOMAIN/streaming" 20 || fail "the stream does not end"
done
start "$DOMAIN/spilling" spill "$FILES/spill" 120
sleep 6
expect_alive "$DOMAIN/spilling" "the spilling sort"
kill_cgroup "$DOMAIN/spilling"
start "$DOMAIN/rereading" stream "$FILES/reread" 10000
sleep 4
expect_alive "$DOMAIN/rereading" "the reader of a file that never fitted"
expect_alive "$DOMAIN/idle-cache" "the idle cache"
expect_alive "$DOMAIN/idle-memory" "idle memory"
[ "$(kills)" = 0 ] || fail "an innocent container died: $(ua watch --since 0 --count 1)"
[ "$(json reclaims)" -gt 100 ] || fail "there was no pressure"
# The same workloads seen with every refault counted: the reader would have been a thrasher.
ua set file-refaults any
wait_dead "$DOMAIN/rereading" 3 && report="; with file-refaults=any the re-reader dies"
pass "$(json reclaims) reclaims, 0 kills$report"
