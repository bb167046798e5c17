# systemd gets READY=1 once the maps are open, and keep-alives only from the main loop: a helper that is stopped, or hangs in its loop, sends none.
# shellcheck shell=bash
# beside others: it makes no memory pressure
for tool in perl setpriv strace; do command -v $tool >/dev/null || skip "no $tool"; done
begin 128 600
NOTIFIED=$FILES/notified
: >"$NOTIFIED"
cat >"$FILES/notify.pl" <<'PERL'
use Socket;
$| = 1;
alarm 120; # also where the test fails
socket(my $s, PF_UNIX, SOCK_DGRAM, 0);
bind($s, sockaddr_un($ARGV[0])) or die $!;
while (defined recv($s, my $text, 4096, 0)) { print $text =~ tr/\n/ /r, "\n"; }
PERL
perl "$FILES/notify.pl" "$FILES/notify" >"$NOTIFIED" &
MANAGER=$!
await 5 test -S "$FILES/notify" || fail "no fake service manager"
mark() { # text: written after everything that was sent before
  perl -e 'use Socket; socket(my $s, PF_UNIX, SOCK_DGRAM, 0); send($s, $ARGV[1], 0, sockaddr_un($ARGV[0])) or die $!' \
    "$FILES/notify" "$1" || fail "cannot mark"
  await 5 grep -q "^$1\$" "$NOTIFIED" || fail "the mark $1 does not arrive"
}
behind() { sed "0,/^$1\$/d" "$NOTIFIED" | grep -c WATCHDOG=1; } # mark: number of keep-alives after it
silent() { # mark what
  sleep 2.5 # keep-alives come every second
  [ "$(behind "$1")" = 0 ] || fail "$(behind "$1") keep-alives of $2"
}
export NOTIFY_SOCKET=$FILES/notify
refused 3 "ua-killer load" ua reap
mark unloaded
[ "$(cat "$NOTIFIED")" = unloaded ] || fail "notified without maps: $(cat "$NOTIFIED")"
load
: >"$FILES/helper.log"
as_unit "$UA" --bpffs "$BPFFS" reap --socket "$FILES/socket" >"$FILES/helper.log" 2>&1 &
HELPER=$!
helper_ready
await 5 at_least 3 behind unloaded || fail "no keep-alives: $(cat "$NOTIFIED")"
[ "$(sed -n 2p "$NOTIFIED")" = "READY=1 WATCHDOG=1" ] || fail "the first is: $(sed -n 2p "$NOTIFIED")"
[ "$(grep -c READY=1 "$NOTIFIED")" = 1 ] || fail "ready more than once: $(cat "$NOTIFIED")"

kill -STOP "$HELPER"
is_stopped() { grep -q "^State:.T" /proc/"$HELPER"/task/*/status && ! grep -q "^State:.[RSD]" /proc/"$HELPER"/task/*/status; }
await 5 is_stopped || fail "not stopped"
mark stopped
silent stopped "a stopped helper"
kill -CONT "$HELPER"
await 5 at_least 1 behind stopped || fail "no keep-alive of a helper that continues"

# Only its main thread hangs, in its next system call for a map.
doubt=
strace -qq -o "$FILES/trace" -p "$HELPER" -e trace=bpf -e inject=bpf:delay_enter=600s 2>"$FILES/strace.log" &
STRACE=$!
case $(uname -m) in x86_64) BPF_CALL=321 ;; *) BPF_CALL=280 ;; esac
hangs() {
  local call
  read -r call _ <"/proc/$HELPER/syscall"
  [ "$call" = $BPF_CALL ] && grep -q "^State:.t" "/proc/$HELPER/status"
}
await 5 hangs || doubt="the helper's loop does not hang"
mark hung
sleep 2.5
received=$(behind hung)
"$UA" --socket "$FILES/socket" status >/dev/null || doubt="its other threads hang as well"
{ kill -9 "$STRACE" && wait "$STRACE"; } 2>/dev/null # before any verdict: the helper could not be ended otherwise
[ -z "$doubt" ] || void "$doubt; $(cat "$FILES/strace.log")"
[ "$received" = 0 ] || fail "$received keep-alives of a helper whose loop hangs"
await 5 at_least 1 behind hung || fail "no keep-alive of a loop that works again"
{ kill "$MANAGER" && wait "$MANAGER"; } 2>/dev/null
pass "$(grep -c WATCHDOG=1 "$NOTIFIED") keep-alives"
