/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** CPU time of the whole machine from /proc/stat. */
final class ProcStat implements Closeable {
  /** USER_HZ, which is 100 on every Linux that Hadoop runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** Of "cpu user nice system idle iowait irq softirq"; guests are in user, steal is others'. */
  private static final int FIELDS = 7;

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;

  private final PseudoFile stat;

  ProcStat(Path procRoot) {
    stat = new PseudoFile(procRoot.resolve("stat"));
  }

  /** Reads the file afresh; the other methods tell what it found. */
  void read() throws IOException {
    stat.read();
  }

  /** CPU seconds since the boot in which the machine was not idle. */
  double busySeconds() throws IOException {
    long[] ticks = stat.numbers("cpu", FIELDS);
    long busy = 0;
    for (int i = 0; i < FIELDS; i++) {
      busy += i == IDLE || i == IO_WAIT ? 0 : ticks[i];
    }
    return busy / TICKS_PER_SECOND;
  }

  /** CPUs that are online; their numbers may have gaps. */
  int cpus() {
    return stat.lines("cpu") - 1;
  }

  @Override
  public void close() throws IOException {
    stat.close();
  }
}
