# The helper forgets containers whose cgroup is gone; those that are there stay registered, empty or not.
# shellcheck shell=bash
# must never
begin 64 0
load
for name in gone empty later; do best_effort "$(container $name)"; done
rmdir "$DOMAIN/gone"
registered() { ua --json status | grep -o '"killable":true' | wc -l; }
forgotten() { [ "$(registered)" = "$1" ]; }
forgotten 3 || fail "$(registered) containers before the helper, expected 3"
start_helper
await 15 forgotten 2 || fail "$(registered) containers, expected 2"
rmdir "$DOMAIN/later" # at the next look the empty one is still there
await 15 forgotten 1 || fail "$(registered) containers, expected 1"
ua --json status | grep -q '/empty","killable":true' || fail "the one that exists was forgotten"
pass
