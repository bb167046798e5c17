# The whole container is killed: nested cgroups, and processes that fork while they are killed.
# shellcheck shell=bash
# long
begin 128 800
load
start_helper
ua set cgth-time-ms 1500
victim=$(container best-effort)
mkdir -p "$victim/inner/deep"
best_effort "$victim"
start "$victim" anonymous 60 1
start "$victim/inner" anonymous 60 1
start "$victim/inner/deep" forking 120 4
wait_dead "$victim" 20 || fail "$(population "$victim") processes left; $(state)"
sleep 1
[ "$(population "$victim")" = 0 ] || fail "$(population "$victim") processes came back"
expect_kills 1
pass "$(decision signals) signals in $(decision passes) passes, helper $(decision helperSignals); $(numbers)"
