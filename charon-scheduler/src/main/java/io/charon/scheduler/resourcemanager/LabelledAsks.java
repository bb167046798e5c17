/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * The asks of one call that go to a labelled partition of the cluster. YARN's allocator of
 * OPPORTUNISTIC containers knows no labels and would place them on any node.
 *
 * <p>A label stands in the ask for any node only; those for hosts and racks beside it, which have
 * the same key, belong to it. What the ask does not say is the application's, or else its queue's,
 * as YARN fills it in later ({@code DefaultAMSProcessor}, {@code SchedulerUtils}); the empty label
 * says that no labelled partition is meant.
 */
final class LabelledAsks {

  private final Set<SchedulerRequestKey> labelled = new HashSet<>();
  private final Set<SchedulerRequestKey> unlabelled = new HashSet<>();
  private final boolean labelledByDefault;

  /**
   * Looks at the asks of a call.
   *
   * @param defaultLabel the label of asks that have none
   */
  LabelledAsks(List<ResourceRequest> asks, Optional<String> defaultLabel) {
    labelledByDefault = defaultLabel.filter(label -> !label.isBlank()).isPresent();
    for (ResourceRequest ask : asks) {
      String label = ask.getNodeLabelExpression();
      if (label != null) {
        (label.isBlank() ? unlabelled : labelled).add(SchedulerRequestKey.create(ask));
      }
    }
  }

  boolean contains(ResourceRequest ask) {
    SchedulerRequestKey key = SchedulerRequestKey.create(ask);
    return labelled.contains(key) || (labelledByDefault && !unlabelled.contains(key));
  }
}
