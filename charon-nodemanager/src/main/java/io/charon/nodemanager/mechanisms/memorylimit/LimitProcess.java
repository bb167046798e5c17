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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code ua-killer memory-limit} running while {@link #update} is called each second. A
 * process that ended or fell silent is started again, after growing waits if that repeats. This is
 * logged once, and so is a limit that the kernel refuses. Once another program is installed, that
 * one runs, without a wait. Thread-safe: each process is read on a thread of its own.
 */
final class LimitProcess implements LimitMover {
  private static final Logger LOG = LoggerFactory.getLogger(LimitProcess.class);

  /**
   * Time without a report after which a process is closed, as {@link MemoryLimitProcess#send}
   * demands.
   */
  private static final long SILENT_NANOS = Duration.ofSeconds(3).toNanos();

  private static final long FIRST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_WAIT_NANOS = Duration.ofMinutes(5).toNanos();

  /**
   * Run time after which a process counts as working, so that its end is a new problem (our
   * choice).
   */
  private static final long WORKS_NANOS = Duration.ofMinutes(1).toNanos();

  /**
   * The error of cgroup v1 if nothing is left to reclaim. It is ignored, because kills handle it.
   */
  private static final String BUSY = "Device or resource busy";

  private final Helper helper;
  private final Supplier<List<String>> arguments;
  private final Runnable changed;
  private Optional<RunningProcess> running = Optional.empty();
  private Optional<String> trouble = Optional.empty();
  private Optional<Object> failedProgram = Optional.empty();
  private long heardNanos;
  private long waitNanos;
  private boolean enforces;
  private boolean limitsSwap;
  private boolean warned;
  private boolean warnedOfRefusal;

  /** A process and its output. */
  private final class RunningProcess implements MemoryLimitProcess.Listener {
    private final long startedNanos;
    private final List<String> words;
    private final Optional<Object> program = helper.installed();
    private final MemoryLimitProcess process;
    private Optional<MemoryLimitReport> report = Optional.empty();
    private Optional<MemoryLimitProcess.Ready> ready = Optional.empty();
    private Optional<MemoryLimitBasis> toSend = Optional.empty();
    private Optional<String> refusal = Optional.empty();
    private boolean refusedBefore;
    private String lastWords = "";
    private boolean news;
    private boolean ended;
    private long largestGrowthBytes;

    RunningProcess(List<String> words, long nowNanos) throws IOException {
      startedNanos = nowNanos;
      this.words = words;
      Process started = helper.start(words);
      synchronized (LimitProcess.this) {
        process = new MemoryLimitProcess(started, this);
      }
    }

    @Override
    public void ready(MemoryLimitProcess.Ready said) {
      synchronized (LimitProcess.this) {
        ready = Optional.of(said);
        try {
          sendIfReady();
        } catch (IOException e) {
          printed(
              String.valueOf(
                  e.getMessage())); // the end of the process is noticed by the next update
        }
      }
      if (said.adoptedBytes().isPresent()) {
        LOG.info(
            "the memory limit of best-effort was {} bytes before", said.adoptedBytes().getAsLong());
      }
    }

    /** What the process understands is known once it is ready. */
    private void sendIfReady() throws IOException {
      if (ready.isPresent() && toSend.isPresent()) {
        process.send(ready.get().growsOnRequest() ? toSend.get() : toSend.get().withoutGrowth());
        toSend = Optional.empty();
      }
    }

    @Override
    public void reported(MemoryLimitReport said) {
      boolean urgent;
      synchronized (LimitProcess.this) {
        urgent = enforces && said.uncoveredMillis() >= 100;
        report = Optional.of(said);
        largestGrowthBytes = Math.max(largestGrowthBytes, said.largestGrowthBytes());
        news = true;
        trouble = Optional.empty();
        note(said.refusals());
      }
      if (urgent) {
        changed.run();
      }
    }

    /**
     * Believes in a refusal once two reports in a row have one: two writes at the same instant can
     * hinder each other, and the next one succeeds.
     */
    private void note(MemoryLimitReport.Refusals refusals) {
      Optional<String> reason =
          Optional.of(refusals.last())
              .filter(last -> refusals.count() > 0 && !last.isEmpty() && !last.equals(BUSY));
      refusal =
          reason
              .filter(last -> refusedBefore)
              .map("ua-killer memory-limit cannot set the limit: "::concat);
      refusedBefore = reason.isPresent();
      if (refusal.isPresent() && !warnedOfRefusal) {
        LOG.warn("{} (logged once)", refusal.get());
        warnedOfRefusal = true;
      }
    }

    @Override
    public void printed(String line) {
      synchronized (LimitProcess.this) {
        lastWords = line;
      }
      LOG.debug("ua-killer memory-limit: {}", line);
    }

    /** Requests a tick at once, which writes the limit without the process. */
    @Override
    public void ended() {
      synchronized (LimitProcess.this) {
        ended = true;
        if (running.filter(now -> now == this).isEmpty()) {
          return; // ended on request
        }
        trouble = Optional.of(doesNotRun(lastWords()));
      }
      changed.run();
    }

    private String lastWords() {
      return lastWords.isEmpty() ? "it has exited" : lastWords;
    }
  }

  /**
   * Creates an instance; the process starts with the first call of {@link #update}.
   *
   * @param helper starts the process
   * @param words arguments of the process; if they change, another one is started with them
   * @param changed called when the process has ended by itself, and, if the limit is enforced, when
   *     best-effort has held memory that page cache does not cover for 100 ms, and each 100 ms as
   *     long as that lasts; must not block
   */
  LimitProcess(Helper helper, Supplier<List<String>> words, Runnable changed) {
    this.helper = helper;
    this.arguments = words;
    this.changed = changed;
  }

  @Override
  public synchronized void update(long nowNanos, MemoryLimitBasis basis) {
    enforces = basis.enforce();
    limitsSwap = basis.limitsSwap();
    List<String> words = arguments.get();
    if (running
        .filter(now -> !now.words.equals(words) || helper.isReplacedSince(now.program))
        .isPresent()) {
      end();
    }
    if (running.isPresent()) {
      RunningProcess now = running.get();
      if (now.ended) {
        failed(nowNanos, now.lastWords());
      } else if (nowNanos - heardNanos > SILENT_NANOS && !now.news) {
        failed(nowNanos, "it has reported nothing for 3 s");
      }
    }
    if (running.isEmpty() && !start(words, nowNanos)) {
      return;
    }
    try {
      running.orElseThrow().toSend = Optional.of(basis);
      running.orElseThrow().sendIfReady();
    } catch (IOException e) {
      failed(nowNanos, running.orElseThrow().lastWords());
    }
  }

  private boolean start(List<String> words, long nowNanos) {
    if (helper.unavailable().isPresent()) {
      trouble = helper.unavailable();
      return false;
    }
    if (helper.isReplacedSince(failedProgram)) {
      waitNanos = 0; // the waits are for the one that failed
    }
    if (trouble.isPresent() && nowNanos - heardNanos < waitNanos) {
      return false;
    }
    heardNanos = nowNanos;
    try {
      running = Optional.of(new RunningProcess(words, nowNanos));
      return true;
    } catch (IOException e) {
      failed(nowNanos, e.getMessage());
      return false;
    }
  }

  private void failed(long nowNanos, String reason) {
    boolean worked =
        running
            .filter(now -> now.report.isPresent() && nowNanos - now.startedNanos > WORKS_NANOS)
            .isPresent();
    waitNanos =
        worked || waitNanos == 0 ? FIRST_WAIT_NANOS : Math.min(2 * waitNanos, LONGEST_WAIT_NANOS);
    heardNanos = nowNanos;
    failedProgram = running.map(now -> now.program).orElseGet(helper::installed);
    trouble = Optional.of(doesNotRun(reason));
    if (worked || !warned) {
      LOG.warn(
          "{}; it is restarted in {} s, and after longer waits if it fails again (logged once)",
          trouble.get(),
          TimeUnit.NANOSECONDS.toSeconds(waitNanos));
    }
    warned = true;
    end();
  }

  private String doesNotRun(String reason) {
    return "ua-killer memory-limit is not running: " + helper.withCapabilityHint(reason);
  }

  private void end() {
    Optional<RunningProcess> before = running;
    running = Optional.empty();
    before.ifPresent(running -> running.process.close());
  }

  @Override
  public synchronized Optional<Moved> moved(long nowNanos) {
    if (running.isEmpty()) {
      return Optional.empty();
    }
    RunningProcess now = running.get();
    if (now.news) {
      heardNanos = nowNanos;
    }
    now.news = false;
    if (now.ended || nowNanos - heardNanos > SILENT_NANOS) {
      return Optional.empty();
    }
    Optional<Moved> moved = now.report.map(last -> new Moved(last, now.largestGrowthBytes));
    now.largestGrowthBytes = 0;
    return moved;
  }

  @Override
  public synchronized Optional<String> missing() {
    return running
        .filter(now -> !now.ended)
        .<Optional<String>>map(now -> now.refusal)
        .orElse(trouble);
  }

  @Override
  public synchronized Optional<String> abilities() {
    return running
        .filter(now -> !now.ended && now.refusal.isEmpty())
        .flatMap(now -> now.ready.map(said -> abilities(said, limitsSwap, now.report)));
  }

  private static String abilities(
      MemoryLimitProcess.Ready said, boolean limitsSwap, Optional<MemoryLimitReport> report) {
    return "moved every 20 ms%s%s%s%s"
        .formatted(
            ofAnEarlierRelease(said, limitsSwap),
            said.realTime() ? "" : ", late on a busy machine, because CAP_SYS_NICE is missing",
            !limitsSwap || said.countsSwap()
                ? ""
                : ", without a limit of best-effort's swap, which the kernel does not count",
            report.map(last -> dirty(last.dirty())).orElse(""));
  }

  private static String ofAnEarlierRelease(MemoryLimitProcess.Ready said, boolean limitsSwap) {
    List<String> effects = new ArrayList<>();
    if (said.cgroupVersion() == 2 && !said.growsOnRequest()) {
      effects.add("lets best-effort grow into page cache of others in any case");
    }
    if (said.cgroupVersion() == 2 && limitsSwap && said.countsSwap() && !said.limitsSwapAlone()) {
      effects.add("does not limit best-effort's swap");
    }
    return effects.isEmpty()
        ? ""
        : ", by ua-killer of an earlier release, which %s: install it again"
            .formatted(String.join(" and ", effects));
  }

  private static String dirty(MemoryLimitReport.Dirty dirty) {
    if (!dirty.refusal().isEmpty()) {
      return "; best-effort's dirty pages cannot all be written early: " + dirty.refusal();
    }
    return dirty.bytes() == 0
        ? ""
        : String.format(
            Locale.ROOT, "; %d MiB of best-effort's pages are dirty", dirty.bytes() >> 20);
  }

  @Override
  public synchronized void stop() {
    end();
  }
}
