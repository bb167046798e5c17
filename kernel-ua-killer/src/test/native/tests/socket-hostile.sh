# Hostile clients of the helper's socket, which hold connections or send half a line or a flood, delay no kill and lock out no other client.
# shellcheck shell=bash
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
FLOOD=()
hang_up() {
  local p
  for p in "${FLOOD[@]}"; do kill "$p" 2>/dev/null; done
}
socket_begin "${SERVICE[@]}"
trap 'hang_up; cleanup' EXIT
victim=$(container best-effort)
await_node_manager
request register "$victim" --domain "$DOMAIN" --score 500 --age-ms 10000 | grep -q '"done":true' || fail "register"
request set cgth-time-ms 1500 --domain "$DOMAIN" | grep -q '"done":true' || fail "set"
cat >"$FILES/hostile.pl" <<'PERL'
use Socket;
my ($path, $manner) = @ARGV;
$SIG{PIPE} = 'IGNORE';
my @held;
for (;;) {
  my $s;
  socket($s, PF_UNIX, SOCK_STREAM, 0);
  unless (connect($s, sockaddr_un($path))) { select(undef, undef, undef, 0.01); next; }
  if ($manner eq 'hold') { push @held, $s; syswrite($s, "status\n"); sleep(1) if @held % 20 == 0; }
  elsif ($manner eq 'silent') { syswrite($s, 'stat'); sysread($s, my $answer, 1); }
  else { 1 while syswrite($s, "status\n" x 100); }
}
PERL
# The NodeManager's user and group, which are not served, and root, which is, with more connections than there are
# slots.
for manner in silent flood hold; do
  "${AS_JOB[@]}" perl "$FILES/hostile.pl" "$SOCKET" $manner &
  FLOOD+=($!)
  disown $!
done
perl "$FILES/hostile.pl" "$SOCKET" hold &
FLOOD+=($!)
disown $!
sleep 0.5
for _ in {1..20}; do
  request decisions 0 | grep -q '^{"decisions"' || fail "among hostile clients the NodeManager is not served"
done
# A client that connects only now gets a slot, too.
await 10 "$UA" --socket "$SOCKET" decisions 0 >/dev/null || fail "beside hostile clients no other client is served"
start "$victim" anonymous 220 1
wait_dead "$victim" 8 || fail "alive; $(state)"
request decisions 0 | grep -q '"sequence":1,.*"victim":"'"$victim"'"' || fail "decisions: $(request decisions 0)"
expect_streak 1.5
for p in "${FLOOD[@]}"; do kill -0 "$p" 2>/dev/null || void "a hostile client ended early"; done
pass "among ${#FLOOD[@]} hostile clients: $(numbers)"
