# The helper forgets containers whose cgroup is gone; existing ones stay registered: an empty one, one whose path is too long to be read, and one with the name of a removed cgroup.
# shellcheck shell=bash
# beside others
# must never
for tool in perl bpftool; do command -v $tool >/dev/null || skip "no $tool"; done
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || skip "this test writes little endian"
begin 64 0
# shellcheck disable=SC2016 # perl's own variables
down='chdir shift or die; our $n = "d" x 250;'
remove_deep() { perl -e "$down"' for (1..20) { chdir $n or last } for (1..20) { chdir ".."; rmdir $n }' "$DOMAIN"; }
trap 'remove_deep; cleanup' EXIT
load
for name in gone empty later "of (deleted) name" "last (deleted)"; do best_effort "$(container "$name")"; done
# No tool can name this one, so it is registered by hand.
deep=$(perl -e "$down"' for (1..20) { mkdir $n or die; chdir $n or die } print((stat ".")[1])' "$DOMAIN") || fail "no deep cgroup"
bytes() { # number length: the number in that many bytes, as the maps hold it
  local i n=$1
  for ((i = 0; i < $2; i++)); do printf '%d ' $((n & 255)); n=$((n >> 8)); done
}
# shellcheck disable=SC2046,SC2153 # one word for each byte; not DOMAINS
bpftool map update pinned "$BPFFS/charon/containers" key $(bytes "$deep" 8) \
  value $(bytes "$(stat -c %i "$DOMAIN")" 8) $(bytes 1 8) $(bytes 0 8) $(bytes 0 8) || fail "cannot register the deep cgroup"
rmdir "$DOMAIN/gone"
registered() { ua --json status | grep -o '"killable":' | wc -l; }
forgotten() { [ "$(registered)" = "$1" ]; }
forgotten 6 || fail "$(registered) containers before the helper, expected 6"
start_helper
await 15 forgotten 5 || fail "$(registered) containers, expected 5: $(ua status)"
rmdir "$DOMAIN/later" # at the next check, the others are still there
await 15 forgotten 4 || fail "$(registered) containers, expected 4: $(ua status)"
for name in '/empty' '/of (deleted) name' '/last (deleted)'; do
  ua --json status | grep -q "$name\",\"killable\":true" || fail "$name was forgotten"
done
ua --json status | grep -q "\"id\":$deep," || fail "the deep one was forgotten"
pass
