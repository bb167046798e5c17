# The helper forgets containers whose cgroup is gone; those that are there stay registered, empty or not.
begin 64 0
load
for name in gone empty; do best_effort "$(container $name)"; done
rmdir "$DOMAIN/gone"
registered() { ua --json status | grep -o '"killable":true' | wc -l; }
[ "$(registered)" = 2 ] || fail "$(registered) containers before the helper, expected 2"
start_helper
for _ in $(seq 80); do
  [ "$(registered)" = 1 ] && break
  sleep 0.1
done
[ "$(registered)" = 1 ] || fail "$(registered) containers after 8 s, expected 1"
sleep 6
ua --json status | grep -q '/empty","killable":true' || fail "the one that exists was forgotten"
pass
