/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.status.NodeAddress;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** Converts the state of a cluster to and from JSON. */
final class StateJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String LINUX = "linuxContainerExecutor";

  private StateJson() {}

  static String of(ClusterState state) throws JsonProcessingException {
    ObjectNode json = MAPPER.createObjectNode();
    json.putObject("supervisor")
        .put("pid", state.supervisor().pid())
        .put("startTicks", state.supervisor().startTicks());
    json.put("since", state.since().toString());
    json.put("nodeMemoryMb", state.nodeMemoryMb());
    state
        .linux()
        .ifPresent(
            linux ->
                json.putObject(LINUX)
                    .put("program", linux.program().toString())
                    .put("productionUser", linux.productionUser())
                    .put("bestEffortUser", linux.bestEffortUser()));
    json.put("workDirectory", state.workDirectory().toString());
    ArrayNode remarks = json.putArray("remarks");
    state.remarks().forEach(remarks::add);
    if (state.address().isPresent()) {
      json.put("web", state.address().get().web());
      ArrayNode nodes = json.putArray("nodes");
      for (ClusterState.Node node : state.address().get().nodes()) {
        nodes.addObject().put("name", node.name()).put("web", node.web().toString());
      }
    }
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json);
  }

  /**
   * Parses the text that {@link #of} wrote.
   *
   * @throws IllegalArgumentException if it is something else; the message says what is wrong
   */
  static ClusterState parse(String text) {
    try {
      JsonNode json = MAPPER.readTree(text);
      Path work = Path.of(required(json, "workDirectory").asText());
      // The directory will be deleted, so it must be a cluster's.
      if (!work.isAbsolute() || !work.getFileName().toString().startsWith(ClusterState.PREFIX)) {
        throw new IllegalArgumentException("workDirectory " + work + " is not a cluster's");
      }
      List<String> remarks = new ArrayList<>();
      required(json, "remarks").forEach(remark -> remarks.add(remark.asText()));
      return new ClusterState(
          new ProcessIdentity(
              number(required(json, "supervisor"), "pid"),
              number(required(json, "supervisor"), "startTicks")),
          Instant.parse(required(json, "since").asText()),
          Math.toIntExact(number(json, "nodeMemoryMb")),
          json.has(LINUX) ? Optional.of(linux(json.path(LINUX))) : Optional.empty(),
          work,
          remarks,
          json.has("web") ? Optional.of(address(json)) : Optional.empty());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    } catch (DateTimeException | TypeConversionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static LinuxExecutor linux(JsonNode json) {
    return new LinuxExecutor(
        Path.of(required(json, "program").asText()),
        required(json, "productionUser").asText(),
        required(json, "bestEffortUser").asText());
  }

  private static ClusterState.Address address(JsonNode json) {
    List<ClusterState.Node> nodes = new ArrayList<>();
    for (JsonNode node : required(json, "nodes")) {
      nodes.add(
          new ClusterState.Node(
              required(node, "name").asText(), NodeAddress.parse(required(node, "web").asText())));
    }
    return new ClusterState.Address(json.path("web").asText(), nodes);
  }

  private static long number(JsonNode json, String name) {
    JsonNode value = required(json, name);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException(name + " is not a number: " + value);
    }
    return value.asLong();
  }

  private static JsonNode required(JsonNode json, String name) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }
}
