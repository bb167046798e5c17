/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("hadoop")
class BestEffortProcessorTest {

  private static final ApplicationAttemptId ATTEMPT =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
  private static final ExecutionTypeRequest ENFORCED_OPPORTUNISTIC =
      ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true);

  private final Configuration configuration = new Configuration(false);
  private final ConcurrentMap<ApplicationId, RMApp> applications = new ConcurrentHashMap<>();
  private final RMContext context = mock(RMContext.class);
  private final ApplicationMasterServiceProcessor next =
      mock(ApplicationMasterServiceProcessor.class);
  private final AllocateResponse response = mock(AllocateResponse.class);
  private final BestEffortProcessor processor = new BestEffortProcessor();

  @BeforeEach
  void aResourceManagerThatAllocatesOpportunisticContainers() {
    configuration.setBoolean(BestEffortKeys.ENABLED_KEY, true);
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
    when(context.getYarnConfiguration()).thenReturn(configuration);
    when(context.getRMApps()).thenReturn(applications);
  }

  @Test
  void everyRequestOfATaggedApplicationBecomesOpportunistic() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    ResourceRequest guaranteed = ask(ExecutionTypeRequest.newInstance());
    ResourceRequest withoutType = ask(null);

    allocate(request(guaranteed, withoutType));

    assertThat(List.of(guaranteed, withoutType))
        .extracting(ResourceRequest::getExecutionTypeRequest)
        .containsOnly(ENFORCED_OPPORTUNISTIC);
  }

  @Test
  void theNextProcessorSeesTheRewrittenRequest() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    AllocateRequest request = request(ask(ExecutionTypeRequest.newInstance()));

    allocate(request);

    verify(next).allocate(ATTEMPT, request, response);
    assertThat(request.getAskList())
        .extracting(ResourceRequest::getExecutionTypeRequest)
        .containsExactly(ENFORCED_OPPORTUNISTIC);
  }

  @Test
  void nothingElseInARequestChanges() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    ResourceRequest rewritten = ask(ExecutionTypeRequest.newInstance());
    ResourceRequest expected = ResourceRequest.clone(rewritten);
    expected.setExecutionTypeRequest(ENFORCED_OPPORTUNISTIC);

    allocate(request(rewritten));

    assertThat(rewritten).isEqualTo(expected);
  }

  @Test
  void aRequestThatIsOpportunisticAlreadyIsLeftAlone() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    ExecutionTypeRequest notEnforced =
        ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, false);
    ResourceRequest opportunistic = ask(notEnforced);

    allocate(request(opportunistic));

    assertThat(opportunistic.getExecutionTypeRequest()).isEqualTo(notEnforced);
  }

  @Test
  void updateAndSchedulingRequestsAreLeftAlone() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    UpdateContainerRequest promotion =
        UpdateContainerRequest.newInstance(
            0,
            ContainerId.newContainerId(ATTEMPT, 2),
            ContainerUpdateType.PROMOTE_EXECUTION_TYPE,
            null,
            ExecutionType.GUARANTEED);
    SchedulingRequest constrained =
        SchedulingRequest.newInstance(
            1,
            Priority.newInstance(1),
            ExecutionTypeRequest.newInstance(),
            Set.of("tag"),
            ResourceSizing.newInstance(Resource.newInstance(1024, 1)),
            null);
    AllocateRequest request = request(ask(ExecutionTypeRequest.newInstance()));
    request.setUpdateRequests(List.of(promotion));
    request.setSchedulingRequests(List.of(constrained));

    allocate(request);

    assertThat(request.getUpdateRequests())
        .extracting(UpdateContainerRequest::getExecutionType)
        .containsExactly(ExecutionType.GUARANTEED);
    assertThat(request.getSchedulingRequests())
        .extracting(scheduling -> scheduling.getExecutionType().getExecutionType())
        .containsExactly(ExecutionType.GUARANTEED);
  }

  /** Production would be sent to a GPU that the ResourceManager does not know to be taken. */
  @Test
  void requestsForGpusStayGuaranteed() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    ResourceRequest some = askWithGpus(1);
    ResourceRequest none = askWithGpus(0);

    allocate(request(some, none));

    assertThat(some.getExecutionTypeRequest()).isEqualTo(ExecutionTypeRequest.newInstance());
    assertThat(none.getExecutionTypeRequest()).isEqualTo(ENFORCED_OPPORTUNISTIC);
  }

  private static ResourceRequest askWithGpus(long number) {
    Resource size = mock(Resource.class);
    ResourceInformation cores = ResourceInformation.newInstance("vcores", "", 2);
    ResourceInformation gpus = ResourceInformation.newInstance("yarn.io/gpu", "", number);
    when(size.getResources()).thenReturn(new ResourceInformation[] {cores, gpus});
    ResourceRequest ask = ask(ExecutionTypeRequest.newInstance());
    ask.setCapability(size);
    return ask;
  }

  @Test
  void otherApplicationsAreLeftAlone() throws Exception {
    addApplication(Set.of("production"), "root.default");
    assertLeftAlone();
  }

  @Test
  void anApplicationThatTheResourceManagerDoesNotKnowIsLeftAlone() throws Exception {
    assertLeftAlone();
  }

  @Test
  void withoutOpportunisticAllocationRequestsStayGuaranteed() throws Exception {
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, false);
    addApplication(Set.of("besteffort"), "root.default");
    assertLeftAlone();
  }

  @Test
  void withoutOpportunisticAllocationOneWarningNamesTheKey() throws Exception {
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, false);
    addApplication(Set.of("besteffort"), "root.default");

    String log =
        logOf(
            () -> {
              processor.init(context, next);
              processor.allocate(
                  ATTEMPT, request(ask(ExecutionTypeRequest.newInstance())), response);
            });

    assertThat(log)
        .containsOnlyOnce("yarn.resourcemanager.opportunistic-container-allocation.enabled")
        .contains("set it to true in yarn-site.xml");
  }

  @Test
  void aMisspeltKeyIsNamedOnce() throws Exception {
    configuration.set("yarn.resourcemanager.charon.best-effort.tag", "batch");
    assertThat(logOf(() -> processor.init(context, next)))
        .containsOnlyOnce("Unknown key yarn.resourcemanager.charon.best-effort.tag in");
  }

  @Test
  void aFormerNameOfASwitchIsReportedWithTheNewOne() throws Exception {
    String former = "yarn.resourcemanager.charon.best-effort.fair-share-per-user";
    configuration.set(former, "false");
    assertThat(logOf(() -> processor.init(context, next)))
        .containsOnlyOnce("Unknown key " + former + " in")
        .contains("it is called " + former + ".enabled now");
  }

  @Test
  void oneLinePerApplicationSaysWhyItIsBestEffort() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");

    String log =
        logOf(
            () -> {
              processor.init(context, next);
              processor.registerApplicationMaster(ATTEMPT, null, null);
              processor.allocate(
                  ATTEMPT, request(ask(ExecutionTypeRequest.newInstance())), response);
            });

    assertThat(log)
        .containsOnlyOnce(ATTEMPT.getApplicationId() + " run in OPPORTUNISTIC")
        .contains("because of its tag besteffort");
  }

  @Test
  void distributedSchedulingAllocatesOpportunisticContainersToo() throws Exception {
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, false);
    configuration.setBoolean(YarnConfiguration.DIST_SCHEDULING_ENABLED, true);
    addApplication(Set.of("besteffort"), "root.default");
    ResourceRequest ask = ask(ExecutionTypeRequest.newInstance());

    allocate(request(ask));

    assertThat(ask.getExecutionTypeRequest()).isEqualTo(ENFORCED_OPPORTUNISTIC);
  }

  @Test
  void aTaggedApplicationStaysAsItIsUntilTheRuleIsEnabled() throws Exception {
    configuration.setBoolean(BestEffortKeys.ENABLED_KEY, false);
    addApplication(Set.of("besteffort"), "root.default");
    ResourceRequest ask = ask(ExecutionTypeRequest.newInstance());

    allocate(request(ask));

    assertThat(ask.getExecutionTypeRequest()).isEqualTo(ExecutionTypeRequest.newInstance());
  }

  @Test
  void theCapacitySchedulerKnowsTheFullPathOfALeafQueue() throws Exception {
    configuration.set(BestEffortKeys.QUEUES_KEY, "root.batch.best-effort");
    CapacityScheduler scheduler = mock(CapacityScheduler.class);
    when(scheduler.normalizeQueueName("best-effort")).thenReturn("root.batch.best-effort");
    when(context.getScheduler()).thenReturn(scheduler);
    addApplication(Set.of(), "best-effort");
    ResourceRequest ask = ask(ExecutionTypeRequest.newInstance());

    allocate(request(ask));

    assertThat(ask.getExecutionTypeRequest()).isEqualTo(ENFORCED_OPPORTUNISTIC);
  }

  @Test
  void anApplicationThatIsMovedIntoABestEffortQueueChangesWithItsNextRequest() throws Exception {
    configuration.set(BestEffortKeys.QUEUES_KEY, "best-effort");
    RMApp application = addApplication(Set.of(), "root.production");
    ResourceRequest before = ask(ExecutionTypeRequest.newInstance());
    ResourceRequest after = ask(ExecutionTypeRequest.newInstance());

    allocate(request(before));
    when(application.getQueue()).thenReturn("root.best-effort");
    allocate(request(after));

    assertThat(before.getExecutionTypeRequest()).isEqualTo(ExecutionTypeRequest.newInstance());
    assertThat(after.getExecutionTypeRequest()).isEqualTo(ENFORCED_OPPORTUNISTIC);
  }

  @Test
  void registrationAndUnregistrationPassThrough() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    RegisterApplicationMasterRequest register =
        RegisterApplicationMasterRequest.newInstance("host", 1, "");
    RegisterApplicationMasterResponse registered = mock(RegisterApplicationMasterResponse.class);
    FinishApplicationMasterRequest finish = mock(FinishApplicationMasterRequest.class);
    FinishApplicationMasterResponse finished = mock(FinishApplicationMasterResponse.class);
    processor.init(context, next);

    processor.registerApplicationMaster(ATTEMPT, register, registered);
    processor.finishApplicationMaster(ATTEMPT, finish, finished);

    verify(next).registerApplicationMaster(ATTEMPT, register, registered);
    verify(next).finishApplicationMaster(ATTEMPT, finish, finished);
  }

  @Test
  void aProcessorThatCannotStartLetsEverythingPass() throws Exception {
    when(context.getYarnConfiguration()).thenThrow(new NoSuchMethodError("expected by this test"));
    addApplication(Set.of("besteffort"), "root.default");
    assertLeftAlone();
    processor.registerApplicationMaster(ATTEMPT, null, null);
    processor.finishApplicationMaster(ATTEMPT, null, null);

    verify(next).registerApplicationMaster(ATTEMPT, null, null);
    verify(next).finishApplicationMaster(ATTEMPT, null, null);
  }

  @Test
  void noStepOfCharonsFailsACall() throws Exception {
    RMApp application = addApplication(Set.of("besteffort"), "root.default");
    when(application.getApplicationTags())
        .thenThrow(new NoSuchMethodError("expected by this test"));
    assertLeftAlone();
    processor.registerApplicationMaster(ATTEMPT, null, null);

    verify(next).registerApplicationMaster(ATTEMPT, null, null);
  }

  @Test
  void anErrorOfTheNextProcessorReachesTheApplication() throws Exception {
    addApplication(Set.of("besteffort"), "root.default");
    YarnException refused = new YarnException("refused");
    doThrow(refused).when(next).allocate(any(), any(), any());
    assertThatThrownBy(() -> allocate(request(ask(ExecutionTypeRequest.newInstance()))))
        .isSameAs(refused);
  }

  private void assertLeftAlone() throws YarnException {
    ResourceRequest ask = ask(ExecutionTypeRequest.newInstance());
    AllocateRequest request = request(ask);

    allocate(request);

    assertThat(ask.getExecutionTypeRequest()).isEqualTo(ExecutionTypeRequest.newInstance());
    verify(next).allocate(ATTEMPT, request, response);
  }

  private void allocate(AllocateRequest request) throws YarnException {
    processor.init(context, next);
    processor.allocate(ATTEMPT, request, response);
  }

  private static String logOf(ThrowingRunnable action) throws Exception {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(BestEffortProcessor.class));
    try {
      action.run();
      return log.getOutput();
    } finally {
      log.stopCapturing();
    }
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  private RMApp addApplication(Set<String> tags, String queue) {
    RMApp application = mock(RMApp.class);
    when(application.getApplicationTags()).thenReturn(tags);
    when(application.getQueue()).thenReturn(queue);
    applications.put(ATTEMPT.getApplicationId(), application);
    return application;
  }

  private static AllocateRequest request(ResourceRequest... asks) {
    return AllocateRequest.newBuilder().askList(List.of(asks)).build();
  }

  private static ResourceRequest ask(ExecutionTypeRequest executionType) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(20))
        .resourceName("host1")
        .capability(Resource.newInstance(1024, 2))
        .numContainers(3)
        .relaxLocality(false)
        .nodeLabelExpression("")
        .allocationRequestId(7)
        .executionTypeRequest(executionType)
        .build();
  }
}
