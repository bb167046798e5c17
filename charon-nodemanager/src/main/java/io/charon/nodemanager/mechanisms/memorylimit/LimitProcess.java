/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.killer.client.MemoryLimitBasis;
import io.charon.killer.client.MemoryLimitProcess;
import io.charon.killer.client.MemoryLimitReport;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code ua-killer memory-limit} running while it is told something each second. One that
 * ended or fell silent is started again, later and later while that repeats; this is said once.
 * Thread-safe: the process is heard on a thread of its own.
 */
final class LimitProcess implements LimitMover, MemoryLimitProcess.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(LimitProcess.class);

  /** As {@link MemoryLimitProcess#tell} asks. */
  private static final long SILENT_NANOS = Duration.ofSeconds(3).toNanos();

  private static final long FIRST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_WAIT_NANOS = Duration.ofMinutes(5).toNanos();

  /** One that ran so long works; its end is a new trouble (ours). */
  private static final long WORKS_NANOS = Duration.ofMinutes(1).toNanos();

  private final Helper helper;
  private final List<String> words;
  private final Runnable shortage;
  private Optional<MemoryLimitProcess> process = Optional.empty();
  private Optional<MemoryLimitReport> report = Optional.empty();
  private Optional<MemoryLimitProcess.Ready> ready = Optional.empty();
  private Optional<String> trouble = Optional.empty();
  private String lastWords = "";
  private boolean news;
  private long largestGrowthBytes;
  private long startedNanos;
  private long heardNanos;
  private long waitNanos;
  private boolean warned;

  /**
   * It does not run before it is told something.
   *
   * @param helper starts it
   * @param words with which
   * @param shortage called when best-effort holds for 100 ms what neither page cache nor swap
   *     covers, and each 100 ms as long as that lasts; must not block
   */
  LimitProcess(Helper helper, List<String> words, Runnable shortage) {
    this.helper = helper;
    this.words = List.copyOf(words);
    this.shortage = shortage;
  }

  @Override
  public synchronized void tell(long nowNanos, MemoryLimitBasis basis) {
    if (process.isPresent() && nowNanos - heardNanos > SILENT_NANOS && !news) {
      failed(nowNanos, "it has said nothing for 3 s");
    }
    if (process.isEmpty() && !start(nowNanos)) {
      return;
    }
    try {
      process.orElseThrow().tell(basis);
    } catch (IOException e) {
      failed(nowNanos, lastWords.isEmpty() ? "it has ended" : lastWords);
    }
  }

  private boolean start(long nowNanos) {
    if (helper.unavailable().isPresent()) {
      trouble = helper.unavailable();
      return false;
    }
    if (trouble.isPresent() && nowNanos - heardNanos < waitNanos) {
      return false;
    }
    startedNanos = nowNanos;
    heardNanos = nowNanos;
    lastWords = "";
    try {
      process = Optional.of(new MemoryLimitProcess(helper.start(words), this));
      return true;
    } catch (IOException e) {
      failed(nowNanos, e.getMessage());
      return false;
    }
  }

  private void failed(long nowNanos, String reason) {
    boolean worked = report.isPresent() && nowNanos - startedNanos > WORKS_NANOS;
    waitNanos =
        worked || waitNanos == 0 ? FIRST_WAIT_NANOS : Math.min(2 * waitNanos, LONGEST_WAIT_NANOS);
    heardNanos = nowNanos;
    trouble = Optional.of("ua-killer memory-limit does not run: " + helper.explain(reason));
    if (worked || !warned) {
      LOG.warn(
          "{}; it is started again in {} s, and later and later while that repeats (said once)",
          trouble.get(),
          TimeUnit.NANOSECONDS.toSeconds(waitNanos));
    }
    warned = true;
    end();
  }

  private void end() {
    process.ifPresent(MemoryLimitProcess::close);
    process = Optional.empty();
    report = Optional.empty();
    ready = Optional.empty();
    news = false;
    largestGrowthBytes = 0;
  }

  @Override
  public synchronized Optional<Moved> moved(long nowNanos) {
    if (news) {
      heardNanos = nowNanos;
    }
    news = false;
    if (process.isEmpty() || nowNanos - heardNanos > SILENT_NANOS) {
      return Optional.empty();
    }
    Optional<Moved> moved = report.map(last -> new Moved(last, largestGrowthBytes));
    largestGrowthBytes = 0;
    return moved;
  }

  @Override
  public synchronized Optional<String> missing() {
    return process.isPresent() ? Optional.empty() : trouble;
  }

  @Override
  public synchronized Optional<String> abilities() {
    return ready.map(
        said ->
            "moved every 20 ms%s"
                .formatted(said.realTime() ? "" : ", late on a busy machine: no CAP_SYS_NICE"));
  }

  @Override
  public synchronized void stop() {
    end();
  }

  @Override
  public synchronized void ready(MemoryLimitProcess.Ready said) {
    ready = Optional.of(said);
    if (said.adoptedBytes().isPresent()) {
      LOG.info("the memory limit of best-effort was {} bytes", said.adoptedBytes().getAsLong());
    }
  }

  @Override
  public void reported(MemoryLimitReport said) {
    synchronized (this) {
      report = Optional.of(said);
      largestGrowthBytes = Math.max(largestGrowthBytes, said.largestGrowthBytes());
      news = true;
      trouble = Optional.empty();
    }
    if (said.due().uncoveredMillis() >= 100) {
      shortage.run();
    }
  }

  @Override
  public synchronized void said(String line) {
    lastWords = line;
    LOG.debug("ua-killer memory-limit: {}", line);
  }

  @Override
  public void ended() {
    // The next basis cannot be told, which is dealt with there.
  }
}
