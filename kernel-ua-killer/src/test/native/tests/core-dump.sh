# A victim that dumps core is killed, although the kernel counts it as exiting as long as the dump lasts.
# shellcheck shell=bash
grep -q ^CoreDumping /proc/self/status || skip "the kernel does not show who dumps core"
case $(cat /proc/sys/kernel/core_pattern) in "|"* | "@"* | */*) skip "core files are not written to the directory of the process" ;; esac
begin 128 600
load # no helper, which would kill what the kernel left
[ "$(json tier)" = 1 ] || skip "the kernel does not kill"
ua set cgth-time-ms 1000
ua set victim-timeout-ms 60000
victim=$(container best-effort) production=$(container production)
best_effort "$victim"
watched "$production"
start "$production" idle 10
start "$victim" dump "$FILES"
read -r dumper <"$victim/cgroup.procs"
dumps() { grep -q "^CoreDumping:.1" "/proc/$dumper/status"; }
await 5 dumps || void "the victim does not dump core"
start "$victim" anonymous 220 1
await 20 at_least 1 kills || fail "no container thrashes; $(state)"
wait_dead "$victim" 10 || fail "the victim that dumps core is alive; $(state)"
[ "$(decision signals)" = 2 ] || fail "$(decision signals) signals to two processes"
expect_alive "$production" production
expect_kills 1
pass "$(numbers)"
