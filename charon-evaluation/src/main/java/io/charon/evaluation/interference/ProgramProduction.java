/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Production that is one program, which prints its progress every 100 ms. */
final class ProgramProduction implements ProductionSide {
  /** A program that has printed this many lines is at work. */
  private static final int WARM_LINES = 5;

  /**
   * Longest time to wait for the line that ends the last interval of an episode; on a busy machine
   * a line can be late. A program that has printed none by then is stalled.
   */
  private static final long LAST_LINE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final InterferenceNode node;
  private final List<String> command;
  private final double warmMegabytes;
  private Optional<InterferenceContainer> started = Optional.empty();

  /**
   * Creates production that has not started.
   *
   * @param command program that prints its progress
   * @param warmMegabytes memory that it holds once it is warm, MB
   */
  ProgramProduction(InterferenceNode node, List<String> command, double warmMegabytes) {
    this.node = node;
    this.command = List.copyOf(command);
    this.warmMegabytes = warmMegabytes;
  }

  @Override
  public InterferenceContainer start() throws IOException {
    InterferenceContainer container = node.start(ContainerClass.PRODUCTION, false, command);
    started = Optional.of(container);
    return container;
  }

  @Override
  public boolean isWarm() throws IOException {
    InterferenceContainer container = started.orElseThrow();
    if (!container.process().isAlive()) {
      throw new IOException(
          "production has ended with exit code "
              + container.process().exitValue()
              + " before best-effort started; if the programs are old, rebuild them: make -C"
              + " kernel-ua-killer/src/main/native");
    }
    return node.heldMegabytes(ContainerClass.PRODUCTION) >= warmMegabytes
        && container.progress().marks().size() >= WARM_LINES;
  }

  @Override
  public boolean isKilled() {
    return !started.orElseThrow().process().isAlive();
  }

  @Override
  public void awaitInProgress(long toNanos) throws InterruptedException {
    InterferenceContainer container = started.orElseThrow();
    long end = toNanos + LAST_LINE_NANOS;
    while (container.process().isAlive()
        && System.nanoTime() - end < 0
        && !container.progress().isHeardAfter(toNanos)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Override
  public Progress progress(long fromNanos, long toNanos) {
    ProgressLines lines = started.orElseThrow().progress();
    List<Mark> marks = lines.marks();
    return new Progress(marks, lines.latencies(fromNanos, toNanos));
  }

  @Override
  public void end() throws IOException, InterruptedException {
    if (started.isPresent()) {
      started.get().end();
    }
  }
}
