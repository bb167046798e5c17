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
 * Why an application waits, from what the ResourceManager tells about it: the CapacityScheduler
 * writes why an ApplicationMaster has no container yet into the application's diagnostics ({@code
 * CSAMContainerLaunchDiagnosticsConstants}, {@code FiCaSchedulerApp}). Words that are not known are
 * passed on as they are.
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
   * Tells the story.
   *
   * @param application the element {@code app} of the ResourceManager's web service
   */
  static ApplicationStory of(JsonNode application) {
    String state = application.path("state").asText();
    String said = application.path("diagnostics").asText().strip();
    if (BEFORE_ACCEPTED.contains(state)) {
      return new ApplicationStory("the ResourceManager has not accepted it yet", "", said);
    } else if (state.equals("RUNNING")) {
      return new ApplicationStory(
          "its ApplicationMaster runs",
          "charon explain CONTAINER says why a container waits",
          said);
    } else if (!state.equals("ACCEPTED")) {
      return new ApplicationStory("it has ended", "", said);
    }
    return waiting(application.path("queue").asText(), said);
  }

  private static ApplicationStory waiting(String queue, String said) {
    if (said.contains("Queue's AM resource limit exceeded")) {
      return new ApplicationStory(
          "the ApplicationMaster share of queue %s is full: %s of %s in use, it needs %s"
              .formatted(
                  queue,
                  part(said, "Queue AM Resource Usage"),
                  part(said, "Queue Resource Limit for AM"),
                  part(said, "AM Resource Request")),
          "raise maximum-am-resource-percent of that queue, or its capacity" + SHARES,
          said);
    } else if (said.contains("User's AM resource limit exceeded")) {
      return new ApplicationStory(
          "the ApplicationMaster share of its user in queue %s, %s, is full; it needs %s"
              .formatted(
                  queue,
                  part(said, "User AM Resource Limit of the queue"),
                  part(said, "AM Resource Request")),
          "wait until an application of that user ends, or raise user-limit-factor of that queue",
          said);
    } else if (said.contains("cluster resource is empty")
        || part(said, "Partition Resource").startsWith(NO_MEMORY)) {
      return new ApplicationStory(
          "partition %s has no node".formatted(partition(said)),
          "start nodes there, or submit without that node label",
          said);
    } else if (said.contains("waiting for resources to be assigned for AM")) {
      return waitingForRoom(queue, said);
    } else if (said.contains("has assigned a container for AM")) {
      return new ApplicationStory(
          "a node starts its ApplicationMaster", "if it stays so, look at that node's log", said);
    }
    return new ApplicationStory("the scheduler says no reason that is known here", "", said);
  }

  private static ApplicationStory waitingForRoom(String queue, String said) {
    Optional<Double> used = percent(said, "Queue's Absolute used capacity");
    Optional<Double> most = percent(said, "Queue's Absolute max capacity");
    if (most.filter(percent -> percent == 0).isPresent()) {
      return new ApplicationStory(
          "queue %s may not use partition %s".formatted(queue, partition(said)),
          "give it accessible-node-labels and a capacity there, or submit without that node label",
          said);
    } else if (used.isPresent() && most.isPresent() && used.get() >= most.get()) {
      return new ApplicationStory(
          "queue %s is full: it uses %.1f %% of the partition, its maximum-capacity is %.1f %%"
              .formatted(queue, used.get(), most.get()),
          "raise maximum-capacity of that queue, or wait",
          said);
    }
    return new ApplicationStory(
        "no node has room for its ApplicationMaster%s"
            .formatted(
                said.contains("Last Node which was processed")
                    ? "; the last one that was looked at has "
                        + part(said, "Available resource").replaceAll(" *\\).*", "")
                    : ""),
        "wait, or ask for a smaller ApplicationMaster",
        said);
  }

  private static String partition(String said) {
    String name = part(said, "AM Partition");
    return name.isEmpty() ? "<DEFAULT_PARTITION>" : name;
  }

  private static Optional<Double> percent(String said, String name) {
    Matcher number = Pattern.compile("[0-9.]+").matcher(part(said, name));
    return number.lookingAt()
        ? Optional.of(number.group()).map(Double::parseDouble)
        : Optional.empty();
  }

  /** What follows a name; empty if it is not there. */
  private static String part(String said, String name) {
    Matcher found = Pattern.compile(Pattern.quote(name) + " *[=:] *(<[^>]*>|[^;,]*)").matcher(said);
    return found.find() ? found.group(1).strip() : "";
  }
}
