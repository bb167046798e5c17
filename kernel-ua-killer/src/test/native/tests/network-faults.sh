# Each request to the kernel fails in turn, and each is the last before SIGKILL: nothing is left, or `clear` removes it.
# shellcheck shell=bash
# beside others
# must never
# shellcheck source=kernel-ua-killer/src/test/native/network.sh
. "$HERE/network.sh"
command -v strace >/dev/null || skip "no strace (package strace)"
network_begin
clean=$(everything)
limited() { [ "$(shown limited)" = true ]; }
fault() { # injection command...: the exit code and the output of the command
  inside strace -f -o "/tmp/$NODE.strace" -e "inject=$1" "$UA" network "$2" --device "$DEV" "${@:3}" 2>&1
}
how=(--cgroup "$BEST_EFFORT" --rate 1000000 --give-way-on 12500000) # the options with the most requests that can fail
fault sendto:error=EIO:when=1 limit "${how[@]}" >/dev/null && fail "strace injects nothing"
[ "$(wc -l <"/tmp/$NODE.strace")" -gt 0 ] || skip "strace may not trace here"
steps=0
for call in bpf sendto; do
  for ((n = 1; n <= 60; n++)); do
    out=$(fault $call:error=EPERM:when=$n limit "${how[@]}")
    code=$?
    grep -q INJECTED "/tmp/$NODE.strace" || { network clear >/dev/null; break; }
    steps=$((steps + 1))
    if [ $code = 0 ]; then # libbpf asks what the kernel supports, and accepts a no
      limited || fail "$call $n fails, success is reported, and there is no limit"
      network clear >/dev/null
    elif grep -q "the parts already created remain" <<<"$out"; then
      fail "$call $n fails: $out"
    fi
    [ -n "$out" ] || fail "$call $n fails and nothing is printed"
    [ "$(everything)" = "$clean" ] || fail "$call $n fails ($out) and leaves: $(diff <(echo "$clean") <(everything))"
  done
done
[ $steps -ge 12 ] || fail "only $steps requests were seen"
kills=0
for ((n = 1; n <= 60; n++)); do
  fault sendto:signal=SIGKILL:when=$n limit "${how[@]}" >/dev/null
  grep -q SIGKILL "/tmp/$NODE.strace" || { network clear >/dev/null; break; }
  kills=$((kills + 1))
  # The next start limits or clears, in any state.
  [ $((n % 2)) = 0 ] || network limit "${how[@]}" >/dev/null || fail "cannot limit after SIGKILL at request $n"
  network clear >/dev/null || fail "cannot clear after SIGKILL at request $n"
  [ "$(everything | grep -v "qdisc clsact")" = "$clean" ] || fail "after SIGKILL at request $n: $(diff <(echo "$clean") <(everything))"
  inside tc qdisc del dev "$DEV" clsact 2>/dev/null && clsact_left="$clsact_left $n"
done
[ -z "$clsact_left" ] || fail "clsact stayed after SIGKILL at request$clsact_left"
[ $kills -ge 8 ] || fail "only $kills requests were seen"
# A clear that fails reports it and can be repeated.
for ((n = 1; n <= 60; n++)); do
  network limit "${how[@]}" >/dev/null || fail "cannot limit"
  out=$(fault sendto:error=EPERM:when=$n clear)
  code=$?
  grep -q INJECTED "/tmp/$NODE.strace" || break
  [ $code != 0 ] || fail "clear: request $n fails, and success is reported"
  [ -n "$out" ] || fail "clear: request $n fails and nothing is printed"
  network clear >/dev/null || fail "cannot clear after request $n failed"
  [ "$(everything)" = "$clean" ] || fail "clear, request $n fails: $(diff <(echo "$clean") <(everything))"
done
pass "$steps failures and $kills kills of limit, $((n - 1)) failures of clear"
