# Tier 1: a victim that was chosen when no process came to kill it, and an order that was left then, kill no container when the kernel reclaims again later; an order just given does.
# shellcheck shell=bash
# must never
for tool in perl bpftool; do command -v $tool >/dev/null || skip "no $tool"; done
case $(uname -m) in x86_64) BPF=321 ;; aarch64) BPF=280 ;; *) skip "the number of the system call bpf is not known here" ;; esac
begin 64 0
load
[ "$(json tier)" = 1 ] || skip "the kernel does not kill"
# The maps of the programs' variables, and the places of these in them.
map_named() { # end of the name
  local id
  for id in $(bpftool -j prog show pinned "$BPFFS/charon/handover" | grep -o '"map_ids":\[[^]]*' | grep -o '[0-9]*'); do
    if bpftool map show id "$id" | grep -q "name [^ ]*$1 "; then echo "$id"; fi
  done
}
place() { # map variable
  bpftool btf dump map id "$1" value | sed -n "s/.*offset=\([0-9]*\) .*(VAR '$2').*/\1/p" | head -1
}
variables=$(map_named .bss) constants=$(map_named .rodata)
slots=$(place "$variables" slots) pending=$(place "$variables" pending_kills) mask=$(place "$constants" mask)
if [ -z "$slots" ] || [ -z "$pending" ] || [ -z "$mask" ]; then void "bpftool does not show where the variables are"; fi
# Kernel threads leave such a choice and such an order; nothing here makes them do so at a time of our choosing.
cat >"$FILES/leave.pl" <<'PERL'
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
my ($bpf, $pins, $variables, $constants, $slots, $pending, $mask, $domain, $victim, $what, $ago) = @ARGV;
my $value = "\0" x 16384;
sub map_of { # a pin or a number
  my $fd = $_[0] =~ /^\d+$/ ? syscall($bpf, 14, pack("LLL", $_[0], 0, 0), 12) : syscall($bpf, 7, pack("pQ", $_[0], 0), 16);
  die "$_[0]: $!" if $fd < 0;
  return $fd;
}
sub get { my ($map, $key) = @_; die "$!" if syscall($bpf, 1, pack("QppQ", $map, $key, $value, 0), 32); }
sub put { my ($map, $key) = @_; die "$!" if syscall($bpf, 2, pack("QppQ", $map, $key, $value, 0), 32); }
my $zero = pack("L", 0);
my $then = int((clock_gettime(CLOCK_MONOTONIC) - $ago) * 1e9);
if ($what eq "victim") { # struct ua_domain_state
  my $map = map_of("$pins/domain_state");
  get($map, pack("Q", $domain));
  substr($value, 18 * 8, 24) = pack("QQQ", $victim, $then, 1);
  put($map, pack("Q", $domain));
} else { # struct kill_slot
  get(map_of($constants), $zero);
  my $hidden = unpack("Q", substr($value, $mask, 8));
  get(map_of("$pins/container_state"), pack("Q", $victim));
  my ($address, $level) = (unpack("Q", substr($value, 8, 8)) ^ $hidden, unpack("L", substr($value, 16, 4)));
  my $map = map_of($variables);
  get($map, $zero);
  substr($value, $slots, 48) = pack("QQQQQLL", $address, $victim, $domain, 1, $then, $level, 1);
  substr($value, $pending, 4) = pack("L", 1);
  put($map, $zero);
}
PERL
victim=$(container victim)
leave() { # victim|order seconds-ago
  perl "$FILES/leave.pl" "$BPF" "$BPFFS/charon" "$variables" "$constants" "$slots" "$pending" "$mask" \
    "$(stat -c %i "$DOMAIN")" "$(stat -c %i "$victim")" "$1" "$2" 2>"$FILES/perl" || fail "$1: $(cat "$FILES/perl")"
}
# The kernel reclaims, without thrash, for at least five passes.
reclaim() {
  start "$(container stream)" stream "$FILES/stream" 1
  await 20 at_least $(($(json samplingPasses) + 5)) json samplingPasses || fail "the kernel does not reclaim; $(state)"
}
truncate -s 1T "$FILES/stream"
ua set victim-timeout-ms 60000
best_effort "$victim"
start "$victim" idle 10
reclaim
kill_cgroup "$DOMAIN/stream"
leave victim 30
reclaim
expect_alive "$victim" "a victim that was chosen 30 s ago, and that no process killed then,"
kill_cgroup "$DOMAIN/stream"
leave order 3
reclaim
expect_alive "$victim" "a container that was to be killed 3 s ago"
just_ordered() { leave order 0; sleep 0.2; dead "$victim"; }
await 10 just_ordered || void "an order just given kills no container, so that an old one proves nothing; $(state)"
pass
