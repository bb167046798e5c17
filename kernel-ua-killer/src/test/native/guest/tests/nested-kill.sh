# The whole container is killed, including nested cgroups (without and with their own memory controller).
# shellcheck shell=bash
begin 64 300
load
start_helper
ua set cgth-time-ms 1500
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
mkdir -p "$victim/plain" "$victim/inner/deep"
echo +memory >"$victim/cgroup.subtree_control"
echo +memory >"$victim/inner/cgroup.subtree_control"
start "$production" idle 10
start "$victim/plain" anonymous 50 1
start "$victim/inner/deep" forking 50 2
wait_dead "$victim" 40 || fail "$(population "$victim") processes left; $(state)"
sleep 1
[ "$(population "$victim")" = 0 ] || fail "$(population "$victim") processes came back"
expect_alive "$production" production
expect_kills 1
pass "$(decision signals) signals in $(decision passes) passes, helper $(decision helperSignals); $(numbers)"
