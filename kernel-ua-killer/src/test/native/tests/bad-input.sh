# Clear refusals: wrong root, values out of range, foreign cgroups, an unprivileged caller, a cgroup removed meanwhile.
# shellcheck shell=bash
# must never
begin 64 0
refused 3 "not loaded" ua status
refused 3 "not loaded" ua unload
load --group 65534
refused 2 "give the directory of a memory cgroup" ua domain add /nonexistent
refused 2 "not a memory cgroup" ua domain add /etc
inner=$(container inner)
refused 2 "contain one another" ua domain add "$inner"
refused 2 "contain one another" ua domain add "$MEMORY"
refused 2 "not below the domain" ua register "$MEMORY" --domain "$DOMAIN" --score 5
refused 3 "is no domain" ua register "$inner" --domain "$MEMORY" --score 5
refused 2 "1 to 1000" ua register "$inner" --domain "$DOMAIN" --score 1001
refused 2 "1 to 1000" ua register "$inner" --domain "$DOMAIN" --score -3
refused 2 "allows 0 (off) or" ua set cgth-time-ms 5
refused 2 "whole number" ua set flat-ms 1e3
refused 2 "no such key" ua set nonsense 1
refused 2 "give one of" ua set policy oldest
refused 2 "no such command" ua frobnicate
refused 2 "contain one another\|not a memory\|\.\." ua domain add "$DOMAIN/../$(basename "$DOMAIN")/inner"
# A container that is gone: unregistered by number; a new cgroup of the same name is another container.
best_effort "$inner"
number=$(stat -c %i "$inner")
rmdir "$inner"
ua --json status | grep -q "\"id\":$number" || fail "the registration vanished by itself"
ua unregister "$number" || fail "cannot unregister a removed cgroup by its number"
refused 3 "not registered" ua unregister "$number"
# The group may register and set, but neither move the limits nor load.
if command -v setpriv >/dev/null; then
  inner=$(container inner)
  as_group() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
  outsider() { setpriv --reuid 65533 --regid 65533 --clear-groups "$@"; }
  as_group "$UA" --bpffs "$BPFFS" register "$inner" --domain "$DOMAIN" --score 5 || fail "the group cannot register"
  as_group "$UA" --bpffs "$BPFFS" set cgth-time-ms 4000 || fail "the group cannot set cgth_time"
  as_group "$UA" --bpffs "$BPFFS" --json status | grep -q '"cgthTimeSeconds":4.000' || fail "the group cannot read"
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" domain add "$inner"
  refused 4 "permission denied" as_group "$UA" --bpffs "$BPFFS" set period-ms 50
  refused 4 "needs root" as_group "$UA" --bpffs "$BPFFS" unload
  refused 4 "permission denied" outsider "$UA" --bpffs "$BPFFS" status
  refused 4 "permission denied" outsider "$UA" --bpffs "$BPFFS" unregister "$inner"
fi
pass
