# 50 containers at once; those that thrash go one by one until the rest fits, and the idle ones stay.
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
end=$(($(now_ms) + 15000))
while [ "$(population "$DOMAIN/large-1")" != 0 ] && [ "$(population "$DOMAIN/large-2")" != 0 ]; do
  [ "$(now_ms)" -lt $end ] || fail "no thrasher died; $(state)"
  sleep 0.1
done
sleep 3
for i in $(seq 48); do expect_alive "$DOMAIN/small-$i" "small-$i"; done
[ "$(kills)" = 1 ] || fail "$(kills) kills, expected 1: what was left fits"
pass "sampling pass mean $(json samplingPassMeanMicros) us, max $(json samplingPassMaxMicros) us; $(numbers)"
