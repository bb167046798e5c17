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
 * The ApplicationMasters of best-effort applications as a class of their own, which runs among
 * production: each has a lower CPU weight, and all together no more than one production container.
 * Whom a master works for is often known after its launch only; until then, and where it never is,
 * it is production's. Nobody moves, so their memory, its rights and their scores stay as they are.
 * Thread-safe; nothing here waits.
 */
public final class MasterWeights {
  private static final Logger LOG = LoggerFactory.getLogger(MasterWeights.class);

  /** A production container's weight, and the most that the whole class has (ours). */
  private static final int FULL_PERCENT = 100;

  private final Function<String, Optional<Boolean>> bestEffort;
  private final ObjIntConsumer<ContainerInfo> weigh;
  private final Map<String, Master> masters = new LinkedHashMap<>();
  private OptionalInt percent = OptionalInt.empty();

  /** Who runs; whom it works for and what it weighs, as far as that is known. */
  private record Master(ContainerInfo container, Optional<Boolean> bestEffort, OptionalInt weight) {
    boolean lowered() {
      return weight.isPresent() && weight.getAsInt() < FULL_PERCENT;
    }
  }

  /**
   * Follows nobody yet, and lowers nobody's weight.
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
   * From now on masters of best-effort weigh so much, or as production, and whom each works for is
   * asked anew: the rule may be another one.
   *
   * @param wanted percent, 1 to 99; empty gives back what was taken
   */
  public synchronized void change(OptionalInt wanted) {
    percent = wanted;
    masters.replaceAll(
        (id, master) -> new Master(master.container(), Optional.empty(), master.weight()));
    settle();
  }

  /** A container is about to start, in a cgroup that has its full weight. */
  public void started(ContainerInfo container) {
    follow(container, OptionalInt.of(FULL_PERCENT));
  }

  /** A container was found running, or has another cgroup than before. */
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

  /** Looks whether more is known by now. */
  public synchronized void tick() {
    settle();
  }

  /** A container has ended. */
  public synchronized void stopped(String containerId) {
    if (masters.remove(containerId) != null) {
      settle();
    }
  }

  /**
   * The lower weight that a container has because it manages a best-effort application.
   *
   * @return percent of a production container's; empty for everybody else
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

  /** What each of the class weighs. */
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
      return master; // as it is until somebody knows
    }
    int wanted = percent.isPresent() && isBestEffort(master) ? share : FULL_PERCENT;
    if (master.weight().equals(OptionalInt.of(wanted))) {
      return master;
    }
    weigh.accept(master.container(), wanted);
    if (wanted < FULL_PERCENT != master.lowered()) {
      LOG.info(
          "{}, an ApplicationMaster, weighs {} % of a production container now",
          master.container().containerId(), wanted);
    }
    return new Master(master.container(), master.bestEffort(), OptionalInt.of(wanted));
  }
}
