/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests retries of maps in a complete ResourceManager with its real allocator. */
@Timeout(120)
@Tag("hadoop")
class MapReduceMapsTest {
  private static final int RETRY = 5;
  private static final int MAP = 20;

  /**
   * The maps of a job with the records that MapReduce's RMContainerAllocator keeps of them: it
   * sends absolute numbers, and only for priorities whose number has changed.
   */
  private static final class Maps {
    private final Map<String, Integer> waiting = new LinkedHashMap<>();
    private final Deque<String> retries = new ArrayDeque<>();
    private final Map<Integer, Integer> table = new TreeMap<>();
    private final Map<Integer, ResourceRequest> toSay = new TreeMap<>();

    void want(String map, int priority) {
      waiting.put(map, priority);
      if (priority == RETRY) {
        retries.add(map);
      }
      count(priority, 1);
    }

    private void count(int priority, int change) {
      int containers = table.merge(priority, change, Integer::sum);
      toSay.put(
          priority,
          ResourceRequest.newInstance(
              Priority.newInstance(priority),
              ResourceRequest.ANY,
              Resource.newInstance(MockCluster.CONTAINER_MB, 1),
              containers));
    }

    /** Returns the changes since the last call. */
    ResourceRequest[] say() {
      ResourceRequest[] words = toSay.values().toArray(ResourceRequest[]::new);
      toSay.clear();
      return words;
    }

    void assign(List<Container> containers) {
      List<Container> left = new ArrayList<>();
      for (Container container : containers) {
        // assignToFailedMap
        if (container.getPriority().getPriority() == RETRY && !retries.isEmpty()) {
          assign(retries.remove());
        } else {
          left.add(container);
        }
      }
      // assignMapsWithLocality, for maps without a place
      left.stream()
          .limit(waiting.size())
          .forEach(any -> assign(waiting.keySet().iterator().next()));
    }

    private void assign(String map) {
      retries.remove(map);
      count(waiting.remove(map), -1);
    }
  }

  @Test
  void aJobWithRetriesGetsAContainerForEachMap() throws Exception {
    YarnConfiguration configuration = MockCluster.configuration();
    // As on a cluster that is nearly full.
    configuration.setInt(YarnConfiguration.OPP_CONTAINER_MAX_ALLOCATIONS_PER_AM_HEARTBEAT, 1);
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication application =
          cluster.submit(
              MockRMAppSubmissionData.Builder.createWithMemory(
                      MockCluster.CONTAINER_MB, cluster.resourceManager)
                  .withAppType("MAPREDUCE")
                  .withQueue("batch")
                  .withUser("alice")
                  .withApplicationTags(Set.of()));
      Maps maps = new Maps();
      maps.want("failed", RETRY);
      maps.want("failed too", RETRY);
      maps.want("new", MAP);
      maps.want("another", MAP);

      cluster.until(
          "no map waits",
          () -> {
            int had = application.got.size();
            application.ask(maps.say());
            maps.assign(application.got.subList(had, application.got.size()));
            return maps.waiting.isEmpty();
          });

      application.ask(maps.say());
      cluster.settle(application);
      assertThat(application.got)
          .as("one container for each map")
          .extracting(container -> container.getPriority().getPriority())
          .containsExactly(RETRY, RETRY, MAP, MAP);
    }
  }
}
