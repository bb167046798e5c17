/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.scheduler.ExpectedGrowthPolicy;
import io.charon.core.scheduler.FairShare;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.QueueOrder;
import io.charon.core.scheduler.SafetyMargin;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.core.scheduler.StartLimit;
import io.charon.core.scheduler.ThresholdLaunchPolicy;
import io.charon.sls.node.BestEffortLimit;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.Killer;
import io.charon.sls.node.LowMemoryKiller;
import io.charon.sls.node.NodeMechanism;
import io.charon.sls.node.NodePolicy;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.NodeState;
import io.charon.sls.node.ThrashKiller;
import io.charon.sls.workload.Side;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** A policy: which jobs run, when best-effort containers start, and which containers are killed. */
public enum Policy {
  /** Production without best-effort jobs (the Charon paper's Default). */
  PRODUCTION_ALONE(Launch.SNAPSHOT, Kill.KERNEL),
  /** Best-effort jobs under Charon without production (the paper's Alone). */
  BEST_EFFORT_ALONE(Launch.SNAPSHOT, Kill.KERNEL),
  /**
   * Requests are reserved up to a share of the node; the newest container is killed for production
   * (the paper's Mercury).
   */
  STOCK_YARN(Launch.RESERVATION, Kill.RESERVATION),
  /**
   * Starts containers while memory is available and kills from user space otherwise (the paper's
   * Kuber).
   */
  THRESHOLD(Launch.THRESHOLD, Kill.USER_SPACE),
  /**
   * {@link #THRESHOLD} with the queue of {@link #CHARON}, which a {@code CharonNodeManager} in mode
   * {@code threshold} has as well: what is left between the two is the launch rule and the killer.
   */
  THRESHOLD_FAIR(Launch.THRESHOLD, Kill.USER_SPACE),
  /**
   * {@link #CHARON} with the launch rule of {@link #THRESHOLD}: what is left between the two is the
   * launch rule. Within the memory limit a running container counts with its learned peak here and
   * with its expected growth there, and one that waits with its request here.
   */
  THRESHOLD_LIMIT(Launch.THRESHOLD, Kill.KERNEL),
  /**
   * A {@code CharonNodeManager} with the shipped keys: expects growth of containers until their
   * memory has settled, with a learning margin; shares a node's memory and its queue between
   * applications; hands back containers that wait too long; delays launches after a kill, and while
   * many threads wait for a processor; limits the memory of all best-effort containers; uses the
   * kernel UA killer.
   */
  CHARON(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON} on YARN's own NodeManager, whose full queue rejects every container. */
  CHARON_DROP_IN(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON} that launches however many threads wait for a processor. */
  CHARON_ANY_PROCESSORS(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON} with the mechanism {@code evict-line} in mode enforce. */
  CHARON_EVICT_LINE(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON} with the mechanism {@code evict-satisfaction} in mode enforce. */
  CHARON_EVICT_SATISFACTION(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON} with Scavenger's memory regulator in mode enforce. */
  CHARON_MEMORY_RESERVE(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON} with the mechanism {@code cpu-water-line} in mode enforce. */
  CHARON_WATER_LINE(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON_ANY_PROCESSORS} without the memory limit. */
  CHARON_NO_LIMIT(Launch.GROWTH, Kill.KERNEL),
  /** {@link #CHARON_NO_LIMIT} with the killer of the threshold policy: it needs no cgroups. */
  CHARON_NO_CGROUPS(Launch.GROWTH, Kill.USER_SPACE),
  /** {@link #CHARON_NO_LIMIT} in order of arrival and without handing back. */
  CHARON_GROWTH(Launch.GROWTH, Kill.KERNEL),
  /**
   * The paper's Charon: memory snapshot, delayed launch and profiled peaks, in order of arrival.
   * Each of the following policies except {@link #ORACLE} changes one property of it.
   */
  CHARON_PEAKS(Launch.SNAPSHOT, Kill.KERNEL),
  /** Shares a node's memory between applications. */
  CHARON_FAIR(Launch.SNAPSHOT, Kill.KERNEL),
  /** Knows jobs only by user, priority and size, not by name. */
  CHARON_NO_NAMES(Launch.SNAPSHOT, Kill.KERNEL),
  /** Limits the number of containers that may be starting at the same time. */
  CHARON_START_LIMIT(Launch.SNAPSHOT, Kill.KERNEL),
  /** Uses the plain reading of free memory instead of the snapshot. */
  CHARON_NO_SNAPSHOT(Launch.BARE, Kill.KERNEL),
  /** Launches again at once after a kill. */
  CHARON_NO_DELAY(Launch.UNDELAYED, Kill.KERNEL),
  /** Neither the snapshot nor the delay, whose joint effect the paper shows (figure 11e). */
  CHARON_NO_SNAPSHOT_NO_DELAY(Launch.BARE_UNDELAYED, Kill.KERNEL),
  /** Knows every peak, as if all jobs had run before, as the paper assumes. */
  CHARON_PROFILED(Launch.SNAPSHOT, Kill.KERNEL),
  /** Uses requests and learns no peaks. */
  CHARON_REQUEST(Launch.SNAPSHOT, Kill.KERNEL),
  /** Uses the killer of the threshold policy. */
  CHARON_USER_SPACE_KILLER(Launch.SNAPSHOT, Kill.USER_SPACE),
  /** An upper bound instead of a policy, see {@link FutureLaunchPolicy}. */
  ORACLE(Launch.FUTURE, Kill.AT_ONCE);

