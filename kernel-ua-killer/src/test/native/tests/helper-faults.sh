# System calls of the helper fail in turn: it forgets no living container, and it kills again, by itself or after a restart.
# shellcheck shell=bash
# must never
command -v strace >/dev/null || skip "no strace (package strace)"
ALL=${UA_LONG:-} # all errors, at 20 positions up to the 200th call, instead of a few; and every other call that it makes
calls=(openat bpf read poll epoll_wait)
errors=(EMFILE ENOMEM EINTR)
numbers=(1 9 40)
[ -z "$ALL" ] || { calls+=(pidfd_open) && mapfile -t numbers < <(seq 1 10 200); }
begin 96 400
bystander=$(container bystander)
start "$bystander" idle 4
begin_tier() { # tier
  load --tier "$1"
  ua set cgth-time-ms 500
  best_effort "$bystander" 1 3600000
}
begin_tier 3 # the tier in which the helper does the most
registered() { ua --json status | grep -o '"killable":true' | wc -l; }
before=$(registered)
rounds=0 deaths=0 unseen=0
inject() { # call error number
  local trace=$FILES/strace traced i
  : >"$FILES/helper.log"
  : >"$trace"
  strace -f -o "$trace" -e "trace=$1" -e "inject=$1:error=$2:when=$3+" \
    "$UA" --bpffs "$BPFFS" reap --socket "$FILES/socket" >"$FILES/helper.log" 2>&1 &
  traced=$!
  for ((i = 0; i < 6; i++)); do
    kill -0 $traced 2>/dev/null || break
    sleep 0.05
  done
  grep -q INJECTED "$trace" || unseen=$((unseen + 1))
  if kill -0 $traced 2>/dev/null; then
    pkill -TERM -P $traced 2>/dev/null
    for ((i = 0; i < 40; i++)); do kill -0 $traced 2>/dev/null || break; sleep 0.05; done
    pkill -KILL -P $traced 2>/dev/null
  else
    deaths=$((deaths + 1))
    [ -s "$FILES/helper.log" ] || fail "$1 fails with $2 from call $3 on: the helper ends and prints nothing"
  fi
  wait $traced 2>/dev/null
  ! grep -q 'SIGSEGV\|SIGABRT\|SIGBUS' "$trace" || fail "$1 fails with $2 from call $3 on: $(grep -m1 'SIGSEGV\|SIGABRT\|SIGBUS' "$trace")"
  ua --json status | grep -q '"killable\(Below\|Missing\)":\["' || fail "$1 fails with $2 from call $3 on: where containers may be killed is forgotten"
  [ "$(registered)" = "$before" ] || fail "$1 fails with $2 from call $3 on: a live container is not registered any more"
  expect_alive "$bystander" "$1 $2 $3: a bystander"
  rounds=$((rounds + 1))
}
# All calls of the helper, except those whose failure no program's own code sees: libc ends the program, or loops.
others() {
  strace -f -o "$FILES/calls" "$UA" --bpffs "$BPFFS" reap --socket "$FILES/socket" >"$FILES/helper.log" 2>&1 &
  local traced=$!
  await 10 grep -q ready "$FILES/helper.log" || fail "the helper does not start: $(cat "$FILES/helper.log")"
  sleep 1
  pkill -TERM -P $traced
  wait $traced 2>/dev/null
  sed -En 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$FILES/calls" | sort -u |
    grep -vxE "execve|arch_prctl|futex|exit|exit_group|rt_sigreturn|restart_syscall|$(IFS='|'; echo "${calls[*]}")"
}
if [ -n "$ALL" ]; then
  mapfile -t rest < <(others)
  [ ${#rest[@]} -ge 20 ] || fail "only ${#rest[@]} other calls are seen: ${rest[*]}"
  for call in "${rest[@]}"; do
    for error in "${errors[@]}"; do inject "$call" "$error" 1; done
    inject "$call" EMFILE 6
  done
  for tier in 1 2 3; do
    ua unload >/dev/null
    begin_tier $tier
    [ $tier != 3 ] || break
    for call in "${calls[@]}" "${rest[@]}"; do inject "$call" EMFILE 1; done
  done
fi
for call in "${calls[@]}"; do
  for i in "${!numbers[@]}"; do
    if [ -n "$ALL" ]; then
      for error in "${errors[@]}"; do inject "$call" "$error" "${numbers[i]}"; done
    else
      inject "$call" "${errors[i]}" "${numbers[i]}"
    fi
  done
done
inject readlink EMFILE 1 # the path of a cgroup cannot be read, and nothing else fails
expect_kills 0
# Before Linux 6.15, the kernel does not report the cgroup of a process if its path is longer than PATH_MAX. This
# gives no protection.
victim=$(container victim)
best_effort "$victim" 1000 1000
start "$victim" anonymous 200 1
read -r hidden <"$victim/cgroup.procs"
: >"$FILES/helper.log"
strace -f -o "$FILES/strace" -P "/proc/$hidden/cgroup" -e inject=read:error=ENAMETOOLONG \
  "$UA" --bpffs "$BPFFS" reap >"$FILES/helper.log" 2>&1 & # ends when the killer is unloaded
helper_ready
wait_dead "$victim" 20 || fail "after all that no container is killed; $(state)"
grep -q INJECTED "$FILES/strace" || void "nothing read the victim's cgroup"
expect_alive "$bystander" "a bystander"
pass "$rounds rounds, in $deaths the helper ended and printed why, in $unseen the call was not reached; then one died whose cgroup the kernel hides"
