# Where cgroup2 is mounted again, as network plugins do, its first mount counts; a mount point may have a space in its name.
# shellcheck shell=bash
# beside others
command -v unshare >/dev/null || skip "no unshare (package util-linux)"
first=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
[ -n "$first" ] || skip "cgroup2 is not mounted"
begin 64 0
load
second="$FILES/once more"
mkdir "$second"
# In a namespace of its own, where the memory controller is on v2.
chosen() { # [mount to remove]: the mount that the killer chooses
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount sh -c '[ "$1" = 1 ] || umount -l "$2"; mount -t cgroup2 none "$3"; [ -z "$4" ] || umount -l "$4"
    exec "$5" --bpffs "$6" domain add /nonexistent' \
    sh "$UNIFIED" "$MEMORY" "$second" "${1:-}" "$UA" "$BPFFS" 2>&1 | grep -o 'for example .*/hadoop-yarn'
}
expect_chosen() { # path, arguments of chosen
  local found
  found=$(chosen "${@:2}")
  [ "$found" = "for example $1/hadoop-yarn" ] || fail "not $1: $found"
}
expect_chosen "$first"
expect_chosen "$second" "$first"
pass "$first"
