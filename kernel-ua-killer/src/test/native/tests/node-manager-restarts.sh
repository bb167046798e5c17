# Three NodeManagers one after another, between which root removes the tree and creates it again: the killer still works, and still refuses everything else.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
socket_begin "${SERVICE[@]}"
node=$DOMAIN/node root=$DOMAIN/node/best-effort
production=$(container production)
ua --json domain add "$DOMAIN" --killable-below "$root" --promote-to "$node/production" || fail "cannot add the domain"
expect_reply() { # text request...
  local text=$1 out
  shift
  out=$(request "$*")
  grep -q -- "$text" <<<"$out" || fail "$restart: '$*' prints: $out"
}
found() { [ "$(stat -c %g "$root" 2>/dev/null)" = 65534 ] && ua --json status | grep -q "\"killableBelow\":\[\"$root\"\]"; }
start "$production" idle 5
for restart in 1 2 3; do
  await_node_manager
  "${AS_JOB[@]}" mkdir "$root/container_$restart" "$root/promoted_$restart" || fail "$restart: a member makes no container"
  expect_reply '"done":true' set cgth-time-ms 1000 --domain "$DOMAIN"
  expect_reply "containers may not be killed there" register "$production" --domain "$DOMAIN" --score 1000
  expect_reply "contains cgroups" register "$root" --domain "$DOMAIN" --score 1000
  expect_reply "contains cgroups" register "$node" --domain "$DOMAIN"
  expect_reply "not directly in a cgroup" move "$production" --domain "$DOMAIN"
  refused 4 "not the main process" job register "$root/container_$restart" --domain "$DOMAIN" --score 5
  start "$root/promoted_$restart" idle 5
  expect_reply '{"moved":1}' move "$root/promoted_$restart" --domain "$DOMAIN"
  expect_reply '"done":true' register "$root/container_$restart" --domain "$DOMAIN" --score 1 --age-ms 90000
  start "$root/container_$restart" anonymous 220 1
  wait_dead "$root/container_$restart" 20 || fail "$restart: the registered victim is alive; $(state)"
  expect_alive "$production" "$restart: production"
  for promoted in "$node"/production/*/; do expect_alive "$promoted" "$restart: $promoted"; done
  expect_kills $restart
  [ "$(decision candidates)" = 1 ] || fail "$restart: $(decision candidates) candidates"
  end_node_manager
  kill_cgroup "$root"
  if [ $restart = 2 ]; then # the helper, too, while no NodeManager runs
    { kill -9 "$HELPER" && wait "$HELPER"; } 2>/dev/null
    mkdir "$root" 2>/dev/null
    socket_helper "${SERVICE[@]}"
  fi
  await 5 found || fail "$restart: best-effort is not found again: $(ua status)"
done
pass "3 NodeManagers, 2 helpers, 3 kills"
