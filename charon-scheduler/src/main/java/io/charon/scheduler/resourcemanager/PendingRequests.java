/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * All OPPORTUNISTIC containers that one attempt of an application wants, including those that YARN
 * has not been asked for. Not thread-safe; YARN serializes the calls of an attempt.
 */
final class PendingRequests {

  private record Place(SchedulerRequestKey key, Resource capability, String name) {}

  private final NavigableMap<SchedulerRequestKey, Map<Resource, Ask>> asks = new TreeMap<>();
  private final boolean retriesFirst;

  /**
   * Creates an empty book.
   *
   * @param retriesFirst whether first attempts of maps wait for retries: see {@link MapReduceMaps}
   */
  PendingRequests(boolean retriesFirst) {
    this.retriesFirst = retriesFirst;
  }

  /**
   * Applies the application's current requests.
   *
   * @param maxRecords maximum number of distinct requests to keep
   * @throws InvalidResourceRequestException if there would be more, or if a request is incomplete;
   *     then nothing has changed
   */
  void update(List<ResourceRequest> requests, long maxRecords)
      throws InvalidResourceRequestException {
    checkFields(requests);
    checkSize(requests, maxRecords);
    for (ResourceRequest request : requests) {
      SchedulerRequestKey key = SchedulerRequestKey.create(request);
      Ask ask = find(key, request.getCapability());
      // A cancellation of something that was never requested is ignored.
      if (ask != null || request.getNumContainers() > 0) {
        enter(request);
      }
    }
    purgeEnded();
  }

  private void enter(ResourceRequest request) {
    asks.computeIfAbsent(SchedulerRequestKey.create(request), unknown -> new LinkedHashMap<>())
        .computeIfAbsent(request.getCapability(), unknown -> new Ask())
        .update(request);
  }

  /**
   * Takes over what YARN is asked for and the book does not have, as after a call that passed
   * because recording had failed. Otherwise no limit would apply to it, and a stop would leave it.
   */
  void adopt(AllocatorAsks yarn) {
    yarn.unknown((key, capability) -> find(key, capability) != null).forEach(this::enter);
  }

  /**
   * Refuses what YARN checks in GUARANTEED requests only: a negative number would lower the sums
   * that the limits bound, and a request without a size, or with one that cannot be read, would
   * make the limits fail, and so fail open.
   */
  private static void checkFields(List<ResourceRequest> requests)
      throws InvalidResourceRequestException {
    for (ResourceRequest request : requests) {
      if (!isComplete(request)) {
        throw new InvalidResourceRequestException(
            "A request for OPPORTUNISTIC containers has no priority, no size or no place, or asks"
                + " for a negative number of containers: "
                + request
                + ". Cure: correct the application.");
      }
    }
  }

  private static boolean isComplete(ResourceRequest request)
      throws InvalidResourceRequestException {
    try {
      // The size comes first: it is parsed only when it is read, and the text of the request reads
      // it.
      return request.getCapability() != null
          && request.getPriority() != null
          && request.getResourceName() != null
          && request.getNumContainers() >= 0;
    } catch (RuntimeException e) {
      throw new InvalidResourceRequestException(
          "A request for OPPORTUNISTIC containers has a size that cannot be read: "
              + e.getMessage()
              + ". Cure: correct the application.",
          e);
    }
  }

  /** Returns whether containers of this key are wanted and not allocated. */
  boolean wants(SchedulerRequestKey key) {
    return asks.getOrDefault(key, Map.of()).values().stream().anyMatch(ask -> ask.wanted() > 0);
  }

  /** Returns the number of containers that are wanted and not allocated. */
  long wanted() {
    return sum(Ask::wanted);
  }

  /** Returns the number of containers that YARN may be asked for now: of each key, one size. */
  long wantedInTurn() {
    return asks.values().stream()
        .flatMapToLong(
            sized ->
                sized.values().stream().mapToLong(Ask::wanted).filter(some -> some > 0).limit(1))
        .sum();
  }

  /**
   * Returns the requests to send to YARN so that it is asked for at most {@code containers} in all.
   * They go to the asks in the order in which YARN's allocator serves them; an ask that has to wait
   * for others gets none, and what YARN is asked for of it is withdrawn at once. The sizes of a key
   * wait for each other: YARN's allocator serves no second size of a key in a call, and fails if
   * there is one, even if it has been asked for none of it any more.
   */
  List<ResourceRequest> pass(long containers, AllocatorAsks yarn) {
    boolean firstAttemptsWait = retriesFirst && wantsRetries();
    Map<SchedulerRequestKey, Resource> passed = new HashMap<>();
    List<ResourceRequest> told = new ArrayList<>();
    long left = containers;
    for (Map.Entry<SchedulerRequestKey, Map<Resource, Ask>> entry :
        asks.descendingMap().entrySet()) {
      SchedulerRequestKey key = entry.getKey();
      boolean waits = firstAttemptsWait && MapReduceMaps.isFirstAttempt(key);
      for (Map.Entry<Resource, Ask> sized : entry.getValue().entrySet()) {
        Ask ask = sized.getValue();
        int share = waits ? 0 : (int) Math.min(ask.wanted(), left);
        if (share > 0) {
          waits = true;
          left -= share;
          passed.put(key, sized.getKey());
          told.addAll(ask.pass(share, yarn.of(key, sized.getKey())));
        } else {
          ask.withdrawn();
        }
      }
    }
    yarn.retain((key, capability) -> capability.equals(passed.get(key)));
    return told;
  }

