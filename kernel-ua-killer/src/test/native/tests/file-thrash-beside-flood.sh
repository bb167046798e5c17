# A container that reads a file at random and holds less than half of it is detected although a stream floods the page cache: the refaulted pages would fit if others held nothing.
# shellcheck shell=bash
# long
begin 192 0
load
start_helper
ua set file-refaults fitting
ua set cgth-time-ms 1500
"$WORK" create "$FILES/data" 220
"$WORK" create "$FILES/reread" 300
production=$(container production)
watched "$production"
start "$production" idle 40
flood=$(container flood)
watched "$flood"
start "$flood" stream "$FILES/reread" 100000
victim=$(container best-effort)
best_effort "$victim" 500 5000
best_effort "$(container idle)" 500 60000
start "$DOMAIN/idle" idle 60
start "$victim" file "$FILES/data" 220 2
wait_dead "$victim" 15 || fail "alive after 15 s; $(ua samples "$victim" | tail -3); $(state)"
for name in production flood idle; do expect_alive "$DOMAIN/$name" "$name"; done
sleep 0.2
[ "$(decision series)" = file ] || fail "series $(decision series)"
pass "$(numbers)"
