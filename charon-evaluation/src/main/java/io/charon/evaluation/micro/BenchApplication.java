/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** The calls of one ApplicationMaster, without a network between it and the ResourceManager. */
final class BenchApplication {
  private final ApplicationMasterProtocol service;
  private final UserGroupInformation caller;
  private int responseId;

  /**
   * Registers the application.
   *
   * @param service service of the ResourceManager
   * @param attempt attempt that was launched
   * @param token token of the attempt
   */
  BenchApplication(
      ApplicationMasterProtocol service,
      ApplicationAttemptId attempt,
      Token<AMRMTokenIdentifier> token)
      throws IOException, InterruptedException {
    this.service = service;
    caller = UserGroupInformation.createRemoteUser(attempt.toString());
    caller.addTokenIdentifier(token.decodeIdentifier());
    call(
        () ->
            service.registerApplicationMaster(
                RegisterApplicationMasterRequest.newInstance("localhost", 0, "")));
  }

  /**
   * Sends one heartbeat.
   *
   * @param asks requests for further containers
   * @param releases containers to release
   * @return the containers that were allocated
   */
  List<Container> allocate(List<ResourceRequest> asks, List<ContainerId> releases)
      throws IOException, InterruptedException {
    AllocateResponse response =
        call(
            () ->
                service.allocate(AllocateRequest.newInstance(responseId, 0, asks, releases, null)));
    responseId = response.getResponseId();
    return response.getAllocatedContainers();
  }

  /** Returns a request for containers of 1 GiB and one core, on any node. */
  static ResourceRequest ask(ExecutionType type, int containers) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(1))
        .resourceName(ResourceRequest.ANY)
        .capability(Resource.newInstance(1024, 1))
        .numContainers(containers)
        .executionTypeRequest(
            ExecutionTypeRequest.newInstance(type, type == ExecutionType.OPPORTUNISTIC))
        .build();
  }

  private <T> T call(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
    return caller.doAs(action);
  }
}
