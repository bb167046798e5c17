# Best-effort's page cache is taken when production needs memory, also if it is little beside the rest of best-effort's memory.
# shellcheck shell=bash
RESERVE=$((8 << 20))
# shellcheck source=kernel-ua-killer/src/test/native/limit.sh
. "$HERE/limit.sh"
limit_begin
"$WORK" create "$FILES/cache" 8 || fail "no file"
start_limit
start "$BEST_EFFORT/task" idle 200
start "$BEST_EFFORT/task" cache "$FILES/cache"
expect_grown 200
cached() { clean "$BEST_EFFORT" && echo $clean_bytes; }
await 10 at_least $((8 << 20)) cached || void "$(($(cached) >> 10)) KiB of page cache"
before=$(use "$BEST_EFFORT")
start "$PRODUCTION" idle $((NODE_MB - 8 - (before >> 20) + 5)) # 5 MB more than best-effort leaves
taken() { echo $((before - $(use "$BEST_EFFORT"))); }
await 10 at_least $((4 << 20)) taken || fail "$(($(taken) >> 10)) KiB are taken: $(tail -1 "$FILES/limit.out")"
expect_alive "$BEST_EFFORT" best-effort
expect_alive "$PRODUCTION" production
pass "$(($(taken) >> 10)) KiB"
