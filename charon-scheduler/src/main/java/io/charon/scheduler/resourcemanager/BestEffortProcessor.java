/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.BestEffortRule;
import io.charon.core.stop.StopOrder;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.ReloadOutcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
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
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of unmodified best-effort applications in OPPORTUNISTIC containers by rewriting
 * the requests of such an application before YARN's own processors see them. The
 * ApplicationMaster's container is not requested on this path and stays GUARANTEED.
 *
 * <p>The ResourceManager creates this class if {@code
 * yarn.resourcemanager.application-master-service.processors} names it. One instance serves all
 * applications, on many threads. {@link BestEffortQuotaFilter} keeps the requests that the limits
 * hold back.
 */
public final class BestEffortProcessor implements ApplicationMasterServiceProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(BestEffortProcessor.class);

  static final Set<String> KEYS =
      new TreeSet<>(
          Set.of(
              BestEffortKeys.ENABLED_KEY,
              BestEffortKeys.TAGS_KEY,
              BestEffortKeys.QUEUES_KEY,
              BestEffortLimits.PER_QUEUE_KEY,
              BestEffortLimits.PER_USER_KEY,
              BestEffortLimits.SHARE_KEY,
              BestEffortLimits.ASKS_KEY,
              BestEffortLimits.RECORDS_KEY,
              NodeAvoidance.AVOID_KEY,
              ClusterStopFile.KEY,
              PeakExchangeFilter.JOBS_KEY,
              PeakExchangeFilter.SAMPLES_KEY,
              ClusterPageServlet.PERIOD_KEY));

  private final CircuitBreaker breaker = new CircuitBreaker();
  private ApplicationMasterServiceProcessor next;
  private SchedulerView view;
  private ReloadableRules rules;

  /** Held here, because {@link ActiveParts} does not keep them alive. */
  private ActiveParts parts;

  /** Empty if no OPPORTUNISTIC containers are allocated, or if Charon could not start. */
  private Optional<BestEffortQuotaFilter> gate = Optional.empty();

  /**
   * Reads the configuration. If the ResourceManager does not allocate OPPORTUNISTIC containers,
   * this logs one warning and leaves every request unchanged: the jobs run, but not as best-effort.
   * The same happens if Charon does not fit this Hadoop.
   */
  @Override
  public void init(
      ApplicationMasterServiceContext amsContext, ApplicationMasterServiceProcessor nextProcessor) {
    next = nextProcessor;
    if (!breaker.run("starting", () -> start((RMContext) amsContext))) {
      breaker.open("Charon could not start");
    }
  }

  private void start(RMContext context) {
    List<String> missing = UsedSignatures.missing();
    if (!missing.isEmpty()) {
      breaker.open(
          "Hadoop %s lacks classes or methods that Charon uses: %s"
              .formatted(VersionInfo.getVersion(), missing));
      return;
    }
    view = new SchedulerView(context);
    Configuration configuration = context.getYarnConfiguration();
    Settings settings = new Settings(configuration);
    IdleKeys idle = new IdleKeys(view);
    rules = new ReloadableRules(configuration, YarnConfiguration::new, idle::of);
    Optional<Path> file = settings.file(ClusterStopFile.KEY);
    ClusterStop stop = ClusterStop.of(file, BestEffortProcessor::say);
    KeysReload reload =
        new KeysReload(
            file.map(path -> ClusterStopFile.of(path, System.getProperty("user.name"))),
            rules,
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
            BestEffortProcessor::say,
            System::nanoTime);
    Evictions evictions = new Evictions(System::nanoTime);
    parts = new ActiveParts(evictions, reload);
    ActiveParts.start(context, parts);
    BestEffortRules read = BestEffortRules.from(settings);
    settings.complaints().forEach(LOG::warn);
    idle.of(settings).forEach(LOG::warn);
    // The same condition as in ResourceManager.createApplicationMasterService.
    if (YarnConfiguration.isOpportunisticContainerAllocationEnabled(configuration)
        || YarnConfiguration.isDistSchedulingEnabled(configuration)) {
      gate =
          Optional.of(
              new BestEffortQuotaFilter(
                  breaker,
                  view,
                  new QuotaEnforcer(() -> rules.inForce().limits()),
                  new NodeAvoidance(() -> rules.inForce().avoid(), System::nanoTime),
                  evictions,
                  stop::stops,
                  System::nanoTime));
      logRule(settings, read.who());
      LOG.info("Best-effort limits: {}", read.limits().description());
    } else {
      LOG.warn(
          "{} is false, so this ResourceManager allocates no OPPORTUNISTIC containers: best-effort"
              + " applications run in GUARANTEED ones. Cure: set it to true in yarn-site.xml and"
              + " restart the ResourceManager.",
          YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED);
    }
  }

  private static void say(StopOrder order) {
    LOG.warn(
        "Best-effort asks are {}{}",
        order.stops()
            ? "held until best-effort is resumed, and none is lost: stopped"
            : "processed again: resumed",
        order.origin());
  }

  private static void say(ReloadOutcome outcome) {
    String by = outcome.order().by().isEmpty() ? "unknown" : outcome.order().by();
    if (outcome.problems().isEmpty()) {
      LOG.warn("Keys were read again by order of {}: changed {}", by, outcome.changed());
      if (!outcome.needRestart().isEmpty()) {
        LOG.warn("These keys need a restart of the ResourceManager: {}", outcome.needRestart());
      }
      outcome.warnings().forEach(LOG::warn);
      RMAuditLogger.logSuccess(by, "Charon reload", "best-effort");
    } else {
      LOG.error("Keys were read again by order of {}, nothing changed: {}", by, outcome.problems());
      RMAuditLogger.logFailure(
          by, "Charon reload", "", "best-effort", String.join("; ", outcome.problems()));
    }
  }

  private static void logRule(Settings settings, BestEffortRule rule) {
    BestEffortRule configured = BestEffortKeys.configuredRule(settings);
    if (rule.equals(configured)) {
      LOG.info("Best-effort applications: tags {}, queues {}", rule.tags(), rule.queues());
    } else if (settings.isSet(BestEffortKeys.ENABLED_KEY)) {
      LOG.info("Applications are not made best-effort: {} is false", BestEffortKeys.ENABLED_KEY);
    } else {
      LOG.warn(
          "Applications are not made best-effort, neither by tags {} nor by queues {}: {} is "
              + "not set. Cure: set it to true in yarn-site.xml once Charon enforces on the nodes, "
              + "or to false, and restart the ResourceManager.",
          configured.tags(),
          configured.queues(),
          BestEffortKeys.ENABLED_KEY);
    }
  }

  @Override
  public void registerApplicationMaster(
      ApplicationAttemptId attempt,
      RegisterApplicationMasterRequest request,
      RegisterApplicationMasterResponse response)
      throws IOException, YarnException {
    next.registerApplicationMaster(attempt, request, response);
    if (gate.isPresent()) {
      breaker.run("reading keys again", () -> parts.reload().check());
      breaker.run("logging which applications are best-effort", () -> logReason(attempt));
    }
  }

  private void logReason(ApplicationAttemptId attempt) {
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
   * place, as YARN's own processors do: it was read from the network for this one call.
   *
   * <p>Some requests stay unchanged: scheduling requests (placement constraints), because YARN's
   * {@code SingleConstraintAppPlacementAllocator} fails the whole call for any that is not
   * GUARANTEED; update requests, in which an application promotes or demotes one named container;
   * and requests that YARN's allocator cannot serve ({@link UnservableAsks}).
   */
  @Override
  public void allocate(
      ApplicationAttemptId attempt, AllocateRequest request, AllocateResponse response)
      throws YarnException {
    if (gate.isEmpty()) {
      next.allocate(attempt, request, response);
      return;
    }
    breaker.run("reading keys again", () -> parts.reload().check());
    Set<SchedulerRequestKey> rewritten = new HashSet<>();
    breaker.run("choosing the execution type", () -> chooseType(attempt, request, rewritten));
    gate.get().allocate(attempt, request, response, next, rewritten);
  }

  /**
   * Makes asks OPPORTUNISTIC by the rule in force, except that asks of a key keep the type of
   * earlier ones that wait. An application says how many containers of a key it wants in all: if
   * only the number of the other type changed, it would get its containers twice, and could no
   * longer cancel the earlier ones.
   *
   * @param rewritten receives the keys of asks that are made OPPORTUNISTIC
   */
  private void chooseType(
      ApplicationAttemptId attempt, AllocateRequest request, Set<SchedulerRequestKey> rewritten) {
    // Most heartbeats request nothing new.
    if (request.getAskList().isEmpty()) {
      return;
    }
    boolean bestEffort = bestEffortReason(attempt).isPresent();
    Set<SchedulerRequestKey> waiting = gate.orElseThrow().rewritten(attempt);
    if (!bestEffort && waiting.isEmpty()) {
      return;
    }
    Optional<RMApp> application = view.application(attempt);
    UnservableAsks unservable =
        new UnservableAsks(
            request.getAskList(),
            application.flatMap(view::defaultLabel),
            application.flatMap(known -> view.largestBestEffort(attempt, known)));
    // A key's asks have one type, although the scheduler may allocate the last of its containers
    // meanwhile.
    Map<SchedulerRequestKey, Boolean> chosen = new HashMap<>();
    for (ResourceRequest ask : request.getAskList()) {
      SchedulerRequestKey key = SchedulerRequestKey.create(ask);
      if (!isOpportunistic(ask)
          && !unservable.contains(ask)
          && chosen.computeIfAbsent(
              key,
              any -> waiting.contains(key) || (bestEffort && !view.asksGuaranteed(attempt, key)))) {
        // Enforced: otherwise YARN may allocate a container of the other type.
        ask.setExecutionTypeRequest(
            ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true));
        rewritten.add(key);
      }
    }
  }

  @Override
  public void finishApplicationMaster(
      ApplicationAttemptId attempt,
      FinishApplicationMasterRequest request,
      FinishApplicationMasterResponse response) {
    next.finishApplicationMaster(attempt, request, response);
    gate.ifPresent(
        held ->
            breaker.run(
                "forgetting an application", () -> held.finish(attempt.getApplicationId())));
  }

  private Optional<String> bestEffortReason(ApplicationAttemptId attempt) {
    return view.application(attempt)
        .flatMap(
            application ->
                rules
                    .inForce()
                    .who()
                    .reason(application.getApplicationTags(), view.queuePath(application)));
  }

  private static boolean isOpportunistic(ResourceRequest ask) {
    ExecutionTypeRequest asked = ask.getExecutionTypeRequest();
    return asked != null && asked.getExecutionType() == ExecutionType.OPPORTUNISTIC;
  }
}
