# Clear refusals: wrong root, values out of range, foreign cgroups, an unprivileged caller, a cgroup that was removed meanwhile.
# shellcheck shell=bash
# beside others
# must never
begin 64 0
refused 3 "not loaded" ua status
refused 3 "not loaded" ua unload
load --group 65534
refused 2 "give the directory of a memory cgroup" ua domain add /nonexistent
refused 2 "not a memory cgroup" ua domain add /etc
inner=$(container inner)
refused 2 "overlap; a domain" ua domain add "$inner"
refused 2 "overlap; a domain" ua domain add "$MEMORY"
refused 2 "not below the domain" ua register "$MEMORY" --domain "$DOMAIN" --score 5
refused 3 "is not a domain" ua register "$inner" --domain "$MEMORY" --score 5
refused 2 "1 to 1000" ua register "$inner" --domain "$DOMAIN" --score 1001
refused 2 "1 to 1000" ua register "$inner" --domain "$DOMAIN" --score -3
refused 2 "allows 0 (off) or" ua set cgth-time-ms 5
refused 2 "give 0 (off) or 100 to 600000" ua set owed-time-ms 99
ua set owed-time-ms 100 || fail "the shortest time is refused"
ua set owed-time-ms 0 || fail "no time is refused"
refused 2 "whole number" ua set flat-ms 1e3
refused 2 "no such key" ua set nonsense 1
refused 2 "give one of" ua set policy oldest
refused 2 "no such command" ua frobnicate
refused 2 "overlap; a domain\|not a memory\|\.\." ua domain add "$DOMAIN/../$(basename "$DOMAIN")/inner"
# A removed container is unregistered by number; a new cgroup with the same name is another container.
best_effort "$inner"
number=$(stat -c %i "$inner")
rmdir "$inner"
ua --json status | grep -q "\"id\":$number" || fail "the registration vanished by itself"
ua unregister "$number" || fail "cannot unregister a removed cgroup by its number"
refused 3 "not registered" ua unregister "$number"
# The group may use no map, and only root loads and unloads.
if command -v setpriv >/dev/null; then
  inner=$(container inner)
  as_group() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
  outsider() { setpriv --reuid 65533 --regid 65533 --clear-groups "$@"; }
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" register "$inner" --domain "$DOMAIN" --score 5
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" set cgth-time-ms 4000
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" --json status
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" domain add "$inner"
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" set period-ms 50
  refused 4 "needs root" as_group "$UA" --bpffs "$BPFFS" unload
  refused 4 "permission denied" outsider "$UA" --bpffs "$BPFFS" status
  refused 4 "permission denied" outsider "$UA" --bpffs "$BPFFS" unregister "$inner"
fi
# The options that identify the NodeManager have to be complete.
refused 2 "to identify the NodeManager" ua reap --socket "$FILES/socket" --user 65534
refused 2 "to identify the NodeManager" ua reap --socket "$FILES/socket" --service nm.service
refused 2 "to identify the NodeManager" ua reap --socket "$FILES/socket" --user 65534 --service nm.service --pid-file /run/nm.pid
refused 2 "absolute path" ua reap --socket "$FILES/socket" --user 65534 --pid-file nm.pid
refused 2 "not in /etc/passwd" ua reap --socket "$FILES/socket" --user no-such-user --service nm.service
# Maps of another version are neither read nor written.
if command -v bpftool >/dev/null; then
  # shellcheck disable=SC2046 # one word for each byte
  bpftool map update pinned "$BPFFS/charon/control" key 0 0 0 0 value hex \
    $(bpftool -j map dump pinned "$BPFFS/charon/control" | grep -o '"value":\[[^]]*' | grep -o '0x[0-9a-f]*' | sed '1s/.*/0x03/' | tr '\n' ' ') \
    2>"$FILES/bpftool" || skip "bpftool: $(cat "$FILES/bpftool")"
  for words in "status" "set cgth-time-ms 4000" "register $DOMAIN/inner --domain $DOMAIN --score 5" "domain add $DOMAIN" "domain remove $DOMAIN" "reap"; do
    # shellcheck disable=SC2086 # one word for each
    refused 3 "map version 3, this ua-killer needs 8; stop its helper and load again" ua $words
  done
fi
pass
