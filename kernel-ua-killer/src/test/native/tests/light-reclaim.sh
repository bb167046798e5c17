# Gigabytes of page cache that a stream renews, next to thirty containers, half of which touch their memory now and then, and production that is entitled to all its memory: no container is killed.
# shellcheck shell=bash
# must never
begin 3072 800
load
ua set cgth-time-ms 600
ua set file-refaults fitting
ua set owed-time-ms 1000
for i in {1..15}; do
  c=$(container "touching-$i")
  best_effort "$c" 500 60000
  start "$c" respond 200000 20 10 600000 20 # five times per second 20 of 5,120 pages
  c=$(container "idle-$i")
  best_effort "$c" 500 60000
  start "$c" idle 20
done
production=$(container production)
watched "$production" --entitled $((400 << 20))
start "$production" respond 100000 50 10 600000 200
truncate -s 1T "$FILES/new"
stream=$(container stream)
watched "$stream" --entitled $((100 << 20))
start "$stream" stream "$FILES/new" 1
await 30 at_least 101 json reclaims || fail "the page cache does not fill: $(state)"
sleep 3 # five times cgth_time
for i in {1..15}; do
  expect_alive "$DOMAIN/touching-$i" "touching-$i"
  expect_alive "$DOMAIN/idle-$i" "idle-$i"
done
expect_kills 0
pass "$(json reclaims) reclaims, 0 kills"
