# With file-refaults=any, the paper's notion, a container that keeps reading a file which never fitted is a thrasher.
# shellcheck shell=bash
begin 96 0
load
ua set cgth-time-ms 1000
ua set file-refaults any
"$WORK" create "$FILES/reread" 200
reader=$(container rereading)
best_effort "$reader"
start "$reader" stream "$FILES/reread" 10000
wait_dead "$reader" 8 || fail "alive; $(state)"
[ "$(decision series)" = file ] || fail "series $(decision series)"
pass "$(numbers)"
