/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * The requests of an application for one priority, allocation id and size: a number of containers,
 * and how many of them it prefers on which nodes and racks. Numbers are absolute, as in YARN.
 */
final class Ask {

  private final Map<String, ResourceRequest> places = new LinkedHashMap<>();
  private final Set<String> placesToCancel = new LinkedHashSet<>();
  private ResourceRequest anywhere;
  private int passed;
  private boolean changed;

  /** Applies the application's current request for one place. */
  void update(ResourceRequest request) {
    changed = true;
    String place = request.getResourceName();
    if (ResourceRequest.isAnyLocation(place)) {
      anywhere = request;
    } else if (request.getNumContainers() > 0) {
      places.put(place, request);
      placesToCancel.remove(place);
    } else if (places.remove(place) != null && passed > 0) {
      placesToCancel.add(place);
    }
  }

  boolean knows(String place) {
    return ResourceRequest.isAnyLocation(place) ? anywhere != null : places.containsKey(place);
  }

  /** Returns the number of requests that are kept for this ask; each takes memory. */
  int records() {
    return places.size() + placesToCancel.size() + 1;
  }

  /** Returns the number of containers that are wanted and not allocated. */
  int wanted() {
    return anywhere == null ? 0 : anywhere.getNumContainers();
  }

  /**
   * Returns the number of containers that YARN was asked for and, as far as is known, has not
   * allocated.
   */
  int passed() {
    return passed;
  }

  /** Returns whether the application wants nothing and YARN is asked for nothing. */
  boolean isOver() {
    return wanted() == 0 && passed == 0 && places.isEmpty();
  }

  /**
   * Returns the requests to send to YARN so that it is asked for {@code containers}; empty if it
   * already is. All places are sent each time, because YARN forgets them once it has allocated all
   * containers that it was asked for.
   *
   * @param containers at most {@link #wanted()}
   * @param outstanding containers that YARN is asked for now
   */
  List<ResourceRequest> pass(int containers, int outstanding) {
    boolean tell = containers != outstanding || (changed && containers > 0);
    passed = containers;
    changed = false;
    List<ResourceRequest> told = new ArrayList<>();
    if (tell && anywhere != null) {
      told.add(copy(anywhere, containers));
      places.values().forEach(place -> told.add(copy(place, containers)));
      for (String place : placesToCancel) {
        ResourceRequest cancelled = copy(anywhere, 0);
        cancelled.setResourceName(place);
        told.add(cancelled);
      }
      placesToCancel.clear();
    }
    return told;
  }

  /** Records that YARN is no longer asked for anything; it forgets the places as well. */
  void withdrawn() {
    passed = 0;
    placesToCancel.clear();
  }

  /**
   * Records the allocation of one container, which counts for its node and its rack, as in YARN.
   */
  void allocated(String host, String rack) {
    passed--;
    anywhere.setNumContainers(Math.max(0, wanted() - 1));
    decrement(host);
    decrement(rack);
  }

  private void decrement(String place) {
    places.computeIfPresent(
        place,
        (name, request) -> {
          request.setNumContainers(request.getNumContainers() - 1);
          return request.getNumContainers() > 0 ? request : null;
        });
  }

  private static ResourceRequest copy(ResourceRequest request, int most) {
    ResourceRequest copy = ResourceRequest.clone(request);
    copy.setNumContainers(Math.min(request.getNumContainers(), most));
    return copy;
  }
}
