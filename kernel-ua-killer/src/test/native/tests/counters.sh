# Counters of cgroups, here of CPU time and page faults: what is counted, who may count, and that no capability is kept.
# shellcheck shell=bash
# beside others
[ "$(id -u)" = 0 ] || skip "needs root"
HIERARCHY=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/self/mounts)
[ -n "$HIERARCHY" ] || HIERARCHY=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
[ -w "$HIERARCHY" ] || skip "no hierarchy with perf_event is writable"
OWN=$HIERARCHY/charon-counters-$$ FILES=/tmp/charon-counters-$$
BUSY=$OWN/busy IDLE=$OWN/idle
trap 'trap "" TERM INT HUP; kill_cgroup "$OWN"; rm -rf "$FILES"' EXIT
trap 'exit 143' TERM INT HUP
# On v2, perf events know cgroups once any controller is in use, as on every machine with Charon or systemd.
[ "$UNIFIED" = 0 ] || echo +memory >"$HIERARCHY/cgroup.subtree_control"
mkdir -p "$BUSY" "$IDLE" "$FILES" || skip "cannot make cgroups in $HIERARCHY"
counters() { "$UA" counters "$@" </dev/null; }
refused 2 "is missing" counters self-test
refused 2 "only subcommand" counters frobnicate --cgroup "$IDLE"
refused 2 "give one of" counters --cgroup "$IDLE" --events all
refused 2 "No such file" counters --cgroup "$IDLE/absent"
refused 2 "not a cgroup" counters --cgroup /tmp
out=$(counters self-test --events software --cgroup "$IDLE" 2>&1)
case $? in
0) ;;
3 | 4) skip "$out" ;;
*) fail "self-test: $out" ;;
esac
refused 2 "--foreground .*No such file" counters --events software --cgroup "$IDLE" --foreground "$IDLE/absent"
if [ -d /sys/fs/cgroup/memory ]; then
  refused 3 "not a cgroup of perf events" counters self-test --events software --cgroup /sys/fs/cgroup/memory
fi
# Hardware counters are available, or the error names the reason.
out=$(counters self-test --cgroup "$IDLE" 2>&1)
case $?:$out in
0:*"can be counted"*) ;;
3:*"has no counters"* | 3:*"do not advance"* | 4:*CAP_PERFMON*) ;;
*) fail "self-test prints: $out" ;;
esac
hardware=$out

(
  echo "$BASHPID" >"$BUSY/cgroup.procs" || exit 1
  exec bash -c 'while :; do /bin/true; done'
) >/dev/null 2>&1 &
disown $!
ask() { # options of counters: prints the counts of one second
  { echo; sleep 1; echo; } | "$UA" counters --events software "$@" | tail -1
}
read -r time faults enabled running <<<"$(ask --cgroup "$IDLE" --foreground "$BUSY")"
[[ $time -gt 0 && $faults -gt 0 ]] || fail "of a busy cgroup: $time ns, $faults faults"
[[ $enabled -gt 0 && $running -gt 0 ]] || fail "the counters had $running of $enabled ns"
[ "$(ask --cgroup "$BUSY" --foreground "$IDLE" | cut -d' ' -f1,2)" = "0 0" ] || fail "an idle cgroup was counted"
read -r both _ <<<"$(ask --cgroup "$IDLE" --foreground "$IDLE" --foreground "$BUSY")"
[ "$both" -gt 0 ] || fail "two cgroups: $both ns"
# The node without the busy cgroup: for this event, the node's idle time counts, too. So only the busy cgroup is
# missing, whose time is part of the time in which the counters ran.
read -r rest _ enabled _ <<<"$(ask --cgroup "$BUSY")"
[[ $rest -gt 0 && $((enabled - rest)) -gt 20000000 ]] || fail "the node without the busy cgroup: $rest of $enabled ns"
[ "$(ask --cgroup "$BUSY" --json | grep -c '{"cycles":[0-9]*,"instructions":[0-9]*,"enabledNanos":[0-9]*,"runningNanos":[0-9]*}')" = 1 ] ||
  fail "no JSON"

# No capability is left once it replies, and it ends with its input.
coproc "$UA" counters --events software --cgroup "$IDLE"
pid=$COPROC_PID
echo >&"${COPROC[1]}"
read -r line <&"${COPROC[0]}" || fail "no reply"
[ "$(wc -w <<<"$line")" = 4 ] || fail "the reply is: $line"
for set in CapInh CapPrm CapEff CapAmb; do
  [ "$(awk -v s=$set: '$1 == s { print $2 }' "/proc/$pid/status")" = 0000000000000000 ] || fail "$set is left"
done
grep -q "NoNewPrivs:.*1" "/proc/$pid/status" || fail "privileges can be gained"
eval "exec ${COPROC[1]}>&-"
for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
kill -0 "$pid" 2>/dev/null && { kill -9 "$pid"; fail "it outlives its input"; }

# As the NodeManager's user runs it: with one file capability and its own cgroup.
if command -v setpriv >/dev/null && command -v setcap >/dev/null; then
  chmod 755 "$FILES"
  cp "$UA" "$FILES/ua-killer"
  as_user() {
    { echo; sleep 0.3; echo; } | setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all,+perfmon --inh-caps -all \
      "$FILES/ua-killer" counters --events software --cgroup "$IDLE" --foreground "$BUSY"
  }
  refused 4 "needs write permission" as_user
  chown 65534 "$IDLE"
  [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 0 ] || refused 4 "CAP_PERFMON" as_user
  if setcap cap_perfmon=p "$FILES/ua-killer" 2>/dev/null; then
    refused 4 "only one group may run it" as_user
    chgrp 65534 "$FILES/ua-killer"
    chmod 0750 "$FILES/ua-killer"
    setcap cap_perfmon=p "$FILES/ua-killer"
    out=$(as_user 2>&1) || fail "with one capability: $out"
    [ "$(tail -1 <<<"$out" | cut -d' ' -f1)" -gt 0 ] || fail "with one capability it counts: $out"
    chown 0 "$IDLE"
    refused 4 "needs write permission" as_user
  fi
fi
pass "$((time / 1000000)) ms and $faults faults of a busy cgroup in 1 s; hardware: $hardware"
