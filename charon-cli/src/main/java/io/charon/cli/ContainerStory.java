/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a node's status document reports about one container.
 *
 * @param containerId the container
 * @param decisions decisions about its launch, oldest first
 * @param queued its entry if it waits
 * @param running its entry if it runs
 * @param kill its entry if it was killed
 * @param actions actions of regulators on it, oldest first
 */
record ContainerStory(
    String containerId,
    List<JsonNode> decisions,
    Optional<JsonNode> queued,
    Optional<JsonNode> running,
    Optional<JsonNode> kill,
    List<JsonNode> actions) {
  private static final String ID = "containerId";
  private static final List<String> PARTS = List.of("running", "queued", "decisions", "kills");

  /** The ids of all containers in the document that end with the text. */
  static Set<String> matching(JsonNode status, String end) {
    Set<String> ids = new TreeSet<>();
    for (String part : PARTS) {
      for (JsonNode entry : status.path(part)) {
        if (entry.path(ID).asText().endsWith(end)) {
          ids.add(entry.path(ID).asText());
        }
      }
    }
    return ids;
  }

  static ContainerStory of(JsonNode status, String containerId) {
    return new ContainerStory(
        containerId,
        entries(status.path("decisions"), containerId),
        entries(status.path("queued"), containerId).stream().findFirst(),
        entries(status.path("running"), containerId).stream().findFirst(),
        entries(status.path("kills"), containerId).stream().findFirst(),
        List.of());
  }

  /** The same story, with the actions from the audit log. */
  ContainerStory with(List<JsonNode> audit) {
    return new ContainerStory(containerId, decisions, queued, running, kill, List.copyOf(audit));
  }

  /** The same as JSON, without the parts that do not exist. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put(ID, containerId);
    json.putArray("decisions").addAll(decisions);
    queued.ifPresent(entry -> json.set("queued", entry));
    running.ifPresent(entry -> json.set("running", entry));
    kill.ifPresent(entry -> json.set("kill", entry));
    if (!actions.isEmpty()) {
      json.putArray("actions").addAll(actions);
    }
    return json;
  }

  private static List<JsonNode> entries(JsonNode entries, String containerId) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode entry : entries) {
      if (entry.path(ID).asText().equals(containerId)) {
        found.add(entry);
      }
    }
    return found;
  }
}
