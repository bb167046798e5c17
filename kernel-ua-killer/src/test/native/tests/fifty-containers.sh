# 50 containers at once: thrashing ones are killed one by one until the rest fits, and the idle ones stay.
# shellcheck shell=bash
# must never
begin 256 1200
load
start_helper
ua set cgth-time-ms 1000
for i in $(seq 48); do
  c=$(container "small-$i")
  best_effort "$c" 500 60000
  start "$c" idle 1
done
for i in 1 2; do
  c=$(container "large-$i")
  best_effort "$c" 500 5000
  start "$c" anonymous 170 1
done
one_large_dead() { dead "$DOMAIN/large-1" || dead "$DOMAIN/large-2"; }
await 20 one_large_dead || fail "no thrasher died; $(state)"
sleep 2 # twice cgth_time
for i in $(seq 48); do expect_alive "$DOMAIN/small-$i" "small-$i"; done
expect_kills 1 # the rest fits
pass "sampling pass mean $(json samplingPassMeanMicros) us, max $(json samplingPassMaxMicros) us; $(numbers)"
