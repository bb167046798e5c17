# The input and the decisions of the moving limit, built with AddressSanitizer and UndefinedBehaviorSanitizer: its keys, any files, any numbers.
# shellcheck shell=bash
# must never
# beside others
for tool in make cc; do command -v $tool >/dev/null || skip "no $tool"; done
make=$(make -s -C "$HERE/../../main/native" OUT="$(realpath "$OUT")" "$(realpath "$OUT")/limit-fuzz" 2>&1) || fail "$(tail -3 <<<"$make")"
seed=${UA_SEED:-$RANDOM}
out=$("$OUT/limit-fuzz" 3 "$seed" 2>&1) || fail "seed $seed: $out"
pass "$out, seed $seed"
