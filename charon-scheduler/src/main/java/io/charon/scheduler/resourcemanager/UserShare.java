/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Collection;

/**
 * The share of the cluster's places for best-effort containers above which a user asks for no more
 * while others wait. It is max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2): who wants
 * less than an equal share gets it, and the others share the rest equally.
 */
final class UserShare {

  /**
   * What one user has and wants.
   *
   * @param live containers, queued on a node or running
   * @param unmet containers that the user waits for; 0 if the user does not wait
   */
  record Demand(long live, long unmet) {
    private long total() {
      return live + unmet;
    }
  }

  private UserShare() {}

  /**
   * Returns the most containers that a user may have or ask for while another one waits, at least
   * 1; {@link Settings#UNLIMITED} while nobody waits, or there are places for all.
   *
   * @param places of the whole cluster, taken and free; those that are taken count in any case
   */
  static long of(long places, Collection<Demand> users) {
    long live = users.stream().mapToLong(Demand::live).sum();
    long left = Math.max(places, live);
    long wanted = users.stream().mapToLong(Demand::total).sum();
    if (wanted <= left) {
      return Settings.UNLIMITED;
    }
    long[] ascending = users.stream().mapToLong(Demand::total).sorted().toArray();
    int sharing = ascending.length;
    for (long total : ascending) {
      long share = left / sharing;
      if (total > share) {
        // Rounded up, or a remainder would stay unused.
        return Math.max(1, (left + sharing - 1) / sharing);
      }
      left -= total;
      sharing--;
    }
    return Settings.UNLIMITED;
  }
}
