# A JVM whose heap outgrows the node is killed like any other process, and a quiet JVM next to it stays.
# shellcheck shell=bash
# long
command -v java >/dev/null || skip "no java"
begin 200 1200
load
start_helper
ua set cgth-time-ms 1500
mkdir -p "$FILES/java"
cat >"$FILES/java/Heap.java" <<'JAVA'
class Heap {
  public static void main(String[] arguments) throws Exception {
    byte[][] heap = new byte[Integer.parseInt(arguments[0])][1 << 20];
    boolean busy = arguments[1].equals("busy");
    System.out.println("ready");
    for (long i = 0; ; i++) {
      if (!busy) {
        Thread.sleep(1000);
        continue;
      }
      byte[] block = heap[(int) (i % heap.length)];
      for (int j = 0; j < block.length; j += 4096) block[j]++;
    }
  }
}
JAVA
command -v javac >/dev/null || skip "no javac"
javac -d "$FILES/java" "$FILES/java/Heap.java" || skip "javac fails"
quiet=$(container quiet)
busy=$(container busy)
best_effort "$quiet" 500 600000
best_effort "$busy" 500 3000
run_java() { # cgroup megabytes heap-megabytes manner
  run_in "$1" java -XX:+UseSerialGC -XX:-UsePerfData "-Xmx$3m" "-Xms$3m" -cp "$FILES/java" Heap "$2" "$4" \
    >"$FILES/$4.log" 2>&1 || fail "the $4 JVM does not start"
}
run_java "$quiet" 20 60 quiet
await 10 grep -q ready "$FILES/quiet.log" || fail "the quiet JVM does not start: $(cat "$FILES/quiet.log")"
run_java "$busy" 260 500 busy
wait_dead "$busy" 25 || fail "the busy JVM is alive; $(state)"
expect_alive "$quiet" "the quiet JVM"
expect_kills 1
pass "$(numbers)"
