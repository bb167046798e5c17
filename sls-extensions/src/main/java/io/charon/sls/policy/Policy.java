/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.scheduler.ExpectedGrowthPolicy;
import io.charon.core.scheduler.FairShare;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.QueueOrder;
import io.charon.core.scheduler.SafetyMargin;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.core.scheduler.StartLimit;
import io.charon.core.scheduler.ThresholdLaunchPolicy;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.Killer;
import io.charon.sls.node.LowMemoryKiller;
import io.charon.sls.node.NodePolicy;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.NodeState;
import io.charon.sls.node.ThrashKiller;
import io.charon.sls.workload.Side;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** A policy: whose jobs run, when best-effort containers start, who dies. */
public enum Policy {
  /** Production without best-effort jobs (the Charon paper's Default). */
  PRODUCTION_ALONE(Launch.SNAPSHOT, Kill.KERNEL),
  /** Best-effort jobs under Charon without production (the paper's Alone). */
  BEST_EFFORT_ALONE(Launch.SNAPSHOT, Kill.KERNEL),
  /**
   * Requests are reserved up to a share of the node; the newest makes way for production (the
   * paper's Mercury).
   */
  STOCK_YARN(Launch.RESERVATION, Kill.RESERVATION),
  /** Starts while memory is available, kills from user space when not (the paper's Kuber). */
  THRESHOLD(Launch.THRESHOLD, Kill.USER_SPACE),
  /**
   * What a NodeManager does with the keys that it ships with: expects growth of those that have not
   * settled, with a margin that learns; shares a node's memory between applications; hands back who
   * waits too long; delayed launch, kernel UA killer.
   */
  CHARON(Launch.GROWTH, Kill.KERNEL),
  /** The same in order of arrival, and nobody is handed back. */
  CHARON_GROWTH(Launch.GROWTH, Kill.KERNEL),
  /**
   * The paper's Charon: memory snapshot, delayed launch, profiled peaks, in order of arrival. Those
   * that follow differ from it.
   */
  CHARON_PEAKS(Launch.SNAPSHOT, Kill.KERNEL),
  /** Charon that shares a node's memory between applications. */
  CHARON_FAIR(Launch.SNAPSHOT, Kill.KERNEL),
  /** Charon that knows jobs by user, priority and size only, not by name. */
  CHARON_NO_NAMES(Launch.SNAPSHOT, Kill.KERNEL),
  /** Charon that limits how many containers start at a time. */
  CHARON_START_LIMIT(Launch.SNAPSHOT, Kill.KERNEL),
  /** Charon on the bare reading of the memory. */
  CHARON_NO_SNAPSHOT(Launch.BARE, Kill.KERNEL),
  /** Charon that launches again at once after a kill. */
  CHARON_NO_DELAY(Launch.UNDELAYED, Kill.KERNEL),
  /** Charon whose jobs recur: their history knows every peak, as the paper assumes. */
  CHARON_PROFILED(Launch.SNAPSHOT, Kill.KERNEL),
  /** Charon that believes requests and learns no peaks. */
  CHARON_REQUEST(Launch.SNAPSHOT, Kill.KERNEL),
  /** Charon's launches with the killer of the threshold. */
  CHARON_USER_SPACE_KILLER(Launch.SNAPSHOT, Kill.USER_SPACE),
  /** No policy but a bound, see {@link FutureLaunchPolicy}. */
  ORACLE(Launch.FUTURE, Kill.AT_ONCE);

  /** The cause of stock YARN's kills, which make room for reservations and are not for memory. */
  public static final String PREEMPTION = ReservationKiller.CAUSE;

  /** What policies were called in experiment files of former versions. */
  private static final Map<String, Policy> FORMER_KEYS =
      Map.of(
          "mercury", STOCK_YARN,
          "kuber", THRESHOLD,
          "charon-names", CHARON_PEAKS,
          "charon-growth-fair", CHARON);

  // The NodeManager's defaults.
  private static final Duration QUEUE_AGING = Duration.ofDays(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  /** Off by default; one for each core, for the NodeManager's default window. */
  private static final StartLimit STARTS = new StartLimit(1, Duration.ofMillis(1500));

  private enum Launch {
    SNAPSHOT,
    GROWTH,
    BARE,
    UNDELAYED,
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

  /** The name that users type. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The policy of a name, or of what it was called before.
   *
   * @throws IllegalArgumentException if there is none; the message lists all
   */
  public static Policy of(String key) {
    return Arrays.stream(values())
        .filter(policy -> policy.key().equals(key))
        .findFirst()
        .or(() -> Optional.ofNullable(FORMER_KEYS.get(key)))
        .orElseThrow(
            () -> new IllegalArgumentException("no policy " + key + "; there are " + names()));
  }

  /** All names, with commas. */
  public static String names() {
    return Arrays.stream(values()).map(Policy::key).collect(Collectors.joining(", "));
  }

  /** Whether jobs of a side run at all. */
  public boolean runs(Side side) {
    return switch (this) {
      case PRODUCTION_ALONE -> side == Side.PRODUCTION;
      case BEST_EFFORT_ALONE -> side == Side.BEST_EFFORT;
      default -> true;
    };
  }

  /** Whom the bound displaces goes on elsewhere: that is no failure. */
  public boolean killsMayBeFailures() {
    return !isOracle();
  }

  private boolean isOracle() {
    return this == ORACLE;
  }

  /** What decides on each node. */
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
      return switch (launch) {
        case SNAPSHOT -> new SnapshotLaunchPolicy(settings.resync(), settings.delay());
        case GROWTH ->
            new ExpectedGrowthPolicy(
                profile,
                new SafetyMargin(settings.killsPerHour()),
                settings.resync(),
                settings.delay());
        case BARE -> SnapshotLaunchPolicy.withoutSnapshot(settings.delay());
        case UNDELAYED -> new SnapshotLaunchPolicy(settings.resync(), Duration.ZERO);
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
    public PeakProfile profile() {
      return new PeakProfile(settings.profileSamples(), settings.profilePercentile());
    }

    @Override
    public QueueOrder queueOrder() {
      return Policy.this == CHARON || Policy.this == CHARON_FAIR
          ? new FairShare(Owner::application, QUEUE_AGING)
          : NodePolicy.super.queueOrder();
    }

    @Override
    public Optional<Duration> longestWait() {
      return Policy.this == CHARON ? Optional.of(LONGEST_WAIT) : NodePolicy.super.longestWait();
    }

    @Override
    public StartLimit starts() {
      return Policy.this == CHARON_START_LIMIT ? STARTS : NodePolicy.super.starts();
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
     * As in the NodeManager: the threshold's own rule subtracts the share, Charon's snapshot does
     * not.
     */
    @Override
    public long keptFreeBytes(NodeSize size) {
      return launch == Launch.THRESHOLD ? 0 : watchedAvailableBytes(size);
    }

    @Override
    public boolean isOracle() {
      return Policy.this.isOracle();
    }

    @Override
    public long watchedAvailableBytes(NodeSize size) {
      return kill == Kill.USER_SPACE
          ? new LowMemoryRule(settings.thresholdPercent()).thresholdBytes(size.memoryBytes())
          : 0;
    }

    private KillDelay delayOf(KillDelay.Tier tier) {
      return KillDelay.of(settings.killDelays(), tier);
    }
  }
}
