/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.Arrays;
import java.util.List;

/**
 * Divides processor time: production first, then best-effort. Within each, containers get equal
 * shares, and a share that one does not need goes to the others.
 */
final class ProcessorShares {
  private ProcessorShares() {}

  /**
   * Returns the share of its demand that each container gets.
   *
   * @param containers the running containers
   * @param cores cores of the node
   * @return 0 to 1 for each container, in their order
   */
  static double[] of(List<NodeContainer> containers, double cores) {
    double[] shares = new double[containers.size()];
    double left = fill(containers, false, cores, shares);
    fill(containers, true, left, shares);
    return shares;
  }

  /**
   * Lowers the shares of best-effort containers so that they use at most a quota together.
   *
   * @param containers the running containers of the node
   * @param quotaCores the quota
   * @param shares the share of each container, in their order; changed
   */
  static void limit(List<NodeContainer> containers, double quotaCores, double[] shares) {
    if (wanted(containers, true) > quotaCores) {
      double[] limited = new double[shares.length];
      fill(containers, true, quotaCores, limited);
      for (int i = 0; i < shares.length; i++) {
        if (containers.get(i).isBestEffort()) {
          shares[i] = Math.min(shares[i], limited[i]);
        }
      }
    }
  }

  private static double fill(
      List<NodeContainer> containers, boolean bestEffort, double cores, double[] shares) {
    double wanted = wanted(containers, bestEffort);
    double level =
        wanted <= cores ? Double.POSITIVE_INFINITY : level(containers, bestEffort, cores);
    for (int i = 0; i < shares.length; i++) {
      NodeContainer container = containers.get(i);
      if (container.isBestEffort() == bestEffort) {
        double need = wants(container, bestEffort);
        shares[i] = need == 0 ? 1 : Math.min(1, level / need);
      }
    }
    return Math.max(0, cores - wanted);
  }

  /** Returns the cores that all containers of one kind could use. */
  static double wanted(List<NodeContainer> containers, boolean bestEffort) {
    double wanted = 0;
    for (NodeContainer container : containers) {
      wanted += wants(container, bestEffort);
    }
    return wanted;
  }

  private static double wants(NodeContainer container, boolean bestEffort) {
    return container.isBestEffort() == bestEffort && !container.isDying()
        ? container.usedCores()
        : 0;
  }

  /** Returns the most that each container gets if not all demands can be met. */
  private static double level(List<NodeContainer> containers, boolean bestEffort, double cores) {
    double[] needs = new double[containers.size()];
    int count = 0;
    for (NodeContainer container : containers) {
      double need = wants(container, bestEffort);
      if (need > 0) {
        needs[count++] = need;
      }
    }
    Arrays.sort(needs, 0, count);
    double left = cores;
    for (int i = 0; i < count; i++) {
      double equal = left / (count - i);
      if (needs[i] > equal) {
        return equal;
      }
      left -= needs[i];
    }
    return Double.POSITIVE_INFINITY;
  }
}
