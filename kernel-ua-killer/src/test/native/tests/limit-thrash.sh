# Two best-effort containers that thrash at their parent's limit: one of them is killed within cgth_time and two periods, and no other, also after the parent was created again.
# shellcheck shell=bash
begin 384 600
load
start_helper
limit_best_effort 48
ua set cgth-time-ms 1000
production=$(container production)
watched "$production"
start "$production" idle 60
# The best victim by its rank, below another limit: killing it would not help.
ua --json domain add "$DOMAIN" --killable-below "$LIMITED" --killable-below "$DOMAIN/other" || fail "cannot name a second place"
outside=$(container other/large)
best_effort "$outside" 1000 1000
start "$outside" idle 100
thrash() { # names: two containers, of which only one fits
  local name
  for name in "$@"; do best_effort "$(container "best-effort/$name")" 500 10000; done
  for name in "$@"; do start "$LIMITED/$name" anonymous 38 1; done
}
a_dead() { dead "$LIMITED/$1" || dead "$LIMITED/$2"; }
both_dead() { dead "$LIMITED/$1" && dead "$LIMITED/$2"; }
only_one() { # number of kills so far, names
  await 12 a_dead "$2" "$3" || fail "both are alive below the limit; $(state)"
  sleep 0.2
  expect_streak 1.0
  sleep 1.2 # longer than cgth_time: the other one fits
  expect_kills "$1"
  ! both_dead "$2" "$3" || fail "wrong death: both died; $(state)"
  [ "$(decision killableRootId)" = "$(stat -c %i "$LIMITED")" ] || fail "attributed to $(decision killableRootId); $(state)"
}
thrash a b
only_one 1 a b
report=$(numbers)
kill_cgroup "$LIMITED" # the helper creates it again, with another number and without its limit
again() { [ -d "$LIMITED" ] && ua --json status | grep -q "\"$LIMITED\"" && ! grep -q "\"killableMissing\":\[\"" <(ua --json status); }
await 5 again || fail "the cgroup with the limit is not there again"
[ "$UNIFIED" = 0 ] || echo +memory >"$LIMITED/cgroup.subtree_control"
set_limit "$LIMITED" 48
thrash c d
only_one 2 c d
expect_alive "$production" production
expect_alive "$outside" "the container below another limit"
pass "$report; with the limit made again: $(numbers)"
