/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests containers of two sizes at one priority with YARN's real allocator, which fails on them in
 * one call.
 */
@Timeout(120)
@Tag("hadoop")
class SizesOfOneKeyTest {
  private static final Resource SMALL = Resource.newInstance(1024, 1);
  private static final Resource LARGE = Resource.newInstance(4096, 1);

  @Test
  @Tag("long")
  void anApplicationGetsAllItsSizesAndNoCallFails() throws Exception {
    try (MockCluster cluster = MockCluster.start(MockCluster.configuration(), 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(ask(SMALL, 3), ask(LARGE, 2));
      application.await(5);
      application.ask(ask(LARGE, 1));
      application.ask(ask(LARGE, 0), ask(SMALL, 1));
      application.ask(ask(SMALL, 0), ask(LARGE, 1));
      cluster.settle(application);

      assertThat(application.got.subList(0, 5))
          .extracting(Container::getResource)
          .containsExactlyInAnyOrder(SMALL, SMALL, SMALL, LARGE, LARGE);
    }
  }

  private static ResourceRequest ask(Resource size, int containers) {
    return ResourceRequest.newInstance(
        Priority.newInstance(20), ResourceRequest.ANY, size, containers);
  }
}
