/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerAllocator.EnrichedResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerContext;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * The OPPORTUNISTIC containers that one attempt asks YARN's allocator for, as the allocator keeps
 * them; for the thread that serves the attempt's call only.
 */
final class AllocatorAsks {

  private final Map<SchedulerRequestKey, Map<Resource, EnrichedResourceRequest>> asks;

  AllocatorAsks(OpportunisticContainerContext context) {
    asks = context.getOutstandingOpReqs();
  }

  boolean isEmpty() {
    return asks.isEmpty();
  }

  /** Returns the number of containers that YARN is asked for now. */
  int of(SchedulerRequestKey key, Resource capability) {
    EnrichedResourceRequest ask = asks.getOrDefault(key, Map.of()).get(capability);
    return ask == null ? 0 : ask.getRequest().getNumContainers();
  }

  /** Returns requests, one for each place, with which YARN would be asked for what is not known. */
  List<ResourceRequest> unknown(BiPredicate<SchedulerRequestKey, Resource> known) {
    List<ResourceRequest> requests = new ArrayList<>();
    asks.forEach(
        (key, sized) ->
            sized.forEach(
                (capability, ask) -> {
                  if (of(key, capability) > 0 && !known.test(key, capability)) {
                    requests.addAll(requests(ask));
                  }
                }));
    return requests;
  }

  /**
   * Withdraws all others. YARN's own way, to ask for 0 containers, leaves an entry behind, with
   * which its allocator fails as soon as it serves another size of the same key.
   */
  void retain(BiPredicate<SchedulerRequestKey, Resource> retained) {
    asks.forEach(
        (key, sized) -> sized.keySet().removeIf(capability -> !retained.test(key, capability)));
    asks.values().removeIf(Map::isEmpty);
  }

  private static List<ResourceRequest> requests(EnrichedResourceRequest ask) {
    List<ResourceRequest> requests = new ArrayList<>();
    requests.add(copy(ask, ResourceRequest.ANY, ask.getRequest().getNumContainers()));
    ask.getNodeMap().forEach((host, number) -> requests.add(copy(ask, host, number.get())));
    ask.getRackMap().forEach((rack, number) -> requests.add(copy(ask, rack, number.get())));
    return requests;
  }

  private static ResourceRequest copy(EnrichedResourceRequest ask, String place, int containers) {
    ResourceRequest copy = ResourceRequest.clone(ask.getRequest());
    copy.setResourceName(place);
    copy.setNumContainers(containers);
    return copy;
  }
}
