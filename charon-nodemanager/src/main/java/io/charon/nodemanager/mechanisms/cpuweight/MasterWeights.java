/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuweight;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.report.audit.Audit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes ApplicationMasters of best-effort applications yield the processors to production, among
 * whose containers they run. If they are to be idle, they get only CPU time that no production
 * container of the node wants: a lower weight alone lets one that starts its JVM run for a whole
 * slice before production, which has just woken up, runs. One that has hardly run in its first
 * minutes, because production keeps all processors busy, is starved and gets its weight from then
 * on; otherwise YARN would give it up after ten minutes, and its job with it.
 *
 * <p>Where they are not idle, each has a lower weight than a production container, and all together
 * weigh no more than one production container. More than 100 masters on a node exceed that bound,
 * because each keeps a weight of 1 %, the smallest that cgroup v2 has beside its default weight of
 * 100.
 *
 * <p>Whether a master's application is best-effort is often known only after the master's launch;
 * until then, and if it never becomes known, the master counts as production. No process is moved,
 * so memory, entitlements and scores do not change. Thread-safe and non-blocking.
 */
public final class MasterWeights {
  private static final Logger LOG = LoggerFactory.getLogger(MasterWeights.class);

  private static final String NAME = "master-weight";

  /**
   * Weight of a production container, and the limit for all these masters together (our choice).
   */
  private static final int FULL_PERCENT = 100;

  /** Age at which an idle master that has used less than {@link #STARVED} counts as starved. */
  static final Duration STARVED_AGE = Duration.ofMinutes(2);

  /** Less CPU time than a JVM takes to start (our choice). */
  static final Duration STARVED = Duration.ofSeconds(2);

  /** Weighs a container. */
  @FunctionalInterface
  public interface Weigher {
    /**
     * Sets a container's weight.
     *
     * @param percent percent of a production container's, 1 to 100
     * @param idle gives it only CPU time that no production container wants, if the kernel can
     * @return what was done, or why it was not; empty if there is nothing to weigh
     */
    Optional<String> weigh(ContainerInfo container, int percent, boolean idle);
  }

  private final Function<String, Optional<Boolean>> bestEffort;
  private final Weigher weigher;
  private final Function<String, Duration> cpuTime;
  private final LongSupplier nanoClock;
  private final Audit audit;
  private final Map<String, Master> masters = new LinkedHashMap<>();
  private OptionalInt percent = OptionalInt.empty();
  private boolean idle;

  /**
   * How a master is weighed.
   *
   * @param percent its weight, percent of a production container's
   * @param idle whether it gets only CPU time that no production container wants
   */
  private record Weight(int percent, boolean idle) {
    static Weight full() {
      return new Weight(FULL_PERCENT, false);
    }

    boolean lowered() {
      return percent < FULL_PERCENT;
    }
  }

  /** A running master: what is known of its application, its weight, and its starvation. */
  private record Master(
      ContainerInfo container,
      Optional<Boolean> bestEffort,
      Optional<Weight> weight,
      long sinceNanos,
      Optional<Boolean> starved) {
    Master knownAs(Optional<Boolean> kind) {
      return new Master(container, kind, weight, sinceNanos, starved);
    }

    Master weighing(Weight now) {
      return new Master(container, bestEffort, Optional.of(now), sinceNanos, starved);
    }

    Master checked(boolean hardlyRan) {
      return new Master(container, bestEffort, weight, sinceNanos, Optional.of(hardlyRan));
    }

    boolean lowered() {
      return weight.filter(Weight::lowered).isPresent();
    }

    boolean idle() {
      return weight.filter(Weight::idle).isPresent();
    }
  }

  /**
   * Creates an instance that tracks no master and lowers no weight.
   *
   * @param bestEffort whether an application is best-effort, by its id; empty while that is not
   *     known. Must not block
   * @param weigher sets the weights of containers
   * @param cpuTime the CPU time that the processes of a container have used, by its id
   * @param nanoClock monotonic nanoseconds
   * @param audit gets a line for each weight that is set
   */
  public MasterWeights(
      Function<String, Optional<Boolean>> bestEffort,
      Weigher weigher,
      Function<String, Duration> cpuTime,
      LongSupplier nanoClock,
      Audit audit) {
    this.bestEffort = bestEffort;
    this.weigher = weigher;
    this.cpuTime = cpuTime;
    this.nanoClock = nanoClock;
    this.audit = audit;
  }

  /**
   * Changes the weight of best-effort applications' masters. Whether each application is
   * best-effort is queried again, because the rule that decides it may have changed.
   *
   * @param wanted percent of a production container's weight, 1 to 99; empty restores the full
   *     weight
   * @param beIdle whether they get only CPU time that no production container wants
   */
  public synchronized void change(OptionalInt wanted, boolean beIdle) {
    percent = wanted;
    idle = beIdle && wanted.isPresent();
    masters.replaceAll((id, master) -> master.knownAs(Optional.empty()));
    settle();
  }