  /** Cause of stock YARN's kills, which make room for reservations and are not for memory. */
  public static final String PREEMPTION = ReservationKiller.CAUSE;

  // Defaults of the NodeManager.
  private static final Duration QUEUE_AGING = Duration.ofDays(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  /** One start for each core within the NodeManager's default window; off by default. */
  private static final ProcessorLimits STARTS =
      new ProcessorLimits(new StartLimit(1, Duration.ofMillis(1500)), 0);

  private static final ProcessorLimits RUNNABLE = new ProcessorLimits(StartLimit.NONE, 3);

  private enum Launch {
    SNAPSHOT,
    GROWTH,
    BARE,
    UNDELAYED,
    BARE_UNDELAYED,
    RESERVATION,
    THRESHOLD,
    FUTURE
  }

  private enum Kill {
    KERNEL,
    USER_SPACE,
    RESERVATION,
    AT_ONCE
  }

  private final Launch launch;
  private final Kill kill;

  Policy(Launch launch, Kill kill) {
    this.launch = launch;
    this.kill = kill;
  }

  /** Returns the name that users type. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the policy with the given name.
   *
   * @throws IllegalArgumentException if there is none; the message has the new name of a policy
   *     that was renamed, or else all names
   */
  public static Policy of(String key) {
    return Arrays.stream(values())
        .filter(policy -> policy.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    RenamedPolicies.now(key)
                        .map(policy -> "policy " + key + " is now named " + policy.key())
                        .orElseGet(() -> "no policy " + key + "; choose from " + names())));
  }

  /** Returns all names, separated by commas. */
  public static String names() {
    return Arrays.stream(values()).map(Policy::key).collect(Collectors.joining(", "));
  }

  /** Returns whether the policy runs jobs of a side. */
  public boolean runs(Side side) {
    return switch (this) {
      case PRODUCTION_ALONE -> side == Side.PRODUCTION;
      case BEST_EFFORT_ALONE -> side == Side.BEST_EFFORT;
      default -> true;
    };
  }

  /**
   * Returns whether kills may count as failures. Tasks that the oracle displaces continue
   * elsewhere, so they have not failed.
   */
  public boolean killsMayBeFailures() {
    return this != ORACLE;
  }

  /** Returns whether the memory of best-effort as a whole is limited. */
  private boolean limitsMemory() {
    return switch (this) {
      case CHARON,
          CHARON_DROP_IN,
          CHARON_ANY_PROCESSORS,
          CHARON_EVICT_LINE,
          CHARON_EVICT_SATISFACTION,
          CHARON_MEMORY_RESERVE,
          CHARON_WATER_LINE,
          THRESHOLD_LIMIT ->
          true;
      default -> false;
    };
  }

  /** Returns whether containers that wait too long are requested elsewhere. */
  private boolean handsBack() {
    return switch (this) {
      case CHARON_NO_LIMIT, CHARON_NO_CGROUPS, THRESHOLD_FAIR -> true;
      default -> limitsMemory();
    };
  }

  /** Returns the parts of the policy that run on each node. */
  public NodePolicy onNodes(PolicySettings settings) {
    return new OnNode(settings);
  }

  private final class OnNode implements NodePolicy {
    private final PolicySettings settings;

    OnNode(PolicySettings settings) {
      this.settings = settings;
    }

