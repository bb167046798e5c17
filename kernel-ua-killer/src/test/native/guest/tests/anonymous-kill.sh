# Anonymous thrash in a domain with a limit: the thrasher is killed in the tier of this kernel, production stays, and the status names the tier with its reason.
# shellcheck shell=bash
begin 64 200
load
start_helper
victim=$(container best-effort)
production=$(container production)
best_effort "$victim"
watched "$production"
start "$production" idle 10
start "$victim" anonymous 100 1
wait_dead "$victim" 30 || fail "alive after 30 s; $(state)"
sleep 0.5
expect_alive "$production" production
expect_kills 1
[ "$(decision series)" = anonymous ] || fail "series $(decision series)"
[ "$(json tier)" = "$UA_TIER" ] || fail "tier $(json tier)"
executor=$(decision executor)
case $UA_TIER-$executor in
1-reclaimer | 1-handover | 2-helper | 3-helper) ;;
*) fail "killed by $executor" ;;
esac
expect_streak 3.0
pass "tier $(json tier), $(json reason); by $executor; $(numbers)"
