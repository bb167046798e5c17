# A domain whose cgroup is removed and made again, or renamed and made again, is another domain: containers are killed in it, and nothing is left of the old ones.
# shellcheck shell=bash
begin 128 600
node=$DOMAIN/node root=$DOMAIN/node/best-effort
DOMAINS_BEFORE=9 # the table has room for 8
mkdir -p "$BPFFS"
ua load >/dev/null || fail "load failed"
add() { # one more domain with the name of the earlier ones, and a container
  make_domain "$node" 64
  ua --json domain add "$node" --killable-below "$root" || fail "domain $1 of this name cannot be added"
  [ "$UNIFIED" = 0 ] || echo +memory >"$root/cgroup.subtree_control"
  victim=$root/victim-$1
  mkdir "$victim" || fail "no container"
  ua register "$victim" --domain "$node" --score 500 || fail "cannot register a container of domain $1"
}
count() { ua --json status | grep -o "\"$1\":" | wc -l; } # field
[ "$UNIFIED" = 0 ] || echo +memory >"$DOMAIN/cgroup.subtree_control"
for ((i = 1; i <= DOMAINS_BEFORE; i++)); do
  add $i
  kill_cgroup "$node"
done
add last
domains=1
[ "$(count killCount)" = 1 ] || fail "$(count killCount) domains, expected 1: $(ua status)"
[ "$(count killable)" = 1 ] || fail "$(count killable) containers, expected 1: $(ua status)"
# On cgroup v1 a domain may also leave its name while it exists.
if [ "$UNIFIED" = 0 ]; then
  mv "$node" "$DOMAIN/renamed" || fail "the domain cannot be renamed"
  add renamed
  domains=2
fi
start_helper # looks up the killable roots before it is ready
[ "$(count killCount)" = $domains ] || fail "$(count killCount) domains, expected $domains: $(ua status)"
ua set cgth-time-ms 1000
start "$victim" anonymous 120 1
wait_dead "$victim" 20 || fail "the victim in the last domain is alive: $(state) $(ua status)"
expect_kills 1
pass "$(numbers)"
