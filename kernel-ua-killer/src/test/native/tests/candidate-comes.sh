# A watched service thrashed while no best-effort container ran: the first one that starts is killed, and the service is not.
# shellcheck shell=bash
begin 128 600
load
start_helper
ua set cgth-time-ms 1000
service=$(container service)
latecomer=$(container latecomer)
watched "$service"
best_effort "$latecomer" 1000 1
start "$service" anonymous 220 1
await 10 at_least 1 json noCandidate || fail "the missing candidate was not counted; $(state)"
start "$latecomer" idle 30
wait_dead "$latecomer" 6 || fail "the first candidate is alive; $(state)"
expect_alive "$service" "the service"
[ "$(decision trigger)" = "$service" ] || fail "triggered by $(decision trigger)"
pass "no candidate $(json noCandidate) times, then $(numbers)"
