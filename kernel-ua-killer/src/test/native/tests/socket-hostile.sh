# Hostile clients of the helper's socket, half a line and silence or a flood of requests whose answers nobody reads, delay no kill.
# shellcheck shell=bash
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
command -v perl >/dev/null || skip "no perl"
FLOOD=()
hang_up() {
  local p
  for p in "${FLOOD[@]}"; do kill "$p" 2>/dev/null; done
}
socket_begin
trap 'hang_up; cleanup' EXIT
victim=$(container best-effort)
member register "$victim" --domain "$DOMAIN" --score 500 --age-ms 10000 >/dev/null || fail "register"
member set cgth-time-ms 1500 --domain "$DOMAIN" >/dev/null || fail "set"
cat >"$FILES/hostile.pl" <<'PERL'
use Socket;
my ($path, $manner) = @ARGV;
$SIG{PIPE} = 'IGNORE';
for (;;) {
  my $s;
  socket($s, PF_UNIX, SOCK_STREAM, 0) && connect($s, sockaddr_un($path)) or die $!;
  if ($manner eq 'silent') { syswrite($s, 'stat'); sysread($s, my $answer, 1); }
  else { 1 while syswrite($s, "status\n" x 100); }
}
PERL
for manner in silent silent silent flood flood; do
  setpriv --reuid 65534 --regid 65534 --clear-groups perl "$FILES/hostile.pl" "$SOCKET" $manner &
  FLOOD+=($!)
  disown $!
done
sleep 0.5
member status >/dev/null || fail "among hostile clients nobody is served"
start "$victim" anonymous 220 1
wait_dead "$victim" 8 || fail "alive; $(state)"
member decisions 0 | grep -q '"sequence":1,.*"victim":"'"$victim"'"' || fail "decisions: $(member decisions 0)"
expect_streak 1.5
for p in "${FLOOD[@]}"; do kill -0 "$p" 2>/dev/null || fail "a hostile client ended early: the test is void"; done
pass "among ${#FLOOD[@]} hostile clients: $(numbers)"
