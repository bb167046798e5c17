# Containers are killed only strictly below the cgroups that root named, whatever is registered by hand; also after these cgroups were removed and created again.
# shellcheck shell=bash
# must never
for tool in setpriv bpftool; do command -v $tool >/dev/null || skip "no $tool"; done
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || skip "this test writes little endian"
begin 192 800
member() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
bytes() { # number length: the number in that many bytes, as the maps hold it
  local i n=$1
  for ((i = 0; i < $2; i++)); do printf '%d ' $((n & 255)); n=$((n >> 8)); done
}
write_map() { # map key value command...: key and value as bytes; the command selects the user
  # shellcheck disable=SC2086 # one word for each byte
  "${@:4}" bpftool map update pinned "$BPFFS/charon/$1" key $2 value $3 >"$FILES/bpftool" 2>&1
}
# shellcheck disable=SC2153 # not DOMAINS
domain=$(bytes "$(stat -c %i "$DOMAIN")" 8)
register_by_hand() { # cgroup score
  write_map containers "$(bytes "$(stat -c %i "$1")" 8)" "$domain$(bytes 1 8)$(bytes "$2" 4)$(bytes $(($2 > 0)) 4)$(bytes 0 8)" ||
    fail "the map cannot be written by hand: $(head -1 "$FILES/bpftool")"
}
start_as_unit() { # the helper, with the group and only the capabilities of conf/charon-ua-killer.service
  : >"$FILES/helper.log"
  as_unit --groups 65534 -- "$UA" --bpffs "$BPFFS" reap >"$FILES/helper.log" 2>&1 &
  # shellcheck disable=SC2034 # cleanup ends it
  HELPER=$!
  helper_ready
}
node=$DOMAIN/node
root=$node/best-effort
found() { [ "$(stat -c %g "$root" 2>/dev/null)" = 65534 ] && ua --json status | grep -q "\"killableBelow\":\[\"$root\"\]"; }
for tier in 1 3; do
  restarts=$((tier == 1 ? 2 : 1))
  [ -z "${UA_LONG:-}" ] || restarts=3
  mkdir -p "$BPFFS"
  ua load --tier "$tier" --group 65534 >/dev/null || fail "load failed"
  refused 2 "whole path" ua domain add "$DOMAIN" --killable-below /
  refused 2 "whole path" ua domain add "$DOMAIN" --killable-below "$DOMAIN/../other"
  refused 2 "not in the domain" ua domain add "$DOMAIN" --killable-below /other
  ua --json domain add "$DOMAIN" --killable-below "$root" || fail "cannot add the domain"
  start_as_unit
  ua set cgth-time-ms 1000
  [ "$(stat -c '%a %u %g' "$root" "$node" | uniq)" = "1775 0 65534" ] || fail "best-effort: $(stat -c '%a %u %g' "$root" "$node")"
  # What the NodeManager's user can and cannot do there.
  member mkdir "$node/production" "$root/warm-up" || fail "a member makes no cgroups"
  member rmdir "$root/warm-up" || fail "a member does not remove his own cgroup"
  member rmdir "$root" 2>/dev/null && fail "a member removed the root of what may be killed"
  member mv "$root" "$node/other" 2>/dev/null && fail "a member renamed the root of what may be killed"
  write_map killable "$(bytes "$(stat -c %i "$node")" 8)" 0 member && fail "a member wrote where containers may be killed"
  refused 4 "containers may not be killed there" ua register "$node/production" --domain "$DOMAIN" --score 5
  refused 2 "contains cgroups" ua register "$node" --domain "$DOMAIN"
  refused 2 "contains cgroups" ua register "$root" --domain "$DOMAIN" --score 5
  start "$node/production" idle 10
  start "$root" idle 5
  stranger=$(container stranger)
  start "$stranger" idle 5
  for ((restart = 1; restart <= restarts; restart++)); do
    # Registers everything outside of best-effort, and the cgroups around it, with the highest score.
    for cgroup in "$node/production" "$root" "$node" "$stranger" "$DOMAIN"; do register_by_hand "$cgroup" 1000; done
    victim=$root/victim-$restart
    member mkdir "$victim" || fail "a member makes no container"
    best_effort "$victim" 1 90000
    start "$victim" anonymous 260 1
    wait_dead "$victim" 20 || fail "tier $tier, $restart: the registered victim is alive; $(state)"
    for cgroup in "$node/production" "$root" "$stranger"; do
      expect_alive "$cgroup" "tier $tier, $restart: $cgroup"
    done
    expect_kills $restart
    [ "$(decision candidates)" = 1 ] || fail "tier $tier, $restart: $(decision candidates) candidates"
    # Production counts as ignored only if the node around it does not hide it.
    at_least 4 json registrationsIgnored || fail "tier $tier, $restart: $(json registrationsIgnored) ignored, expected 4 or 5"
    ua unregister "$victim"
    # Root removes the tree; the helper creates it again, or finds the one that root created.
    kill_cgroup "$root"
    [ $restart != 2 ] || mkdir "$root" 2>/dev/null
    await 5 found || fail "tier $tier, $restart: best-effort is not found again: $(ua status)"
    start "$root" idle 5
  done
  # A cgroup that the member creates at that path is not root's, and no container is killed in it.
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  kill_cgroup "$root"
  member mkdir "$root" "$root/victim" || fail "a member makes no cgroups"
  start_as_unit
  lost() { ua --json status | grep -q "\"killableMissing\":\[\"$root\"\]"; }
  await 5 lost || fail "tier $tier: a member's cgroup is taken for root's: $(ua status)"
  register_by_hand "$root/victim" 1000
  start "$root/victim" anonymous 260 1
  thrashed() { at_least 2 json noCandidate; }
  await 20 thrashed || void "tier $tier: no thrash; $(state)"
  expect_alive "$root/victim" "tier $tier: what is below a member's own cgroup"
  expect_kills "$restarts"
  kill_cgroup "$root/victim"
  # Root names the cgroup again, which takes it over.
  ua --json domain add "$DOMAIN" --killable-below "$root" || fail "cannot add the domain again"
  found || fail "tier $tier: not found after domain add: $(ua status)"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  for cgroup in "$node" "$stranger"; do kill_cgroup "$cgroup"; done
  ua unload >/dev/null
done
pass "made again several times, in tiers 1 and 3; with another user's cgroup at that place no container dies"
