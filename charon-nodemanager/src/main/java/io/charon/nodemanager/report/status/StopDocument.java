/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The operators' orders for best-effort.
 *
 * @param order the order that holds
 * @param frozen number of best-effort containers that are frozen because of it
 * @param frozenContainers their ids; absent if there are none
 * @param readMillis modification time of the overrides file when its order was read last,
 *     milliseconds since 1970; 0 if there is none
 * @param problem why the node's own order is not in use, so that the previous one holds
 * @param unavailable why the order cannot be carried out here, with the cure
 * @param cluster the last answer of the ResourceManagers; absent if they are not asked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StopDocument(
    @JsonUnwrapped Order order,
    int frozen,
    List<String> frozenContainers,
    long readMillis,
    String problem,
    String unavailable,
    ClusterWord cluster) {

  /**
   * An order for best-effort.
   *
   * @param action none, leave, freeze or kill
   * @param origin origin of the order: node or cluster
   * @param by user who gave the order; absent if there is none
   * @param since time of the order, ISO-8601; absent if there is none
   * @param reason reason of the order; absent if none was given
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Order(String action, String origin, String by, String since, String reason) {}

  /**
   * The last answer about a stop of the cluster.
   *
   * @param server server whose answer holds; absent if there is no answer
   * @param ageSeconds time since the last answer of a ResourceManager; absent if none answered
   *     since the NodeManager started
   * @param problem which servers do not answer, and why; absent if all do
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ClusterWord(String server, Double ageSeconds, String problem) {}
}
