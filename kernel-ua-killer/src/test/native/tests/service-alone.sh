# A watched service that thrashes while no best-effort container runs: nobody dies, it is counted; the next one to come dies.
begin 128 600
load
start_helper
ua set cgth-time-ms 1000
mkdir -p "$DOMAIN/services/database" "$DOMAIN/best-effort/one"
service=$DOMAIN/services/database
watched "$service"
best_effort "$DOMAIN/best-effort/one" 1000 1 # registered, and empty
start "$DOMAIN/services" idle 5
start "$service" anonymous 220 1
sleep 4.5
expect_alive "$service" "the service"
expect_alive "$DOMAIN/services" "the process beside the service"
[ "$(kills)" = 0 ] || fail "$(kills) kills without a candidate"
counted=$(json noCandidate)
[ "$counted" -ge 2 ] || fail "counted only $counted times; $(state)"
start "$DOMAIN/best-effort/one" idle 30
wait_dead "$DOMAIN/best-effort/one" 6 || fail "the first candidate lives; $(state)"
expect_alive "$service" "the service"
[ "$(decision trigger)" = "$service" ] || fail "triggered by $(decision trigger)"
pass "no candidate $counted times, then $(numbers)"
