# Production that gets less page cache than its entitlement, while best-effort streams through its memory, gets it after 1 s; a reader of more than its entitlement fills the entitlement.
# shellcheck shell=bash
begin 256 0
load
ua set owed-time-ms 1000
ua set cgth-time-ms 30000 # on a slow machine production's own file thrash would kill first
start_helper
"$WORK" create "$FILES/hot" 150
truncate -s 600M "$FILES/loop" # a hole: read as fast as the kernel can
best_effort "$(container small)" 500 60000
start "$DOMAIN/small" idle 10
production=$(container production)
watched "$production" --entitled $((160 << 20))
start "$production" file "$FILES/hot" 150 2
streaming=$(container streaming)
best_effort "$streaming" 500 5000
start "$streaming" stream "$FILES/loop" 100000
wait_dead "$streaming" 15 || fail "production gets nothing back: $(ua samples "$production" | tail -3); $(state)"
expect_alive "$production" production
expect_alive "$DOMAIN/small" "the container that holds little"
sleep 0.3
expect_kills 1
[ "$(decision series)" = owed ] || fail "series $(decision series)"
at_least 1 json owedEvents || fail "no event reached the helper; $(state)"
grep -q "holds less memory than it is entitled to" "$FILES/helper.log" || fail "the helper prints nothing: $(cat "$FILES/helper.log")"
report=$(numbers)
kill_cgroup "$production"
# The page cache of ended containers, which no kill frees, and hits in it keep the next reader below its entitlement.
rm "$FILES/hot" "$FILES/loop"
truncate -s 600M "$FILES/cycle"
# A container that keeps reading more than its entitlement gets that much of the memory that no task refills, and no
# container is killed for more.
cyclic=$(container cyclic)
watched "$cyclic" --entitled $((90 << 20))
best_effort "$(container best-effort)" 500 5000
start "$DOMAIN/best-effort" idle 60
start "$cyclic" stream "$FILES/cycle" 100000
holds() { ua --json samples "$cyclic" 2>/dev/null | grep -o '"memoryBytes":[0-9]*' | tail -1 | cut -d: -f2; }
await 15 at_least $((90 << 20)) holds || fail "the reader does not fill its right: $(holds)"
sleep 2 # twice the time that is tolerated
expect_alive "$DOMAIN/best-effort" "best-effort beside a reader of more than its right"
expect_kills 1
pass "$report"
