/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why an application waits, derived from the ResourceManager's report: the CapacityScheduler writes
 * into the application's diagnostics why an ApplicationMaster has no container yet ({@code
 * CSAMContainerLaunchDiagnosticsConstants}, {@code FiCaSchedulerApp}). Unknown texts are passed on
 * unchanged.
 *
 * @param reason one sentence
 * @param cure what to do; empty if there is nothing to do
 * @param saidByYarn the diagnostics; may be empty
 */
record ApplicationStory(String reason, String cure, String saidByYarn) {
  private static final Set<String> BEFORE_ACCEPTED = Set.of("NEW", "NEW_SAVING", "SUBMITTED");
  private static final String NO_MEMORY = "<memory:0,";
  private static final String SHARES =
      "; the recipe is in docs/scheduler-resourcemanager.md, A queue for best-effort";

  /**
   * Interprets the report about an application.
   *
   * @param application element {@code app} of the ResourceManager's web service
   */
  static ApplicationStory of(JsonNode application) {
    String state = application.path("state").asText();
    String said = application.path("diagnostics").asText().strip();
    if (BEFORE_ACCEPTED.contains(state)) {
      return new ApplicationStory("the ResourceManager has not accepted it yet", "", said);
    } else if (state.equals("RUNNING")) {
      return new ApplicationStory(
          "its ApplicationMaster is running",
          "run charon explain CONTAINER to see why a container waits",
          said);
    } else if (!state.equals("ACCEPTED")) {
      return new ApplicationStory("the application has ended", "", said);
    }
    // While the ApplicationMaster waits, its own request is the only one.
    long neededMebibytes =
        application.path("resourceRequests").path(0).path("capability").path("memory").asLong();
    return waiting(application.path("queue").asText(), said, neededMebibytes);
  }

  private static ApplicationStory waiting(String queue, String said, long neededMebibytes) {
    if (said.contains("Queue's AM resource limit exceeded")) {
      return new ApplicationStory(
          "the ApplicationMaster share of queue %s is full: %s of %s in use; the application needs %s"
              .formatted(
                  queue,
                  part(said, "Queue AM Resource Usage"),
                  part(said, "Queue Resource Limit for AM"),
                  part(said, "AM Resource Request")),
          "raise %smaximum-am-resource-percent, or its capacity%s".formatted(key(queue), SHARES),
          said);
    } else if (said.contains("User's AM resource limit exceeded")) {
      return new ApplicationStory(
          "the ApplicationMaster share of the user in queue %s, %s, is full; the application needs %s"
              .formatted(
                  queue,
                  part(said, "User AM Resource Limit of the queue"),
                  part(said, "AM Resource Request")),
          "wait until an application of that user ends, or raise %suser-limit-factor"
              .formatted(key(queue)),
          said);
    } else if (said.contains("cluster resource is empty")
        || part(said, "Partition Resource").startsWith(NO_MEMORY)) {
      return new ApplicationStory(
          "partition %s has no node".formatted(partition(said)),
          "start nodes there, or submit without that node label",
          said);
    } else if (said.contains("waiting for resources to be assigned for AM")) {
      return waitingForRoom(queue, said, neededMebibytes);
    } else if (said.contains("has assigned a container for AM")) {
      return new ApplicationStory(
          "a node is starting its ApplicationMaster",
          "if this does not change, look at that node's log",
          said);
    }
    return new ApplicationStory(
        "the scheduler's diagnostics give no reason that Charon knows", "", said);
  }

  private static ApplicationStory waitingForRoom(String queue, String said, long neededMebibytes) {
    Optional<Long> used = mebibytes(part(said, "Queue's used capacity (absolute resource)"));
    Optional<Long> most = mebibytes(part(said, "Queue's max capacity (absolute resource)"));
    Optional<Long> onLastNode = mebibytes(part(said, "Available resource"));
    if (most.filter(all -> all == 0).isPresent()) {
      return new ApplicationStory(
          "queue %s may not use partition %s".formatted(queue, partition(said)),
          "give it accessible-node-labels and a capacity there, or submit without that node label",
          said);
    } else if (used.isPresent()
        && most.isPresent()
        && used.get() + Math.max(1, neededMebibytes) > most.get()) {
      return new ApplicationStory(
          "queue %s is full: it uses %d MiB of at most %d MiB, and the ApplicationMaster needs %d MiB"
              .formatted(queue, used.get(), most.get(), neededMebibytes),
          "raise %smaximum-capacity, or wait".formatted(key(queue)),
          said);
    } else if (onLastNode
        .filter(free -> neededMebibytes > 0 && free >= neededMebibytes)
        .isPresent()) {
      return new ApplicationStory(
          "nodes have room, but the user has reached the limit of queue %s, or a parent queue is full"
              .formatted(queue),
          "wait, or raise %suser-limit-factor".formatted(key(queue)),
          said);
    }
    return new ApplicationStory(
        "no node has room for its ApplicationMaster of %d MiB%s"
            .formatted(
                neededMebibytes,
                onLastNode
                    .map("; the last node that the scheduler tried has %d MiB free"::formatted)
                    .orElse("")),
        "wait, or ask for a smaller ApplicationMaster",
        said);
  }

  private static String partition(String said) {
    String name = part(said, "AM Partition");
    return name.isEmpty() ? "<DEFAULT_PARTITION>" : name;
  }

  private static Optional<Long> mebibytes(String resource) {
    Matcher memory = Pattern.compile("<memory:(\\d{1,15}),.*").matcher(resource);
    return memory.matches() ? Optional.of(memory.group(1)).map(Long::parseLong) : Optional.empty();
  }

  /** The prefix of the keys of a queue, given the queue's full path. */
  private static String key(String queue) {
    return "yarn.scheduler.capacity.%s.".formatted(queue);
  }

  /** The value that follows a name in the diagnostics; empty if the name is missing. */
  private static String part(String said, String name) {
    Matcher found = Pattern.compile(Pattern.quote(name) + " *[=:] *(<[^>]*>|[^;,]*)").matcher(said);
    return found.find() ? found.group(1).strip() : "";
  }
}
