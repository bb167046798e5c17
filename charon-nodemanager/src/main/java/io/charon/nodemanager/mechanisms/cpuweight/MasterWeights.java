/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuweight;

import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.container.ContainerInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lowers the CPU weight of ApplicationMasters that manage best-effort applications. These masters
 * run among production containers: each has a lower weight than a production container, and all
 * together weigh no more than one production container. More than 100 masters on a node exceed that
 * bound, because each keeps a weight of 1 %, the smallest that cgroup v2 has beside its default
 * weight of 100. Whether a master's application is best-effort is often known only after the
 * master's launch; until then, and if it never becomes known, the master counts as production. No
 * process is moved, so memory, entitlements and scores do not change. Thread-safe and non-blocking.
 */
public final class MasterWeights {
  private static final Logger LOG = LoggerFactory.getLogger(MasterWeights.class);

  /**
   * Weight of a production container, and the limit for all these masters together (our choice).
   */
  private static final int FULL_PERCENT = 100;

  private final Function<String, Optional<Boolean>> bestEffort;
  private final ObjIntConsumer<ContainerInfo> weigh;
  private final Map<String, Master> masters = new LinkedHashMap<>();
  private OptionalInt percent = OptionalInt.empty();

  /** A running master, whether its application is best-effort, and its weight, as far as known. */
  private record Master(ContainerInfo container, Optional<Boolean> bestEffort, OptionalInt weight) {
    boolean lowered() {
      return weight.isPresent() && weight.getAsInt() < FULL_PERCENT;
    }
  }

  /**
   * Creates an instance that tracks no master and lowers no weight.
   *
   * @param bestEffort whether an application is best-effort, by its id; empty while that is not
   *     known. Must not block
   * @param weigh gives a container a weight, percent of a production container's, 1 to 100
   */
  public MasterWeights(
      Function<String, Optional<Boolean>> bestEffort, ObjIntConsumer<ContainerInfo> weigh) {
    this.bestEffort = bestEffort;
    this.weigh = weigh;
  }

  /**
   * Changes the weight of best-effort applications' masters. Whether each application is
   * best-effort is queried again, because the rule that decides it may have changed.
   *
   * @param wanted percent of a production container's weight, 1 to 99; empty restores the full
   *     weight
   */
  public synchronized void change(OptionalInt wanted) {
    percent = wanted;
    masters.replaceAll(
        (id, master) -> new Master(master.container(), Optional.empty(), master.weight()));
    settle();
  }

  /** Handles a container that is about to start, in a cgroup that has its full weight. */
  public void started(ContainerInfo container) {
    follow(container, OptionalInt.of(FULL_PERCENT));
  }

  /** Handles a container that was found running or moved to another cgroup. */
  public void moved(ContainerInfo container) {
    follow(container, OptionalInt.empty());
  }

  private synchronized void follow(ContainerInfo container, OptionalInt weight) {
    if (container.applicationMaster() && container.containerClass() == ContainerClass.PRODUCTION) {
      masters.put(container.containerId(), new Master(container, Optional.empty(), weight));
    } else {
      masters.remove(container.containerId());
    }
    settle();
  }

  /** Checks whether more applications are known by now, and adjusts the weights. */
  public synchronized void tick() {
    settle();
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
    return master != null && master.lowered() ? master.weight() : OptionalInt.empty();
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
        : new Master(
            master.container(),
            bestEffort.apply(master.container().applicationId()),
            master.weight());
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
    int wanted = percent.isPresent() && isBestEffort(master) ? share : FULL_PERCENT;
    if (master.weight().equals(OptionalInt.of(wanted))) {
      return master;
    }
    weigh.accept(master.container(), wanted);
    if (wanted < FULL_PERCENT != master.lowered()) {
      LOG.info(
          "the CPU weight of ApplicationMaster {} is now {} % of a production container's",
          master.container().containerId(), wanted);
    }
    return new Master(master.container(), master.bestEffort(), OptionalInt.of(wanted));
  }
}
