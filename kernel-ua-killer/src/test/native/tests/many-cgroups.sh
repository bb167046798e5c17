# A pass over many live and dying cgroups: its duration, that all passes use at most 2 % of a CPU, that rare passes still detect thrash, and that a thrasher is killed.
# shellcheck shell=bash
# long
LIVE=300 DYING=1000
[ -z "${UA_LONG:-}" ] || LIVE=3000 DYING=20000
command -v perl >/dev/null || skip "no perl"
begin none 2000
dying() { awk '$1 == "memory" { print $3 }' /proc/cgroups; }
set_limit "$DOMAIN" 2048
pool=$DOMAIN/pool
mkdir -p "$pool" "$FILES/cache"
[ "$UNIFIED" = 0 ] || echo +memory >"$pool/cgroup.subtree_control"
# A page of a removed cgroup, in a file that stays cached, keeps the memory cgroup alive.
mount -t tmpfs -o size=256m charon-ua-test "$FILES/cache" || skip "no tmpfs"
trap 'umount "$FILES/cache"; cleanup' EXIT
before=$(dying)
# shellcheck disable=SC2016 # variables of perl
perl -e '
  my ($pool, $cache, $live, $dying) = @ARGV;
  sub enter { open(my $f, ">", "$_[0]/cgroup.procs") or die "$_[0]: $!"; print $f "0"; close($f) or die "$_[0]: $!"; }
  for my $i (1 .. $live) { mkdir("$pool/live-$i") or die "live-$i: $!"; }
  for my $i (1 .. $dying) {
    mkdir("$pool/dying") or die "dying: $!";
    enter("$pool/dying");
    open(my $f, ">", "$cache/$i") or die "$cache/$i: $!"; print $f "x"; close($f);
    enter("$pool/live-1");
    rmdir("$pool/dying") or die "rmdir: $!";
  }' "$pool" "$FILES/cache" "$LIVE" "$DYING" || fail "cannot make the cgroups"
zombies=$(($(dying) - before))
began=$(now_ms)
load --period-ms 10 # more often than 2 % of a CPU permit
start_helper
victim=$(container victim)
best_effort "$victim"
# The kernel's own memory for the cgroups counts, too, and only a part of it can be reclaimed.
held=$(($(cat "$DOMAIN/memory.usage_in_bytes" 2>/dev/null || cat "$DOMAIN/memory.current") >> 20))
set_limit "$DOMAIN" $((held + 100))
start "$victim" anonymous $((held + 250)) 1
wait_dead "$victim" 20 || fail "alive after 20 s with $LIVE live and $zombies dying cgroups; $(state)"
took=$(($(now_ms) - began))
mean=$(json samplingPassMeanMicros) max=$(json samplingPassMaxMicros)
[ "$(json walksTruncated)" = 0 ] || fail "$(json walksTruncated) passes were cut off"
expect_kills 1
# The last pass is left out, because its rest comes after the measurement.
share=$(awk -v passes="$(json samplingPasses)" -v us="$mean" -v max="$max" -v ms=$took \
  'BEGIN { printf "%.2f", (passes * us - max) / ms / 10 }')
awk -v share="$share" 'BEGIN { exit !(share <= 2.1) }' || fail "passes took $share % of a CPU"
interval=$(awk -v us="$mean" 'BEGIN { ms = us * 50 / 1000; print ms < 10 ? 10 : int(ms) }')
pass "$LIVE live, $zombies dying cgroups: pass mean $mean us, max $max us, so one every $interval ms, $share % of a CPU (flat-ms $(json flatMillis)); $(numbers)"
