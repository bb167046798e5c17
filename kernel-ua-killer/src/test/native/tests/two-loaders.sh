# Two loaders at once, including the mount: exactly one wins; a loader that is killed halfway leaves nothing permanent; a lock that another user holds keeps none out.
# shellcheck shell=bash
# beside others
# must never
begin 64 0
mkdir -p "$BPFFS"
rounds=20 first_won=0
ours() { (cd "$BPFFS" && shopt -s nullglob && echo charon*); } # next to the kernel's maps.debug and progs.debug
pins() { # what `load` must leave, and nothing else
  local entries
  entries=$(ours)
  [ "$entries" = charon ] || fail "round $1: $entries in bpffs"
  entries=$(cd "$BPFFS/charon" && echo link_*)
  [ "$entries" = "link_direct_reclaim_begin link_memcg_reclaim_begin link_page_evicted link_page_inserted link_shrink_inactive" ] ||
    fail "round $1: attached are $entries"
}
unmounted() {
  umount "$BPFFS" || fail "round $1: cannot unmount"
  ! mountpoint -q "$BPFFS" || fail "round $1: bpffs was mounted twice"
}
for round in $(seq $rounds); do
  ua load >"$FILES/first" 2>&1 &
  first=$!
  ua load >"$FILES/second" 2>&1 &
  second=$!
  wait $first
  first_code=$?
  wait $second
  second_code=$?
  case $first_code/$second_code in
  0/3) first_won=$((first_won + 1)) ;;
  3/0) ;;
  *) fail "round $round: exit codes $first_code and $second_code: $(cat "$FILES/first" "$FILES/second")" ;;
  esac
  pins "$round"
  ua unload >/dev/null || fail "round $round: unload failed"
  unmounted "$round"
done
for round in $(seq 10); do
  "$UA" --bpffs "$BPFFS" load >/dev/null 2>&1 &
  first=$!
  sleep "0.$((round * 2 / 10))$((round * 2 % 10))"
  { kill -9 $first && wait $first; } 2>/dev/null
  ua unload >/dev/null 2>&1 # in case it was already complete
  ua load >/dev/null || fail "killed round $round: a new load failed"
  pins "killed $round"
  ua unload >/dev/null || fail "killed round $round: unload failed"
  [ -z "$(ours)" ] || fail "killed round $round: left in bpffs: $(ours)"
done
umount "$BPFFS" # the directory below is everybody's to read
if command -v setpriv >/dev/null; then
  setpriv --reuid 65534 --regid 65534 --clear-groups flock -x "$BPFFS" sleep 60 &
  holder=$!
  locked() { ! flock -n "$BPFFS" true; }
  await 5 locked || void "the directory cannot be locked"
fi
ua load >/dev/null || fail "a load while another user holds a lock of the directory failed"
held=$(find /run -maxdepth 1 -name "charon-ua-killer*$$.lock" -printf '%m %u %s')
[ "$held" = "600 root 0" ] || fail "the lock: $held"
(
  exec 9<"$(echo /run/charon-ua-killer*$$.lock)"
  flock 9
  refused 3 "another ua-killer is loading" ua unload
) || exit
ua unload >/dev/null || fail "an unload while another user holds a lock of the directory failed"
! compgen -G "/run/charon-ua-killer*$$.lock" >/dev/null || fail "the lock is left"
[ -z "${holder:-}" ] || pkill -P "$holder" sleep
pass "$rounds rounds, the first started won $first_won; 10 killed loaders"
