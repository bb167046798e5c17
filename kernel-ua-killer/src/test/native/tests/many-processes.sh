# A victim has more processes than the helper may have open files by default: the helper goes on, and all of them die.
# shellcheck shell=bash
# long
PROCESSES=200
begin 200 800
load
ulimit -Sn 64
start_helper
ua set cgth-time-ms 1500
victim=$(container best-effort)
best_effort "$victim"
run_in "$victim" bash -c "for ((i = 0; i < $PROCESSES; i++)); do sleep 300 & done; wait" >/dev/null 2>&1
await 10 at_least $PROCESSES population "$victim" || void "only $(population "$victim") processes"
start "$victim" anonymous 220 1
wait_dead "$victim" 30 || fail "$(population "$victim") processes left; $(state)"
kill -0 "$HELPER" 2>/dev/null || fail "the helper has ended: $(cat "$FILES/helper.log" 2>/dev/null)"
expect_kills 1
pass "$(decision signals) signals, $(decision helperSignals) by the helper; $(numbers)"
