# Random requests to the parsers of the helper's socket, built with AddressSanitizer and UndefinedBehaviorSanitizer: no error, and every reply is a line of JSON.
# shellcheck shell=bash
# beside others
# must never
for tool in make cc; do command -v $tool >/dev/null || skip "no $tool"; done
begin 64 0
make -s -C "$HERE/../../main/native" OUT="$(realpath "$OUT")" "$(realpath "$OUT")/request-fuzz" >"$FILES/make" 2>&1 || fail "$(tail -3 "$FILES/make")"
load
odd=$(container $'odd \e[31m\x9b\xff\xc3(\xed\xa0\x80name')
best_effort "$odd"
seed=${UA_SEED:-$RANDOM}
out=$("$OUT/request-fuzz" "$BPFFS" 10 "$seed" "$DOMAIN" "$odd" "$(container plain)" 2>&1) || fail "seed $seed: $out"
# A container's name as people see it moves no cursor.
best_effort "$odd"
ua status | grep -q 'odd \\x1b\[31m\\x9b\\xff\\xc3(\\xed\\xa0\\x80name: killable' || fail "status: $(ua status | cat -v)"
ua --json status | grep -q 'odd \\u001b\[31m\\ufffd\\ufffd\\ufffd(\\ufffd\\ufffd\\ufffdname' || fail "status: $(ua --json status | cat -v)"
# So in messages.
ua move "$odd" --domain "$DOMAIN" 2>"$FILES/message" && fail "moved"
grep -q '^ua-killer: .*odd \\x1b\[31m\\x9b\\xff\\xc3(\\xed\\xa0\\x80name' "$FILES/message" || fail "move: $(cat -v "$FILES/message")"
pass "$out, seed $seed"