  /** Handles a container that is about to start, in a cgroup that has its full weight. */
  public void started(ContainerInfo container) {
    follow(container, Optional.of(Weight.full()));
  }

  /** Handles a container that was found running or moved to another cgroup. */
  public void moved(ContainerInfo container) {
    follow(container, Optional.empty());
  }

  private synchronized void follow(ContainerInfo container, Optional<Weight> weight) {
    if (container.applicationMaster() && container.containerClass() == ContainerClass.PRODUCTION) {
      masters.put(
          container.containerId(),
          new Master(container, Optional.empty(), weight, nanoClock.getAsLong(), Optional.empty()));
    } else {
      masters.remove(container.containerId());
    }
    settle();
  }

  /**
   * Checks whether more applications are known by now and which masters are starved, and adjusts
   * the weights.
   */
  public synchronized void tick() {
    masters.replaceAll((id, master) -> checkedForStarvation(master));
    settle();
  }

  /** Checks an idle master once, because what it uses after its start varies from job to job. */
  private Master checkedForStarvation(Master master) {
    if (!master.idle()
        || master.starved().isPresent()
        || nanoClock.getAsLong() - master.sinceNanos() < STARVED_AGE.toNanos()) {
      return master;
    }
    Duration used = cpuTime.apply(master.container().containerId());
    boolean starved = used.compareTo(STARVED) < 0;
    if (starved) {
      LOG.info(
          "ApplicationMaster {} used {} ms of CPU time in {} s, less than {} ms: it is no longer idle",
          master.container().containerId(),
          used.toMillis(),
          STARVED_AGE.toSeconds(),
          STARVED.toMillis());
    }
    return master.checked(starved);
  }

  /** Handles the end of a container. */
  public synchronized void stopped(String containerId) {
    if (masters.remove(containerId) != null) {
      settle();
    }
  }

  /**
   * Returns the lower weight that a container has because it manages a best-effort application.
   *
   * @return percent of a production container's weight; empty for every other container
   */
  public synchronized OptionalInt weightOf(String containerId) {
    Master master = masters.get(containerId);
    return master != null && master.lowered()
        ? OptionalInt.of(master.weight().orElseThrow().percent())
        : OptionalInt.empty();
  }

  private void settle() {
    if (percent.isPresent()) {
      masters.replaceAll((id, master) -> asked(master));
    }
    int share = share();
    masters.replaceAll((id, master) -> weighed(master, share));
  }

  private Master asked(Master master) {
    return master.bestEffort().isPresent()
        ? master
        : master.knownAs(bestEffort.apply(master.container().applicationId()));
  }

  /** Returns the weight of each lowered master, percent. */
  private int share() {
    long members = masters.values().stream().filter(this::isBestEffort).count();
    int all = (int) (FULL_PERCENT / Math.max(1, members));
    return Math.max(1, Math.min(percent.orElse(FULL_PERCENT), all));
  }

  private boolean isBestEffort(Master master) {
    return master.bestEffort().orElse(false);
  }

  private Master weighed(Master master, int share) {
    if (percent.isPresent() && master.bestEffort().isEmpty()) {
      return master; // unchanged until its application is known
    }
    Weight wanted =
        percent.isPresent() && isBestEffort(master)
            ? new Weight(share, idle && !master.starved().orElse(false))
            : Weight.full();
    if (master.weight().equals(Optional.of(wanted))) {
      return master;
    }
    weigher
        .weigh(master.container(), wanted.percent(), wanted.idle())
        .ifPresent(result -> writeAuditLine(master, wanted, result));
    if (wanted.lowered() != master.lowered() || wanted.idle() != master.idle()) {
      LOG.info(
          "the CPU weight of ApplicationMaster {} is now {} % of a production container's{}",
          master.container().containerId(),
          wanted.percent(),
          wanted.idle() ? ", and it is idle where the kernel can" : "");
    }
    return master.weighing(wanted);
  }

  private void writeAuditLine(Master master, Weight wanted, String result) {
    String reason;
    if (!wanted.lowered()) {
      reason = "its weight is production's";
    } else if (master.starved().orElse(false)) {
      reason = "its application is best-effort, and it hardly ran while it was idle";
    } else {
      reason = "its application is best-effort";
    }
    audit.write(
        NAME,
        RegulatorMode.ENFORCE,
        new Basis(
            "production containers",
            Map.of("masters", (double) masters.size()),
            wanted.percent(),
            NAME,
            reason),
        "weigh",
        master.container().containerId(),
        result);
  }
}
