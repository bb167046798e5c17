# A watched service thrashes while no best-effort container runs: no container is killed, and this is counted.
# shellcheck shell=bash
# must never
begin 128 600
load
start_helper
ua set cgth-time-ms 1000
mkdir -p "$DOMAIN/services/database" "$DOMAIN/best-effort/one"
service=$DOMAIN/services/database
watched "$service"
best_effort "$DOMAIN/best-effort/one" 1000 1 # registered, but empty
start "$DOMAIN/services" idle 5
start "$service" anonymous 220 1
await 20 at_least 2 json noCandidate || fail "counted only $(json noCandidate) times; $(state)"
expect_alive "$service" "the service"
expect_alive "$DOMAIN/services" "the process beside the service"
expect_kills 0
pass "no candidate $(json noCandidate) times"
