# A kernel whose refault counters are not where the programs expect them gets tier 3 with the reason, instead of wrong counts.
# shellcheck shell=bash
# beside others
command -v "${CLANG:-clang-19}" >/dev/null || skip "no clang to build a killer that looks at the wrong place"
begin 64 0
build() { # index: only what depends on it is compiled
  mkdir "$FILES/$1"
  cp -p "$OUT"/*.o "$OUT"/*.h "$FILES/$1" || return
  rm "$FILES/$1"/ua_killer.* "$FILES/$1/ua_load.o"
  make -s -C "$HERE/../../main/native" OUT="$FILES/$1" "BPF_CFLAGS=-DCOMPACT_REFAULT_INDEX=$1" "$FILES/$1/ua-killer"
}
build 6 &
build 8 || fail "no build with the index 8"
wait $! || fail "no build with the index 6"
for index in 6 8; do
  tier=$("$FILES/$index/ua-killer" --json self-test) || fail "self-test with the index $index: $tier"
  [ "$(value tier <<<"$tier")" = 3 ] || fail "index $index: $tier"
  grep -q "refault counters of this kernel" <<<"$tier" || fail "index $index without the reason: $tier"
done
tier=$(ua --json self-test)
[ "$(value tier <<<"$tier")" = 1 ] || skip "this kernel gives no tier 1: $tier"
pass
