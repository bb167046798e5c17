# Tier 3: the helper is seen alive during long passes and the rests after them, which are nine times as long.
# shellcheck shell=bash
# beside others: it makes no memory pressure
# shellcheck source=kernel-ua-killer/src/test/native/slowed.sh
. "$HERE/slowed.sh"
# A pass looks up three cgroups by their numbers. The helper's main thread is slow in that as if it examined many cgroups.
strace -qq -o "$FILES/trace" -p "$HELPER" -e trace=open_by_handle_at -e inject=open_by_handle_at:delay_enter=300ms \
  2>"$FILES/strace.log" &
STRACE=$!
slow() { [ -s "$FILES/trace" ]; }
await 5 slow || void "the helper is not slow: $(cat "$FILES/strace.log")"
before=$(samples) silent=
for _ in {1..70}; do
  [ "$(json helperPid)" = "$HELPER" ] || silent=yes
  sleep 0.1
done
sampled=$(($(samples) - before))
{ kill -9 "$STRACE" && wait "$STRACE"; } 2>/dev/null
if [ $sampled -lt 1 ] || [ $sampled -gt 3 ]; then void "$sampled passes in 7 s, expected one or two"; fi
[ -z "$silent" ] || fail "the helper did not show that it was alive"
pass "$sampled passes in 7 s"
