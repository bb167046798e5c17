# While eight readers make the kernel reclaim on all CPUs, nearly every pass over 300 containers counts, and a thrasher is killed.
# shellcheck shell=bash
# long
begin 256 1200
load
start_helper
ua set cgth-time-ms 0
for ((i = 1; i <= 300; i++)); do best_effort "$(container "idle-$i")"; done
readers=$(container readers)
best_effort "$readers"
for ((i = 1; i <= 8; i++)); do
  truncate -s 1T "$FILES/stream-$i"
  start "$readers" stream "$FILES/stream-$i" 1
done
samples() { ua samples "$readers" 2>/dev/null | grep -c -- "$1"; } # pattern
await 20 at_least 50 samples ' \(yes\|no\)$' || fail "the readers are not sampled; $(state)"
yes=$(samples ' yes$') no=$(samples ' no$')
[ $((yes * 100)) -ge $(((yes + no) * 95)) ] ||
  fail "$yes of $((yes + no)) passes count, the mean pass takes $(json samplingPassMeanMicros) us; $(state)"
report="$yes of $((yes + no)) passes count, pass mean $(json samplingPassMeanMicros) us, max $(json samplingPassMaxMicros) us"
ua unregister "$readers"
kill_cgroup "$readers" # so that only the thrasher is detected
ua set cgth-time-ms 1000
victim=$(container thrasher)
best_effort "$victim"
start "$victim" anonymous 350 2
wait_dead "$victim" 8 || fail "alive; $(state)"
pass "$report; $(numbers)"
