/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.BestEffortRule;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceContext;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of unmodified best-effort applications in OPPORTUNISTIC containers: it rewrites
 * what such an application asks for before YARN's own processors see it. The ApplicationMaster's
 * container is not asked for on this path and stays GUARANTEED.
 *
 * <p>The ResourceManager creates it where {@code
 * yarn.resourcemanager.application-master-service.processors} names this class. One instance serves
 * all applications, on many threads. {@link AskGate} keeps what the limits hold back.
 */
public final class BestEffortProcessor implements ApplicationMasterServiceProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(BestEffortProcessor.class);

  static final Set<String> KEYS =
      new TreeSet<>(
          Set.of(
              BestEffortKeys.TAGS_KEY,
              BestEffortKeys.QUEUES_KEY,
              BestEffortLimits.PER_QUEUE_KEY,
              BestEffortLimits.PER_USER_KEY,
              BestEffortLimits.ASKS_KEY,
              BestEffortLimits.RECORDS_KEY,
              NodeAvoidance.AVOID_KEY,
              PeakExchangeFilter.JOBS_KEY,
              PeakExchangeFilter.SAMPLES_KEY,
              ClusterPageServlet.PERIOD_KEY));

  private RMContext context;
  private ApplicationMasterServiceProcessor next;
  private SchedulerView view;
  private BestEffortRule rule;
  private AskGate gate;
  private boolean opportunisticAllocation;

  /**
   * Reads the configuration. Where the ResourceManager does not allocate OPPORTUNISTIC containers,
   * it says so once and leaves every request as it is: the jobs run, only not as best-effort.
   */
  @Override
  public void init(
      ApplicationMasterServiceContext amsContext, ApplicationMasterServiceProcessor nextProcessor) {
    context = (RMContext) amsContext;
    next = nextProcessor;
    view = new SchedulerView(context);
    Configuration configuration = context.getYarnConfiguration();
    Settings settings = new Settings(configuration);
    rule = BestEffortKeys.rule(settings);
    BestEffortLimits limits = BestEffortLimits.from(settings);
    Duration avoid = Duration.ofMillis(settings.number(NodeAvoidance.AVOID_KEY, Integer.MAX_VALUE));
    gate =
        new AskGate(
            view,
            new AskLimiter(limits),
            new NodeAvoidance(avoid, System::nanoTime),
            Evictions.start(context),
            System::nanoTime);
    warnOfMistakes(settings, limits);
    // The same condition as in ResourceManager.createApplicationMasterService.
    opportunisticAllocation =
        YarnConfiguration.isOpportunisticContainerAllocationEnabled(configuration)
            || YarnConfiguration.isDistSchedulingEnabled(configuration);
    if (opportunisticAllocation) {
      LOG.info("Best-effort applications: tags {}, queues {}", rule.tags(), rule.queues());
      LOG.info("Best-effort limits: {}", limits.description());
    } else {
      LOG.warn(
          "{} is false, so this ResourceManager allocates no OPPORTUNISTIC containers: best-effort"
              + " applications run in GUARANTEED ones. Cure: set it to true in yarn-site.xml and"
              + " restart the ResourceManager.",
          YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED);
    }
  }

  @Override
  public void registerApplicationMaster(
      ApplicationAttemptId attempt,
      RegisterApplicationMasterRequest request,
      RegisterApplicationMasterResponse response)
      throws IOException, YarnException {
    next.registerApplicationMaster(attempt, request, response);
    bestEffortReason(attempt)
        .ifPresent(
            reason ->
                LOG.info(
                    "Tasks of {} run in OPPORTUNISTIC containers, because of its {}",
                    attempt.getApplicationId(),
                    reason));
  }

  /**
   * Makes every request of a best-effort application OPPORTUNISTIC. The request is rewritten in
   * place, as YARN's own processors do: it was read from the wire for this one call.
   *
   * <p>Scheduling requests (placement constraints) stay as they are, because YARN's {@code
   * SingleConstraintAppPlacementAllocator} fails the whole call for any that is not GUARANTEED; so
   * do update requests, in which an application promotes or demotes one container by name.
   */
  @Override
  public void allocate(
      ApplicationAttemptId attempt, AllocateRequest request, AllocateResponse response)
      throws YarnException {
    RMApp application = context.getRMApps().get(attempt.getApplicationId());
    if (application == null || !opportunisticAllocation) {
      next.allocate(attempt, request, response);
      return;
    }
    // Most heartbeats ask for nothing new.
    if (!request.getAskList().isEmpty() && reason(application).isPresent()) {
      request.getAskList().forEach(BestEffortProcessor::makeOpportunistic);
    }
    gate.allocate(application, attempt, request, response, next);
  }

  @Override
  public void finishApplicationMaster(
      ApplicationAttemptId attempt,
      FinishApplicationMasterRequest request,
      FinishApplicationMasterResponse response) {
    next.finishApplicationMaster(attempt, request, response);
    gate.finish(attempt.getApplicationId());
  }

  private Optional<String> bestEffortReason(ApplicationAttemptId attempt) {
    RMApp application = context.getRMApps().get(attempt.getApplicationId());
    return application == null || !opportunisticAllocation ? Optional.empty() : reason(application);
  }

  private Optional<String> reason(RMApp application) {
    return rule.reason(application.getApplicationTags(), view.queuePath(application));
  }

  private void warnOfMistakes(Settings settings, BestEffortLimits limits) {
    settings
        .unknownKeys(KEYS, Set.of(BestEffortLimits.PER_QUEUE_KEY))
        .forEach(
            (key, source) ->
                LOG.warn(
                    "Unknown key {} in {}: it has no effect. Charon's keys on the ResourceManager"
                        + " are {}.",
                    key,
                    source,
                    KEYS));
    settings.complaints().forEach(LOG::warn);
    warnOfUnknownQueues(settings, BestEffortKeys.QUEUES_KEY, rule.queues());
    for (String queue : limits.perNamedQueue().keySet()) {
      warnOfUnknownQueues(settings, BestEffortLimits.PER_QUEUE_KEY + "." + queue, Set.of(queue));
    }
  }

  private void warnOfUnknownQueues(Settings settings, String key, Set<String> queues) {
    List<String> unknown = view.unknownQueues(queues);
    if (!unknown.isEmpty()) {
      LOG.warn(
          "{} in {} names queues that the scheduler does not have: {}. It has no effect until they"
              + " are there. Cure: write a full path, such as root.batch, or a leaf's name, as in"
              + " capacity-scheduler.xml.",
          key,
          settings.source(key),
          unknown);
    }
  }

  private static void makeOpportunistic(ResourceRequest ask) {
    ExecutionTypeRequest asked = ask.getExecutionTypeRequest();
    if (asked == null || asked.getExecutionType() != ExecutionType.OPPORTUNISTIC) {
      // Enforced: otherwise YARN may hand out a container of the other type.
      ask.setExecutionTypeRequest(
          ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true));
    }
  }
}