    @Override
    public LaunchPolicy launchPolicy(NodeState node, PeakProfile profile) {
      PolicySettings.Launches launches = settings.launches();
      return switch (launch) {
        case SNAPSHOT -> new SnapshotLaunchPolicy(launches.resync(), launches.delay());
        case GROWTH ->
            new ExpectedGrowthPolicy(
                profile,
                new SafetyMargin(launches.killsPerHour()),
                launches.resync(),
                launches.delay());
        case BARE -> SnapshotLaunchPolicy.withoutSnapshot(launches.delay());
        case UNDELAYED -> new SnapshotLaunchPolicy(launches.resync(), Duration.ZERO);
        case BARE_UNDELAYED -> SnapshotLaunchPolicy.withoutSnapshot(Duration.ZERO);
        case RESERVATION -> new ReservationLaunchPolicy(node, settings.reservationPercent());
        case THRESHOLD -> new ThresholdLaunchPolicy(settings.thresholdPercent());
        case FUTURE -> new FutureLaunchPolicy(node);
      };
    }

    @Override
    public Killer killer(RandomGenerator random) {
      return switch (kill) {
        case KERNEL ->
            new ThrashKiller(settings.tolerance(), delayOf(KillDelay.Tier.KERNEL), random);
        case USER_SPACE ->
            new LowMemoryKiller(
                new LowMemoryRule(settings.thresholdPercent()),
                delayOf(KillDelay.Tier.USER_SPACE),
                random,
                launch == Launch.THRESHOLD);
        case RESERVATION ->
            new ReservationKiller(
                settings.reservationPercent(), delayOf(KillDelay.Tier.USER_SPACE), random);
        case AT_ONCE -> new OracleKiller();
      };
    }

    @Override
    public Optional<NodeMechanism> mechanism(RandomGenerator random) {
      Optional<Mechanism> added = AddedMechanisms.of(Policy.this);
      return added.map(one -> new NodeMechanism(one, delayOf(KillDelay.Tier.USER_SPACE), random));
    }

    @Override
    public Optional<BestEffortLimit> limit(NodeSize size, RandomGenerator random) {
      return limitsMemory()
          ? Optional.of(new BestEffortLimit(size, delayOf(KillDelay.Tier.USER_SPACE), random))
          : NodePolicy.super.limit(size, random);
    }

    @Override
    public Optional<Duration> observesEvery() {
      return launch == Launch.GROWTH
          ? Optional.of(settings.launches().resync())
          : NodePolicy.super.observesEvery();
    }

    @Override
    public PeakProfile profile() {
      return new PeakProfile(settings.peaks().samples(), settings.peaks().percentile());
    }

    @Override
    public QueueOrder queueOrder() {
      return handsBack() || Policy.this == CHARON_FAIR
          ? new FairShare(Owner::application, QUEUE_AGING)
          : NodePolicy.super.queueOrder();
    }

    @Override
    public boolean displaces() {
      return settings.displaces() && Policy.this != CHARON_DROP_IN;
    }

    @Override
    public Optional<Duration> longestWait() {
      return handsBack() ? Optional.of(LONGEST_WAIT) : NodePolicy.super.longestWait();
    }

    @Override
    public ProcessorLimits processorLimits() {
      if (limitsMemory() && Policy.this != CHARON_ANY_PROCESSORS) {
        return RUNNABLE;
      }
      return Policy.this == CHARON_START_LIMIT ? STARTS : NodePolicy.super.processorLimits();
    }

    @Override
    public boolean learnsPeaks() {
      return Policy.this != CHARON_REQUEST && !knowsPeaks();
    }

    @Override
    public boolean knowsPeaks() {
      return Policy.this == CHARON_PROFILED;
    }

    @Override
    public boolean knowsNames() {
      return Policy.this != CHARON_NO_NAMES;
    }

    /**
     * Returns the share that the killer keeps available, as in the NodeManager: the threshold's own
     * rule subtracts it itself, Charon's snapshot does not.
     */
    @Override
    public long keptFreeBytes(NodeSize size) {
      if (Policy.this == CHARON_EVICT_LINE) {
        return AddedMechanisms.EVICT_LINE.keptFreeBytes(size.memoryBytes());
      }
      return launch == Launch.THRESHOLD ? 0 : watchedAvailableBytes(size);
    }

    @Override
    public boolean isOracle() {
      return Policy.this == ORACLE;
    }

    @Override
    public long watchedAvailableBytes(NodeSize size) {
      if (Policy.this == CHARON_EVICT_LINE) {
        return AddedMechanisms.EVICT_LINE.availableAtLineBytes(size.memoryBytes());
      }
      return kill == Kill.USER_SPACE
          ? new LowMemoryRule(settings.thresholdPercent()).thresholdBytes(size.memoryBytes())
          : 0;
    }

    private KillDelay delayOf(KillDelay.Tier tier) {
      return KillDelay.of(settings.killDelays(), tier);
    }
  }
}
