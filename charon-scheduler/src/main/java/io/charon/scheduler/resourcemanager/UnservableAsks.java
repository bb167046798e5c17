/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The asks of one call that YARN's allocator of OPPORTUNISTIC containers cannot serve, because it
 * ignores part of what they say:
 *
 * <ul>
 *   <li>A label. It would place them on any node. Only the ask for any node carries a label; the
 *       asks for hosts and racks with the same key belong to it. Without a label, that of the
 *       application or else of its queue applies, as YARN fills it in later ({@code
 *       DefaultAMSProcessor}, {@code SchedulerUtils}); the empty label stands for the unlabelled
 *       partition.
 *   <li>Resources besides memory and vcores, such as GPUs. It does not check whether a node has any
 *       left, and the ResourceManager deducts them for GUARANTEED containers only ({@code
 *       SchedulerNode}), so that it would send production to devices that are taken.
 *   <li>Strict locality. It would place them on any node. The asks for any node and for racks say
 *       so, for all of the same key; what an ask for a host says has no meaning.
 *   <li>A size above the maximum of the queue or of the cluster's nodes. It knows only the
 *       scheduler's maximum at the registration of the ApplicationMaster, and would give less than
 *       was asked. If the ask is GUARANTEED, YARN refuses it or, where larger nodes have registered
 *       since, gives all of it.
 * </ul>
 */
final class UnservableAsks {

  private static final Set<String> SERVED =
      Set.of(ResourceInformation.MEMORY_URI, ResourceInformation.VCORES_URI);

  /** Keys with a label or with strict locality. */
  private final Set<SchedulerRequestKey> unservable = new HashSet<>();

  private final Set<SchedulerRequestKey> unlabelled = new HashSet<>();
  private final boolean labelledByDefault;
  private final Optional<Resource> largest;

  /**
   * Reads the asks of a call.
   *
   * @param defaultLabel label of asks that have none
   * @param largest the largest container that the allocator gives as asked, if it is known
   */
  UnservableAsks(
      List<ResourceRequest> asks, Optional<String> defaultLabel, Optional<Resource> largest) {
    this.largest = largest;
    labelledByDefault = defaultLabel.filter(label -> !label.isBlank()).isPresent();
    for (ResourceRequest ask : asks) {
      SchedulerRequestKey key = SchedulerRequestKey.create(ask);
      String label = ask.getNodeLabelExpression();
      if (label != null) {
        (label.isBlank() ? unlabelled : unservable).add(key);
      }
      if (isStrict(ask)) {
        unservable.add(key);
      }
    }
  }

  boolean contains(ResourceRequest ask) {
    SchedulerRequestKey key = SchedulerRequestKey.create(ask);
    return unservable.contains(key)
        || (labelledByDefault && !unlabelled.contains(key))
        || hasUnservableSize(ask);
  }

  /** Only the name of a rack begins with a slash. */
  private static boolean isStrict(ResourceRequest ask) {
    String place = ask.getResourceName();
    return !ask.getRelaxLocality()
        && (ResourceRequest.isAnyLocation(place) || (place != null && place.startsWith("/")));
  }

  private boolean hasUnservableSize(ResourceRequest ask) {
    return hasSize(ask, UnservableAsks::hasOtherResources)
        || largest.filter(most -> isLarger(ask, most)).isPresent();
  }

  /** Returns whether an ask is for larger containers than the given one. */
  static boolean isLarger(ResourceRequest ask, Resource most) {
    return hasSize(ask, size -> !Resources.fitsIn(size, most));
  }

  private static boolean hasSize(ResourceRequest ask, Predicate<Resource> trait) {
    try {
      Resource size = ask.getCapability();
      return size != null && trait.test(size);
    } catch (RuntimeException e) {
      return false; // a size that cannot be read, which PendingRequests refuses
    }
  }

  private static boolean hasOtherResources(Resource size) {
    return Arrays.stream(size.getResources())
        .anyMatch(some -> some.getValue() > 0 && !SERVED.contains(some.getName()));
  }
}
