# Linux's own OOM killer acts first: no kill is recorded or sent for it, and the next episode is handled as usual.
# shellcheck shell=bash
# must never
begin 96 0
load
start_helper
ua set cgth-time-ms 1000
ua set policy score
greedy=$(container greedy)
other=$(container other)
reader=$(container reader)
best_effort "$greedy" 900
best_effort "$other" 500
best_effort "$reader" 100
oom_kills() { # cgroup
  local file=memory.events
  [ "$UNIFIED" = 1 ] || file=memory.oom_control
  awk '$1 == "oom_kill" { print $2 }' "$1/$file"
}
start "$other" idle 10
start "$greedy" anonymous 200 1 # no swap, so reclaim makes no progress
wait_dead "$greedy" 20 || fail "the greedy container is alive; $(state)"
[ "$(oom_kills "$greedy")" -ge 1 ] || skip "Linux's OOM killer did not come first; $(state)"
sleep 1 # cgth_time
expect_kills 0
expect_alive "$other" "a bystander"
# The empty container has the highest score, but is not a candidate.
"$WORK" create "$FILES/data" 160
start "$reader" file "$FILES/data" 160 2
wait_dead "$other" 20 || fail "the next episode is not handled; $(state)"
[ "$(decision victim)" = "$other" ] || fail "the victim is $(decision victim)"
[ "$(decision candidates)" = 2 ] || fail "$(decision candidates) candidates, expected 2"
[ "$(json survivors)" = 0 ] || fail "$(json survivors) survivors"
pass "$(oom_kills "$greedy") by Linux, then $(numbers)"
