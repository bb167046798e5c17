# On kernels that may preempt tracepoint programs (Linux 7), a sampling pass is not preempted: a best-effort task in a pass would block all detection.
# shellcheck shell=bash
# The best-effort task makes the passes on the only processor, next to production that needs it 250 times per second.
# Whenever the task is switched out, the kernel records where it was.
begin 64 300
TRACING=/sys/kernel/tracing
SWITCH=$TRACING/events/sched/sched_switch/trigger
mount -t tracefs tracing $TRACING 2>/dev/null
[ -e $SWITCH ] || skip "this kernel traces no switches of processes"
echo 1 >/proc/sys/net/core/bpf_jit_kallsyms # the stack shows programs by their names
mount -t debugfs debug /sys/kernel/debug 2>/dev/null
echo full 2>/dev/null >/sys/kernel/debug/sched/preempt # a task that wakes up gets the processor at once
echo 0 >/sys/devices/system/cpu/cpu1/online || skip "this kernel keeps its second processor"
for parent in "$MEMORY" "$DOMAIN"; do
  echo +cpu >"$parent/cgroup.subtree_control" || skip "no CPU controller"
done
load
ua set cgth-time-ms 0 # sampled, but not killed
ua set period-ms 10
victim=$(container best-effort)
production=$(container production)
echo 1 >"$victim/cpu.idle" || skip "no idle class for cgroups"
best_effort "$victim"
watched "$production"
start "$victim" anonymous 100 1
start "$production" respond 4000 1 1 600000 1
passes() { json samplingPasses; }
await 20 at_least 10 passes || fail "it is not sampled; $(state)"
echo 4096 >$TRACING/buffer_size_kb
echo 'stacktrace if prev_state != 1' >$SWITCH || skip "this kernel notes no stacks: $(tail -1 $TRACING/error_log)"
echo 1 >$TRACING/tracing_on
before=$(passes)
await 20 at_least $((before + 50)) passes || fail "it is hardly sampled; $(state)"
echo 0 >$TRACING/tracing_on
echo '!stacktrace' >$SWITCH
cat $TRACING/trace >"$FILES/trace"
switches=$(grep -c '<stack trace>' "$FILES/trace")
inside=$(grep -c 'bpf_prog_.*_\(walk_step\|judge_container\|judge_domain\)' "$FILES/trace")
around=$(grep -c 'bpf_prog_.*_\(memcg_reclaim_begin\|direct_reclaim_begin\|shrink_inactive\)' "$FILES/trace")
[ "$switches" -gt 100 ] || fail "$switches switches noted"
[ "$inside" = 0 ] || fail "preempted $inside times in a pass: $(grep -m 1 -B 8 -A 4 'bpf_prog_.*_walk_step' "$FILES/trace" | tr '\n' ';')"
pass "$(($(passes) - before)) passes, $switches switches, $around of them in a program"
