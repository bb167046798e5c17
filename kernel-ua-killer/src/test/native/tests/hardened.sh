# The helper is built as a program of root's should be: position-independent, with read-only jump tables and a guarded stack and buffers.
# shellcheck shell=bash
# beside others
for tool in readelf nm; do command -v $tool >/dev/null || skip "no $tool (package binutils)"; done
has() { # text message command...
  "${@:3}" "$UA" 2>/dev/null | grep -q -- "$1" || fail "$2"
}
has 'Type:.*DYN' "not position-independent" readelf -h
has 'Flags:.*NOW.*PIE' "symbols are bound late" readelf -d
has GNU_RELRO "its tables stay writable" readelf -lW
has 'GNU_STACK.* RW ' "its stack can be run" readelf -lW
has __stack_chk_fail "no stack protector" nm
has 'snprintf_chk' "no fortified functions" nm
pass
