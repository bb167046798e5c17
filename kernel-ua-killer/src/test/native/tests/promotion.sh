# The helper moves a promoted container out of the killable root: only from there, only to the cgroup that root named, only for the NodeManager.
# shellcheck shell=bash
# beside others
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
socket_begin "${SERVICE[@]}"
root=$DOMAIN/best-effort target=$DOMAIN/production
refused 2 "overlap" ua domain add "$DOMAIN" --killable-below "$root" --promote-to "$root/inside"
refused 2 "overlap" ua domain add "$DOMAIN" --killable-below "$root" --promote-to "$DOMAIN"
refused 2 "not in the domain" ua domain add "$DOMAIN" --killable-below "$root" --promote-to /elsewhere
refused 2 "whole path" ua domain add "$DOMAIN" --killable-below "$root" --promote-to "$DOMAIN/../x"
ua --json domain add "$DOMAIN" --killable-below "$root" || fail "cannot add the domain"
container=$root/container_1
"${AS_JOB[@]}" mkdir "$container" "$container/nested" || fail "a member makes no container"
outside=$(container outside)
for cgroup in "$container" "$container/nested" "$outside"; do start "$cgroup" idle 5; done
refused 4 "not the main process" job move "$container" --domain "$DOMAIN"
await_node_manager
expect_reply() { # text request...
  local text=$1 out
  shift
  out=$(request "$*")
  grep -q -- "$text" <<<"$out" || fail "'$*' prints: $out"
}
expect_reply "no cgroup for promoted containers" move "$container" --domain "$DOMAIN"
ua --json domain add "$DOMAIN" --killable-below "$root" --promote-to "$target" || fail "cannot name the cgroup for promoted containers"
[ "$(stat -c '%a %u %g' "$target")" = "775 0 65534" ] || fail "the cgroup for promoted containers: $(stat -c '%a %u %g' "$target")"
for foreign in "$outside" "$container/nested" "$root" "$DOMAIN" "$target" "$MEMORY"; do
  expect_reply "not directly in a cgroup" move "$foreign" --domain "$DOMAIN"
done
expect_reply "not directly in a cgroup" move "$container" --domain "$MEMORY"
expect_reply "no such cgroup" move 999999999999 --domain "$DOMAIN"
expect_reply "whole path of a cgroup" move /etc/passwd --domain "$DOMAIN"
expect_reply "is missing" move "$container"
[ "$(population "$container")" = 2 ] || fail "a refused request moved a process"
expect_reply '{"moved":2}' move "$(stat -c %i "$container")" --domain "$(stat -c %i "$DOMAIN")"
[ "$(population "$container") $(population "$target/container_1") $(population "$outside")" = "0 2 1" ] || fail "not moved as asked"
# The group may remove it, and the helper creates it again.
kill_cgroup_as_member() { "${AS_JOB[@]}" rmdir "$1" || fail "a member does not remove $1"; }
xargs -r kill -9 <"$target/container_1/cgroup.procs"
await 5 dead "$target/container_1"
kill_cgroup_as_member "$target/container_1"
rmdir "$target" || fail "cannot remove the cgroup for promoted containers"
"${AS_JOB[@]}" mkdir "$root/container_2" || fail "a member makes no container"
start "$root/container_2" forking 20 2
# If the helper cannot see a process, it does not report that it was moved.
if command -v strace >/dev/null; then
  ! strace -o "$FILES/strace" -P "$root/container_2" -e inject=openat:error=EMFILE \
    "$UA" --bpffs "$BPFFS" move "$root/container_2" --domain "$DOMAIN" 2>"$FILES/blind" || fail "a caller that sees no process reports that all were moved"
  grep -q INJECTED "$FILES/strace" || void "the container was not opened: $(cat "$FILES/blind")"
fi
answer=$(request move "$root/container_2" --domain "$DOMAIN")
grep -q '{"moved":[1-9]' <<<"$answer" || fail "one that forks: $answer"
dead "$root/container_2" || fail "one that forks stays behind: $(population "$root/container_2") processes"
# Another user's cgroup at that path is not accepted as root's.
kill_cgroup "$target/container_2"
rmdir "$target" && mkdir "$target" && chown 65534 "$target"
"${AS_JOB[@]}" mkdir "$root/container_3"
start "$root/container_3" idle 5
expect_reply "could replace this cgroup" move "$root/container_3" --domain "$DOMAIN"
[ "$(population "$root/container_3")" = 1 ] || fail "moved to a cgroup that is another user's"
if [ "$UNIFIED" = 0 ]; then refused 3 "cgroup v1" ua tree add /charon-ua-test-$$-tree --user 65534 --group 65534; fi
pass "2 processes and one that forks moved; everything else refused"
