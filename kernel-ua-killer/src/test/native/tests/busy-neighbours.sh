# A loader gets no worse tier if other processes constantly allocate and free memory in its own cgroup.
# shellcheck shell=bash
# long
begin 512 0
alone=$(ua --json self-test) || fail "self-test: $alone"
busy=$(container busy) || fail "no cgroup"
for _ in 1 2 3; do # tail keeps its output in memory
  run_in "$busy" bash -c 'while :; do head -c 20000000 /dev/zero | tail -c 20000000 >/dev/null; done'
done
for round in {1..15}; do
  beside=$(echo "$BASHPID" >"$busy/cgroup.procs" && ua --json self-test) || fail "round $round: $beside"
  [ "$beside" = "$alone" ] || fail "round $round: $beside instead of $alone"
done
pass "$round self-tests"
