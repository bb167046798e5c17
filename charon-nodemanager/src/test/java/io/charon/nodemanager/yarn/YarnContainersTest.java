/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState.KILLING;
import static org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState.PAUSED;
import static org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class YarnContainersTest {
  private Optional<String> killDiagnostics = Optional.empty();
  private final StockYarn yarn = new StockYarn(5);
  private final ContainerExecutor executor = mock(ContainerExecutor.class);
  private final YarnContainers containers =
      new YarnContainers(yarn.context(), executor, new Configuration(false), id -> killDiagnostics);

  @Test
  void killsTheWayYarnDoes() throws Exception {
    Container container = yarn.opportunistic(1, 100);
    when(executor.getProcessId(container.getContainerId())).thenReturn("77");
    ContainerSignalContext[] sent = new ContainerSignalContext[1];
    doAnswer(
            invocation -> {
              sent[0] = invocation.getArgument(0);
              return true;
            })
        .when(executor)
        .signalContainer(any());

    containers.kill(StockYarn.id(1).toString());

    assertThat(sent[0].getPid()).isEqualTo("77");
    assertThat(sent[0].getSignal()).isEqualTo(ContainerExecutor.Signal.KILL);
    assertThat(sent[0].getContainer()).isSameAs(container);
    assertThat(sent[0].getUser()).isEqualTo("alice");
  }

  @Test
  void asksToEndTheWayYarnDoes() throws Exception {
    Container container = yarn.opportunistic(1, 100);
    when(executor.getProcessId(container.getContainerId())).thenReturn("77");
    List<ContainerExecutor.Signal> sent = new ArrayList<>();
    doAnswer(invocation -> sent.add(invocation.<ContainerSignalContext>getArgument(0).getSignal()))
        .when(executor)
        .signalContainer(any());

    containers.terminate(StockYarn.id(1).toString());

    assertThat(sent).containsExactly(ContainerExecutor.Signal.TERM);
  }

  @Test
  @Tag("must-never")
  void aJustPromotedContainerIsNeitherTerminatedNorKilled() throws Exception {
    Container container = yarn.guaranteed(1, 100);
    when(executor.getProcessId(container.getContainerId())).thenReturn("77");
    String id = StockYarn.id(1).toString();

    assertThatThrownBy(() -> containers.terminate(id)).hasMessageContaining("was promoted");
    assertThatThrownBy(() -> containers.kill(id)).hasMessageContaining("was promoted");

    verify(executor, never()).signalContainer(any());
    assertThat(yarn.kills()).isEmpty();
  }

  @Test
  void oneThatHasNoProcessYetDoesNotStart() throws Exception {
    yarn.opportunistic(1, 100);

    containers.kill(StockYarn.id(1).toString());

    assertThat(yarn.kills())
        .containsExactly(
            Map.entry(StockYarn.id(1).toString(), "Killed by Charon (while starting)"));
    verify(executor, never()).signalContainer(any());
  }

  /** YARN would report its end at once, and its processes would live on. */
  @Test
  @Tag("must-never")
  void oneThatYarnIsRecoveringIsNotEnded() throws Exception {
    Container container = yarn.opportunistic(1, 100);
    when(container.isRecovering()).thenReturn(true);
    String id = StockYarn.id(1).toString();

    assertThatThrownBy(() -> containers.kill(id)).hasMessageContaining("is being recovered");
    assertThatThrownBy(() -> containers.terminate(id)).hasMessageContaining("is being recovered");

    assertThat(yarn.kills()).isEmpty();
  }

  @Test
  void oneThatHasNoProcessYetIsGivenTheReasonOfItsEnd() throws Exception {
    yarn.opportunistic(1, 100);
    killDiagnostics = Optional.of("Killed by an operator's stop: kill by alice");

    containers.terminate(StockYarn.id(1).toString());

    assertThat(yarn.kills())
        .containsExactly(
            Map.entry(
                StockYarn.id(1).toString(),
                "Killed by an operator's stop: kill by alice (while starting)"));
  }

  @Test
  void oneThatIsGoneIsLeftAlone() throws Exception {
    containers.kill(StockYarn.id(1).toString());

    verify(executor, never()).signalContainer(any());
  }

  @Test
  void reportsWhichContainersMayBeFrozen() {
    String id = StockYarn.id(1).toString();
    assertThat(containers.phase(id)).isEqualTo(Phase.ENDING);
    Container container = yarn.opportunistic(1, 100);
    assertThat(containers.phase(id)).isEqualTo(Phase.STARTING);
    when(container.getContainerState()).thenReturn(RUNNING);
    assertThat(containers.phase(id)).isEqualTo(Phase.RUNNING);
    when(container.getContainerState()).thenReturn(PAUSED);
    assertThat(containers.phase(id)).isEqualTo(Phase.PAUSED);
    when(container.getContainerState()).thenReturn(KILLING);
    assertThat(containers.phase(id)).isEqualTo(Phase.ENDING);
  }

  @Test
  void tellsEndsApart() {
    assertThat(howEnded(ContainerExitStatus.PREEMPTED, "", true))
        .isEqualTo(ContainerEnd.KILLED_FOR_MEMORY);
    assertThat(howEnded(137, "", true)).isEqualTo(ContainerEnd.KILLED_FOR_MEMORY);
    assertThat(howEnded(137, "", false)).isEqualTo(ContainerEnd.OTHER);
    assertThat(howEnded(ContainerExitStatus.SUCCESS, "", true)).isEqualTo(ContainerEnd.COMPLETED);
    assertThat(howEnded(1, "container queue is full", false)).isEqualTo(ContainerEnd.OTHER);
    assertThat(
            howEnded(
                ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
                "Opportunistic container queue is full.",
                false))
        .isEqualTo(ContainerEnd.REJECTED);
  }

  @Test
  void oneThatYarnHasForgottenEndedAsFarAsWeKnow() {
    assertThat(containers.howEnded(StockYarn.id(9), true))
        .isEqualTo(ContainerEnd.KILLED_FOR_MEMORY);
    assertThat(containers.howEnded(StockYarn.id(9), false)).isEqualTo(ContainerEnd.OTHER);
  }

  @Test
  void theWaitingOnesAreInTheOrderOfTheirArrival() {
    when(yarn.opportunistic(1, 100).getContainerStartTime()).thenReturn(2000L);
    when(yarn.opportunistic(2, 100).getContainerStartTime()).thenReturn(2000L);
    when(yarn.opportunistic(3, 100).getContainerStartTime()).thenReturn(1000L);
    yarn.guaranteed(4, 100);

    assertThat(containers.waiting())
        .extracting(ContainerInfo::containerId)
        .containsExactly(
            StockYarn.id(3).toString(), StockYarn.id(1).toString(), StockYarn.id(2).toString());
  }

  @Test
  void knowsTheFirstProcessOfEachThatHasOne() {
    yarn.opportunistic(1, 100);
    yarn.guaranteed(2, 100);
    yarn.guaranteed(3, 100);
    when(executor.getProcessId(StockYarn.id(1))).thenReturn("77");
    when(executor.getProcessId(StockYarn.id(2))).thenReturn("job_1");

    assertThat(containers.rootProcesses()).containsOnlyKeys(StockYarn.id(1).toString());
    assertThat(containers.rootProcesses()).containsValue(77L);
  }

  @Test
  void translatesWhatYarnSaysOfAContainer() {
    assertThat(Containers.info(yarn.opportunistic(1, 100)))
        .isEqualTo(
            new ContainerInfo(
                StockYarn.id(1).toString(),
                new Owner(
                    "alice",
                    StockYarn.id(1).getApplicationAttemptId().getApplicationId().toString()),
                io.charon.core.scheduler.ExecutionType.OPPORTUNISTIC,
                false,
                new JobKey("user=alice priority=20 memory-mb=100"),
                100L << 20,
                1,
                20));
    ContainerInfo master =
        Containers.info(
            yarn.container(2, 0, ExecutionType.GUARANTEED, ContainerType.APPLICATION_MASTER));
    assertThat(master.applicationMaster()).isTrue();
    assertThat(master.requestedBytes()).isEqualTo(1L << 20); // a request of nothing does not count
  }

  private ContainerEnd howEnded(int exitStatus, String diagnostics, boolean killedForMemory) {
    Container container = yarn.opportunistic(1, 100);
    when(container.cloneAndGetContainerStatus())
        .thenReturn(
            ContainerStatus.newInstance(
                StockYarn.id(1), ContainerState.COMPLETE, diagnostics, exitStatus));
    return containers.howEnded(StockYarn.id(1), killedForMemory);
  }
}