  /**
   * Returns the requests with which YARN is asked for everything, whatever it has been asked for.
   */
  List<ResourceRequest> passAll() {
    return asks.descendingMap().values().stream()
        .flatMap(sized -> sized.values().stream())
        .flatMap(ask -> ask.pass(ask.wanted(), -1).stream())
        .toList();
  }

  /**
   * Subtracts allocated containers from the wanted ones.
   *
   * @param containers the new OPPORTUNISTIC containers of the response to the application
   * @param racks the rack of each node
   */
  void allocated(List<Container> containers, AllocatorAsks yarn, Map<NodeId, String> racks) {
    Set<SchedulerRequestKey> served = new HashSet<>();
    for (Container container : containers) {
      SchedulerRequestKey key = SchedulerRequestKey.extractFrom(container);
      served.add(key);
      // The container's own size is rounded up; its ask is the one whose count YARN has
      // decremented.
      for (Map.Entry<Resource, Ask> sized : asks.getOrDefault(key, Map.of()).entrySet()) {
        Ask ask = sized.getValue();
        if (ask.passed() > yarn.of(key, sized.getKey())) {
          NodeId node = container.getNodeId();
          ask.allocated(node.getHost(), racks.get(node));
          if (ask.wanted() == 0) {
            // YARN also forgets the places of an ask that is used up.
            asks.get(key).remove(sized.getKey());
          }
          break;
        }
      }
    }
    purgeEnded();
    asks.forEach(
        (key, sized) -> {
          if (!served.contains(key)) {
            nextTurn(sized);
          }
        });
  }

  /** Moves the size that YARN was asked for behind the others, because it may fit nowhere. */
  private static void nextTurn(Map<Resource, Ask> sized) {
    if (sized.size() > 1) {
      sized.keySet().stream()
          .filter(capability -> sized.get(capability).passed() > 0)
          .findFirst()
          .ifPresent(capability -> sized.put(capability, sized.remove(capability)));
    }
  }

  /** Returns the number of containers that YARN is asked for now. */
  long outstanding(AllocatorAsks yarn) {
    long sum = 0;
    for (Map.Entry<SchedulerRequestKey, Map<Resource, Ask>> entry : asks.entrySet()) {
      for (Resource capability : entry.getValue().keySet()) {
        sum += yarn.of(entry.getKey(), capability);
      }
    }
    return sum;
  }

  private void checkSize(List<ResourceRequest> requests, long maxRecords)
      throws InvalidResourceRequestException {
    Set<Place> added = new HashSet<>();
    for (ResourceRequest request : requests) {
      SchedulerRequestKey key = SchedulerRequestKey.create(request);
      Ask ask = find(key, request.getCapability());
      if (request.getNumContainers() > 0
          && (ask == null || !ask.knows(request.getResourceName()))) {
        added.add(new Place(key, request.getCapability(), request.getResourceName()));
      }
    }
    long records = sum(Ask::records) + added.size();
    if (!added.isEmpty() && records > maxRecords) {
      throw new InvalidResourceRequestException(
          "The application asks for OPPORTUNISTIC containers with "
              + records
              + " distinct requests (by priority, allocation id, size and place), more than "
              + maxRecords
              + ". Cure: ask with fewer allocation ids or places, or raise "
              + BestEffortLimits.RECORDS_KEY
              + " in the ResourceManager's yarn-site.xml.");
    }
  }

  private Ask find(SchedulerRequestKey key, Resource capability) {
    return asks.getOrDefault(key, Map.of()).get(capability);
  }

  private void purgeEnded() {
    asks.values().forEach(sized -> sized.values().removeIf(Ask::isOver));
    asks.values().removeIf(Map::isEmpty);
  }

  private boolean wantsRetries() {
    return asks.entrySet().stream()
        .filter(entry -> MapReduceMaps.isRetry(entry.getKey()))
        .flatMap(entry -> entry.getValue().values().stream())
        .anyMatch(ask -> ask.wanted() > 0);
  }

  private long sum(ToLongFunction<Ask> number) {
    return asks.values().stream().flatMap(sized -> sized.values().stream()).mapToLong(number).sum();
  }
}
