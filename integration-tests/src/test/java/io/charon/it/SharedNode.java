/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import io.charon.evaluation.cluster.CharonConfiguration;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the methods of a test class a node as a parameter. The node is shared with other tests,
 * because starting a node takes longer than most tests. A test may change settings that can change
 * at run time ({@link TestNode#change}) and restart a NodeManager, and it must leave nothing
 * behind. After a test that failed or left a dead daemon, the next one gets a new node.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@WritableCgroups
@ExtendWith(NodeLender.class)
@interface SharedNode {
  /** Threads per core from which on best-effort waits on nodes of the family NO_KILLER. */
  int RUNNABLE_PER_CORE = 10;

  /** Returns the settings that the tests with the same node share. */
  Settings value();

  /** Settings that require a new start. */
  enum Settings {
    /** As installed, with its pages. A short delay after a kill keeps tests short. */
    CHARON {
      @Override
      TestNode start(Path state) throws IOException, InterruptedException {
        Map<String, String> properties = new HashMap<>(CharonConfiguration.pages());
        properties.put("hadoop.prometheus.endpoint.enabled", "true");
        properties.put(CHARON_KEYS + "scheduler.launch-backoff-ms", "1000");
        properties.put(CHARON_KEYS + "killer.kernel.enabled", "false");
        // The greedy peak of one test must not delay the tasks of the next one.
        properties.put(CHARON_KEYS + "scheduler.profile.percentile", "1");
        return TestNode.start("enforce", properties, state);
      }
    },

    /** Without killers other than the mechanism under test. */
    NO_KILLER {
      @Override
      TestNode start(Path state) throws IOException, InterruptedException {
        return TestNode.start(
            "enforce",
            Map.of(
                CHARON_KEYS + "node.tick-ms", "250",
                CHARON_KEYS + "killer.threshold-percent", "0",
                CHARON_KEYS + "killer.kernel.enabled", "false",
                CHARON_KEYS + "memory-limit.mode", "off",
                CHARON_KEYS + "scheduler.runnable-per-core", Integer.toString(RUNNABLE_PER_CORE),
                CHARON_KEYS + "scheduler.launch-backoff-ms", "1000"),
            state);
      }
    },

    /** The ResourceManager gives up a silent node soon, and reads the file of excluded nodes. */
    SOON_LOST {
      @Override
      TestNode start(Path state) throws IOException, InterruptedException {
        Path excluded = Files.createFile(state.resolve(TestNode.EXCLUDED));
        return TestNode.start(
            "enforce",
            Map.of(
                "yarn.nm.liveness-monitor.expiry-interval-ms",
                "10000",
                "yarn.resourcemanager.nodes.exclude-path",
                excluded.toString()),
            state);
      }
    },

    /** Two nodes that exchange peaks, with the page of the cluster. */
    TWO_NODES {
      @Override
      TestNode start(Path state) throws IOException, InterruptedException {
        String filters = "hadoop.http.filter.initializers";
        String scheduler = CHARON_KEYS + "scheduler.";
        return TestNode.startTwo(
            "enforce",
            Map.of(
                filters,
                CharonConfiguration.pages().get(filters)
                    + ",io.charon.scheduler.resourcemanager.PeakExchangeInitializer",
                "yarn.resourcemanager.charon.page.period-ms",
                "1000",
                scheduler + "share-peaks.enabled",
                "true",
                scheduler + "share-peaks.period-ms",
                "1000",
                scheduler + "profile.file",
                state + "/${yarn.nodemanager.hostname}.json"),
            state);
      }
    };

    private static final String CHARON_KEYS = "yarn.nodemanager.charon.";

    /**
     * Starts a node.
     *
     * @param state empty directory for its state, which is removed with the node
     */
    abstract TestNode start(Path state) throws IOException, InterruptedException;
  }
}
