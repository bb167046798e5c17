# Tier 3: after one pass that took long because the machine stood still, the helper samples again at once.
# shellcheck shell=bash
# beside others: it makes no memory pressure
# shellcheck source=kernel-ua-killer/src/test/native/slowed.sh
. "$HERE/slowed.sh"
# One lookup of the helper's main thread takes 1.2 s.
strace -qq -ttt -o "$FILES/trace" -p "$HELPER" -e trace=open_by_handle_at -e inject=open_by_handle_at:delay_enter=1200ms:when=1 \
  2>"$FILES/strace.log" &
STRACE=$!
lookups() { grep -c open_by_handle_at "$FILES/trace" 2>/dev/null; }
# A pass looks up three cgroups: what follows the third lookup belongs to the passes after the long one.
await 3 at_least 7 lookups || late=yes
{ kill -9 "$STRACE" && wait "$STRACE"; } 2>/dev/null
[ -s "$FILES/trace" ] || void "the helper looks nothing up: $(cat "$FILES/strace.log")"
[ -z "${late:-}" ] || fail "$(lookups) lookups in 6 s, of which the first took 1.2 s"
pass "$(lookups) lookups"
