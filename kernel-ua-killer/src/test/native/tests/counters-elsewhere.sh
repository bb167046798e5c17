# A kernel whose refault counters are not where the programs expect them, or whose pages have another size, gets tier 3 with the reason, instead of wrong numbers.
# shellcheck shell=bash
# beside others
command -v "${CLANG:-clang-19}" >/dev/null || skip "no clang to build a killer with wrong assumptions"
begin 64 0
build() { # macro value: only what depends on it is compiled
  local out=$FILES/$1-$2
  mkdir "$out"
  cp -p "$OUT"/*.o "$OUT"/*.h "$out" || return
  rm "$out"/ua_killer.* "$out/ua_load.o"
  make -s -C "$HERE/../../main/native" OUT="$out" "BPF_CFLAGS=-D$1=$2" "$out/ua-killer"
}
shift=0
while [ $((1 << shift)) -lt "$(getconf PAGESIZE)" ]; do shift=$((shift + 1)); done
wrong=("COMPACT_REFAULT_INDEX 6" "COMPACT_REFAULT_INDEX 8" "PAGE_SHIFT $((shift + 1))")
builds=()
for macro in "${wrong[@]}"; do
  # shellcheck disable=SC2086 # two words
  build $macro &
  builds+=($!)
done
for i in "${!wrong[@]}"; do wait "${builds[i]}" || fail "no build with ${wrong[i]}"; done
for macro in "${wrong[@]}"; do
  tier=$("$FILES/${macro/ /-}/ua-killer" --json self-test) || fail "self-test with $macro: $tier"
  [ "$(value tier <<<"$tier")" = 3 ] || fail "$macro: $tier"
  grep -q "the page size or the place of the refault counters" <<<"$tier" || fail "$macro without the reason: $tier"
done
tier=$(ua --json self-test)
[ "$(value tier <<<"$tier")" = 1 ] || skip "this kernel gives no tier 1: $tier"
pass
