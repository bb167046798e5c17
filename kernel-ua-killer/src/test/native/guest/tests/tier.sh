# The tier that this kernel gives, its reason, and that the programs load, attach and give the expected results.
# shellcheck shell=bash
answer=$(ua --json self-test 2>&1) || fail "$answer"
[[ $answer = "{\"tier\":$UA_TIER,"* ]] || fail "expected tier $UA_TIER: $answer"
pass "$answer"
