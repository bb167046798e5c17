# The helper's unit under systemd: enabled, it loads and serves a NodeManager's unit without root, which runs in its tree; it survives ten crashes; stopped, the programs stay; unloaded while it runs, nothing comes back.
# shellcheck shell=bash
BPFFS=/run/charon/bpffs
trap 'systemctl status charon-ua-killer 2>&1 | head -30' EXIT
[ "$(cat /proc/1/comm)" = systemd ] || skip "systemd is not the first process"
cp /bin/ua-killer /usr/local/sbin/
cp /tests/charon-ua-killer.service /etc/systemd/system/
# The NodeManager: its main process sends a request to the helper after it was moved into the tree.
cat >/bin/nodemanager <<'NM'
#!/bin/bash
for i in {1..100}; do grep -q ::/charon/nodemanager /proc/self/cgroup && break; sleep 0.1; done
cat /proc/self/cgroup >/run/nm/cgroup
for i in {1..200}; do mkdir /sys/fs/cgroup/charon/best-effort/container_1 2>/dev/null && break; sleep 0.1; done
( echo $BASHPID >/sys/fs/cgroup/charon/best-effort/container_1/cgroup.procs; cat /proc/self/cgroup >/run/nm/launched )
exec /bin/member request /run/charon/ua-killer.sock </run/nm/requests >/run/nm/answers
NM
chmod 755 /bin/nodemanager
mkdir /run/nm && chown 65534 /run/nm
mkfifo /run/nm/requests && chown 65534 /run/nm/requests
cat >/etc/systemd/system/hadoop-yarn-nodemanager.service <<'UNIT'
[Service]
User=yarn
ExecStartPre=+/usr/local/sbin/ua-killer tree add /charon --user yarn
ExecStartPost=+/usr/local/sbin/ua-killer tree add /charon --user yarn --process $MAINPID
ExecStart=/bin/nodemanager
UNIT
# On a busy machine, emulation may need more than systemd's 90 s to verify the programs.
mkdir /etc/systemd/system/charon-ua-killer.service.d
printf '[Service]\nTimeoutStartSec=300\n' >/etc/systemd/system/charon-ua-killer.service.d/emulated.conf
systemctl daemon-reload || fail "daemon-reload"
systemctl start hadoop-yarn-nodemanager || fail "the NodeManager's unit does not start"
systemctl enable --now charon-ua-killer >/dev/null 2>&1 || fail "the unit does not start: $(systemctl status charon-ua-killer)"
[ "$(systemctl is-enabled charon-ua-killer)" = enabled ] || fail "not enabled"
loaded() { ua --json status | grep -q '"tier":1'; }
await 20 loaded || fail "nothing is loaded: $(ua status 2>&1)"
exec 7>/run/nm/requests
echo status >&7
answered() { grep -q '"tier":1' /run/nm/answers; }
await 15 answered || fail "the NodeManager is not accepted: $(cat /run/nm/answers); $(systemctl show --property MainPID hadoop-yarn-nodemanager)"
[ "$(cat /run/nm/cgroup)" = 0::/charon/nodemanager ] || fail "the NodeManager is in $(cat /run/nm/cgroup)"
[ "$(cat /run/nm/launched)" = 0::/charon/best-effort/container_1 ] || fail "its container is in $(cat /run/nm/launched)"
programs() { find "$BPFFS/charon" -name 'link_*' | wc -l; }
attached=$(programs)
[ "$attached" -gt 0 ] || fail "no program is attached"
main() { systemctl show --property MainPID --value charon-ua-killer; }
again() { [ "$(main)" != "$1" ] && [ "$(main)" != 0 ] && [ "$(systemctl is-active charon-ua-killer)" = active ]; }
for crash in {1..10}; do
  before=$(main)
  kill -SEGV "$before" || fail "no helper to crash"
  await 20 again "$before" || fail "crash $crash: the helper is not started again: $(systemctl is-active charon-ua-killer)"
done
before=$(main)
kill -STOP "$before" || fail "no helper to stop"
await 40 again "$before" || fail "a helper that hangs is not started again: $(systemctl is-active charon-ua-killer)"
[ "$(programs)" = "$attached" ] || fail "$(programs) programs are attached, $attached before the crashes"
systemctl disable --now charon-ua-killer >/dev/null 2>&1 || fail "cannot disable"
inactive() { [ "$(systemctl is-active charon-ua-killer)" != active ]; }
inactive || fail "it runs after disable --now"
[ "$(programs)" = "$attached" ] || fail "the programs went with the helper"
# Unloaded while its unit runs, the killer stays unloaded.
systemctl start charon-ua-killer || fail "it does not start beside loaded programs"
ua unload >/dev/null || fail "unload"
await 10 inactive || fail "the helper runs after unload"
sleep 3 # as long as Restart= would take
inactive || fail "it came back"
refused 3 "not loaded" ua status
[ ! -e "$BPFFS/charon" ] || fail "pins stay"
systemctl is-active --quiet hadoop-yarn-nodemanager || fail "the NodeManager's unit did not outlive it"
exec 7>&-
systemctl stop hadoop-yarn-nodemanager
await 10 ua tree remove /charon || fail "the tree stays: $(ua tree remove /charon 2>&1)"
trap - EXIT
pass "10 crashes outlived, $attached programs attached until unload; a container arrived"
