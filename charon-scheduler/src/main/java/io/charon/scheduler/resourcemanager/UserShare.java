/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Collection;

/**
 * The share of the cluster's places for best-effort containers above which a user gets no more
 * while others wait. It is max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2): a user that
 * wants less than an equal share gets it, and the others share the rest equally.
 */
final class UserShare {

  /**
   * The containers that one user has and wants.
   *
   * @param live live containers, queued on a node or running
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
   * 1; {@link Settings#UNLIMITED} if no user waits, or there are places for all.
   *
   * @param places places of the whole cluster, taken and free; at least the live containers count
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
        // Rounded up, because a remainder would otherwise stay unused.
        return Math.max(1, (left + sharing - 1) / sharing);
      }
      left -= total;
      sharing--;
    }
    return Settings.UNLIMITED;
  }
}
