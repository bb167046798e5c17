# Settings and registrations out of range that are written by hand: settings are clamped to their ranges, registrations are ignored.
# shellcheck shell=bash
# must never
command -v bpftool >/dev/null || skip "no bpftool"
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || skip "this test writes little endian"
begin 128 600
bytes() { # number length: the number in that many bytes, as the maps hold it
  local i n=$1
  for ((i = 0; i < $2; i++)); do printf '%d ' $((n & 255)); n=$((n >> 8)); done
}
write_map() { # map key value, both as bytes
  # shellcheck disable=SC2086 # one word for each byte
  bpftool map update pinned "$BPFFS/charon/$1" key $2 value $3 >"$FILES/bpftool" 2>&1 ||
    fail "the map cannot be written by hand: $(head -1 "$FILES/bpftool")"
}
# shellcheck disable=SC2153 # not DOMAINS
domain=$(bytes "$(stat -c %i "$DOMAIN")" 8)
register_by_hand() { # cgroup score flags entitled
  write_map containers "$(bytes "$(stat -c %i "$1")" 8)" "$domain$(bytes 1 8)$(bytes "$2" 4)$(bytes "$3" 4)$(bytes "$4" 8)"
}
words() { # numbers of four bytes, as the maps hold them
  local n
  for n in "$@"; do bytes "$n" 4; done
}
# The settings in effect in the detector: the last 40 bytes of struct ua_domain_state, as ten numbers.
adopted_words() {
  local byte i n
  # shellcheck disable=SC2086 # one word for each byte
  mapfile -t byte < <(bpftool -j map lookup pinned "$BPFFS/charon/domain_state" key $domain |
    grep -o '"value":\[[^]]*' | head -1 | grep -o '0x[0-9a-f]*' | tail -40)
  [ ${#byte[@]} = 40 ] || return
  for ((i = 0; i < 40; i += 4)); do n+=" $((byte[i] | byte[i + 1] << 8 | byte[i + 2] << 16 | byte[i + 3] << 24))"; done
  echo "${n# }"
}
adopted() { [ "$(adopted_words)" = "$*" ]; }
for tier in 1 3; do
  load --tier $tier
  start_helper
  # struct ua_settings: cgth_time, flat, min_pages, policy, file_refaults, victim_timeout, owed_time, owed_percent,
  # owed_progress_percent, and four unused bytes.
  write_map settings "$domain" "$(words 4294967295 0 4294967295 1 3 4294967295 1 4294967295 0 7)"
  shown=$(ua --json status)
  grep -q '"cgthTimeSeconds":600.000,"policy":"score","fileRefaults":"fitting","flatMillis":100,"minPages":1000000,"victimTimeoutMillis":60000,"owedTimeMillis":100,"owedPercent":100,"owedProgressPercent":1,' \
    <<<"$shown" || fail "tier $tier: the settings do not apply within their ranges: $shown"
  truncate -s 1T "$FILES/stream"
  start "$(container stream)" stream "$FILES/stream" 1
  await 10 adopted 600000 100 1000000 1 3 60000 100 100 1 0 || fail "tier $tier: the detector goes by $(adopted_words)"
  write_map settings "$domain" "$(words 1 4294967295 0 7 9 0 4294967295 0 4294967295 7)"
  shown=$(ua --json status)
  grep -q '"cgthTimeSeconds":0.100,"policy":"memory-per-time","fileRefaults":"workingset","flatMillis":60000,"minPages":1,"victimTimeoutMillis":100,"owedTimeMillis":600000,"owedPercent":1,"owedProgressPercent":100,' \
    <<<"$shown" || fail "tier $tier: the settings do not apply within their ranges: $shown"
  await 10 adopted 100 60000 1 0 2 100 600000 1 100 0 || fail "tier $tier: the detector goes by $(adopted_words)"
  quiet=$(container quiet)
  best_effort "$quiet"
  start "$quiet" idle 20
  samples() { ua samples "$quiet" 2>/dev/null | wc -l; }
  await 10 at_least 15 samples || fail "tier $tier: the quiet container is not sampled; $(state)"
  expect_alive "$quiet" "tier $tier: a container without one refault"
  expect_kills 0
  kill_cgroup "$DOMAIN/stream"
  ua set min-pages 10
  ua set flat-ms 1000
  ua set cgth-time-ms 1000
  for hostile in "high 5000 1 0" "negative -1 1 0" "flags 900 3 0" "watched 900 0 0" "none 0 1 0" "both 900 1 4096"; do
    read -r name score flags entitled <<<"$hostile"
    register_by_hand "$(container "$name")" "$score" "$flags" "$entitled"
    start "$DOMAIN/$name" idle 5
  done
  ua unregister "$quiet"
  victim=$(container victim)
  best_effort "$victim" 1 90000
  start "$victim" anonymous 220 1
  wait_dead "$victim" 20 || fail "tier $tier: the registered victim is alive; $(state)"
  for name in quiet high negative flags watched none both; do expect_alive "$DOMAIN/$name" "tier $tier: $name"; done
  [ "$(decision candidates)" = 1 ] || fail "tier $tier: $(decision candidates) candidates"
  [ "$(json registrationsIgnored)" = 6 ] || fail "tier $tier: $(json registrationsIgnored) registrations ignored, expected 6"
  kill "$HELPER"
  wait "$HELPER" 2>/dev/null
  for name in quiet high negative flags watched none both victim; do kill_cgroup "$DOMAIN/$name"; done
  ua unload >/dev/null
done
pass "settings clamped, 6 registrations ignored, in tiers 1 and 3"
