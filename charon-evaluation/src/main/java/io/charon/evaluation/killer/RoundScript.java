/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The script of one round, and therefore the ground truth of which containers are guilty. The
 * node's memory is the sum of all shares plus some room, and every container that is not guilty
 * stays within its share.
 *
 * @param seed seed of the script; the same seed gives the same script
 * @param containers containers in the order of their start; the guilty ones come last
 */
record RoundScript(long seed, List<ScriptedContainer> containers) {
  /** Multiplier of the seed: without it, the first random numbers of adjacent seeds are similar. */
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** Room for the pages of programs that all containers share, MiB. */
  private static final int ROOM = 16;

  private static final double WITHOUT_GUILTY = 0.2;
  private static final double WITH_SERVICE = 0.5;
  private static final double TWO_GUILTY = 0.25;
  private static final double GUILTY_OF_FILE_THRASH = 0.25;
  private static final double GUILTY_IS_OLD = 0.25;
  private static final int GUILTY_SHARE = 40;

  RoundScript {
    containers = List.copyOf(containers);
  }

  /** Returns the script of a round. */
  static RoundScript of(long seed) {
    Random random = new Random(seed * MIX);
    List<ScriptedContainer> containers = new ArrayList<>();
    int productions = 1 + random.nextInt(2);
    for (int i = 1; i <= productions; i++) {
      int share = between(random, 20, 50);
      containers.add(
          within(random, "production-" + i, Role.PRODUCTION, Behaviour.ANONYMOUS, share));
    }
    if (random.nextDouble() < WITH_SERVICE) {
      int share = between(random, 20, 40);
      containers.add(within(random, "service", Role.SERVICE, Behaviour.IDLE, share));
    }
    containers.addAll(innocents(random));
    if (random.nextDouble() >= WITHOUT_GUILTY) {
      // A guilty container can use this memory without thrashing, so its working set must exceed it
      // too.
      int slack =
          ROOM
              + containers.stream()
                  .filter(one -> one.behaviour().usesFile())
                  .mapToInt(ScriptedContainer::shareMegabytes)
                  .sum();
      containers.addAll(guilty(random, slack));
    }
    return new RoundScript(seed, containers);
  }

  /** Returns the node's memory limit. */
  int limitMegabytes() {
    return ROOM + containers.stream().mapToInt(ScriptedContainer::shareMegabytes).sum();
  }

  List<ScriptedContainer> guilty() {
    return containers.stream().filter(ScriptedContainer::isGuilty).toList();
  }

  private static List<ScriptedContainer> innocents(Random random) {
    List<Behaviour> behaviours =
        new ArrayList<>(
            List.of(
                Behaviour.STREAM,
                Behaviour.REREAD,
                Behaviour.SPILL,
                Behaviour.JAVA,
                Behaviour.FORKS,
                Behaviour.IDLE));
    Collections.shuffle(behaviours, random);
    List<ScriptedContainer> innocents = new ArrayList<>();
    for (Behaviour behaviour : behaviours.subList(0, between(random, 2, 4))) {
      int share =
          switch (behaviour) {
            case JAVA -> JavaHeapLoad.FOOTPRINT_MEGABYTES;
            case FORKS, IDLE -> 30;
            default -> 10;
          };
      String name = behaviour.name().toLowerCase(java.util.Locale.ROOT);
      innocents.add(within(random, name, Role.BEST_EFFORT, behaviour, share));
    }
    return innocents;
  }

  private static List<ScriptedContainer> guilty(Random random, int slack) {
    List<ScriptedContainer> guilty = new ArrayList<>();
    int count = random.nextDouble() < TWO_GUILTY ? 2 : 1;
    for (int i = 1; i <= count; i++) {
      boolean file = random.nextDouble() < GUILTY_OF_FILE_THRASH;
      guilty.add(
          new ScriptedContainer(
              "guilty-" + i,
              Role.BEST_EFFORT,
              file ? Behaviour.FILE : Behaviour.ANONYMOUS,
              GUILTY_SHARE,
              GUILTY_SHARE + slack + between(random, 80, 180),
              // Usually the container that was launched last; occasionally an older one that grew
              // late.
              random.nextDouble() < GUILTY_IS_OLD ? age(random) : between(random, 2, 20)));
    }
    return guilty;
  }

  private static ScriptedContainer within(
      Random random, String name, Role role, Behaviour behaviour, int share) {
    return new ScriptedContainer(name, role, behaviour, share, share, age(random));
  }

  /**
   * Returns an age in seconds. The killer's ranking uses ages: of two containers of the same size,
   * the younger one is killed.
   */
  private static int age(Random random) {
    return between(random, 20, 120);
  }

  private static int between(Random random, int smallest, int largest) {
    return smallest + random.nextInt(largest - smallest + 1);
  }
}
