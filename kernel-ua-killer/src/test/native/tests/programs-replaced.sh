# `load` replaces the programs of another build, and of another map version, but not those of a running helper; status and helper name the difference.
# shellcheck shell=bash
# beside others
command -v bpftool >/dev/null || skip "no bpftool"
begin 64 0
OTHER=$FILES/other
other() { "$OTHER" --bpffs "$BPFFS" "$@"; }
# Another build: the name of a type in the description of the programs, which nobody looks up.
LC_ALL=C sed 's/kill_slot/kill_slat/g' "$UA" >"$OTHER"
! cmp -s "$UA" "$OTHER" || void "both builds are equal"
chmod 755 "$OTHER"
program() { bpftool -j prog show pinned "$BPFFS/charon/handover" | value id; }
expect_replaced() { # what command...
  local what=$1 before
  before=$(program)
  shift
  "$@" >"$FILES/load" 2>&1 || fail "$what are not replaced: $(cat "$FILES/load")"
  grep -q "of another build of ua-killer are replaced; domains and settings have to be set again" "$FILES/load" ||
    fail "the load says: $(cat "$FILES/load")"
  [ "$(program)" != "$before" ] || fail "$what are still the loaded ones"
  [ "$(compgen -G "$BPFFS/charon*")" = "$BPFFS/charon" ] || fail "beside the pins: $(ls "$BPFFS")"
}
load --tier 2
start_helper
! grep -q "another build" "$FILES/helper.log" || fail "the helper says: $(cat "$FILES/helper.log")"
refused 3 "already loaded" ua load
attached=$(program)
refused 3 "another build of ua-killer are loaded, and their helper runs" other load --tier 2
[ "$(program)" = "$attached" ] || fail "the refused load has changed the programs"
kill -0 "$HELPER" 2>/dev/null || fail "the refused load has ended the helper"
kill "$HELPER"
wait "$HELPER" 2>/dev/null
HELPER=
ua set min-pages 20 || fail "min-pages cannot be set"
expect_replaced "programs of another build" other load --tier 2
other --json domain add "$DOMAIN" --killable-below "$DOMAIN" || fail "the domain cannot be added again"
[ "$(other --json status | value minPages)" = 10 ] || fail "min-pages outlived the programs, and the load says otherwise"
refused 3 "already loaded" other load --tier 2
! other status | grep -q "ANOTHER BUILD" || fail "status of the loaded build: $(other status)"
ua status | grep -q "ANOTHER BUILD" || fail "status of the other build: $(ua status)"
start_helper
grep -q "of another build of ua-killer" "$FILES/helper.log" || fail "the helper says: $(cat "$FILES/helper.log")"
kill "$HELPER"
wait "$HELPER" 2>/dev/null
HELPER=
# The same programs with maps of an earlier version, which have the version first.
# shellcheck disable=SC2046 # one word for each byte
bpftool map update pinned "$BPFFS/charon/control" key 0 0 0 0 value 7 0 0 0 $(printf '0 %.0s' {1..212}) ||
  fail "the version cannot be written"
expect_replaced "maps of an earlier version" other load --tier 2
pass
