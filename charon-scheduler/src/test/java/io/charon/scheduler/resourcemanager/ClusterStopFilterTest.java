/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.web.stop.ReloadOutcome;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class ClusterStopFilterTest {
  private final RMContext context = mock(RMContext.class);

  @Test
  void aStandbyReadsTheKeysLater() {
    when(context.getHAServiceState()).thenReturn(HAServiceState.STANDBY);
    assertThat(ClusterStopFilter.reloaded(context)).isEmpty();
  }

  @Test
  void anActiveOneWithoutTheProcessorWillNeverReadThemAndSaysSo() {
    when(context.getHAServiceState()).thenReturn(HAServiceState.ACTIVE);
    ReloadOutcome outcome = ClusterStopFilter.reloaded(context).orElseThrow();
    assertThat(outcome.problems())
        .singleElement()
        .asString()
        .contains("runs without BestEffortProcessor", "application-master-service.processors");
    assertThat(outcome.readMillis()).as("whenever the order was given").isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void anActiveOneReportsWhatItsProcessorHasRead() {
    when(context.getHAServiceState()).thenReturn(HAServiceState.ACTIVE);
    KeysReload reload = mock(KeysReload.class);
    when(reload.outcome()).thenReturn(ReloadOutcome.none());
    ActiveParts parts = new ActiveParts(mock(Evictions.class), reload);
    ActiveParts.start(context, parts);
    assertThat(ClusterStopFilter.reloaded(context)).contains(parts.reload().outcome());
  }
}
