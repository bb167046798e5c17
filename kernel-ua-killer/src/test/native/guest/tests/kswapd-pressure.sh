# The whole guest is short of memory: kswapd decides, may not send signals and hands over; the thrasher of a domain without a limit is killed, production stays.
# shellcheck shell=bash
begin none 900
# kswapd starts when less than a fiftieth is free instead of a thousandth, and is ahead of who allocates.
eager() { echo "$1" >/proc/sys/vm/watermark_scale_factor; }
eager 200
trap 'eager 10; cleanup' EXIT
load
start_helper
ua set cgth-time-ms 2000
production=$(container production)
watched "$production"
start "$production" idle 40
for round in 1 2; do
  victim=$(container "best-effort-$round")
  best_effort "$victim"
  start "$victim" anonymous 520 1
  wait_dead "$victim" 30 || fail "round $round: alive after 30 s; $(state)"
  sleep 0.5
  expect_alive "$production" production
  expect_kills $round
  executors="$executors $(decision executor)"
  [ "$(json handovers)" -ge 1 ] && break
done
[ "$(json handovers)" -ge 1 ] || fail "kswapd never decided; executed by$executors"
pass "$round rounds, $(json handovers) decisions of kswapd, executed by$executors; kswapd scanned \
$(awk '$1 == "pgscan_kswapd" { print $2 }' /proc/vmstat) pages; $(numbers)"
