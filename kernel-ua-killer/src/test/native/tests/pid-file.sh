# The file that names the NodeManager is trusted only if it and every directory above it are root's, and only for a process that is older than the file.
# shellcheck shell=bash
# beside others
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
PLACE=/run/charon-ua-test-$$-pid
file=$PLACE/inner/nm.pid
socket_begin --user 65534 --pid-file "$file"
trap 'rm -rf "$PLACE"; cleanup' EXIT
mkdir -p "$PLACE/inner"
believed() { # whether the process whose number the file holds is served
  local answer
  start_node_manager
  echo "$NODE_MANAGER" >"$file"
  answer=$(request status)
  end_node_manager
  sleep 1.1 # until the helper queries again
  case $answer in
  '{"tier":'*) return 0 ;;
  *"not the main process of $file"*) return 1 ;;
  *) fail "status: $answer" ;;
  esac
}
believed || fail "root's file is not believed"
for hostile in "chown 65534 $file" "chmod 666 $file" "chown 65534 $PLACE" "chmod 777 $PLACE" "chmod 1777 $PLACE" "chmod 775 $PLACE/inner"; do
  $hostile || fail "$hostile"
  ! believed || fail "believed after $hostile"
  chown -R 0:0 "$PLACE" && chmod 755 "$PLACE" "$PLACE/inner" && chmod 644 "$file"
done
mv "$file" "$PLACE/other" && ln -s "$PLACE/other" "$file"
! believed || fail "believed through a link"
rm "$file" && mv "$PLACE/other" "$file"
believed || fail "root's file is not believed again"
# A file that was left behind, and whose number another process got; a process can choose any name for itself.
for CLIENT_NAME in '' $'a) S 1\nb'; do
  export CLIENT_NAME
  start_node_manager
  echo "$NODE_MANAGER" >"$file"
  touch -d '1 minute ago' "$file"
  request status | grep -q "not the main process" || fail "a process younger than the file is accepted, named '$CLIENT_NAME'"
  end_node_manager
  sleep 1.1 # until the helper queries again
done
pass
