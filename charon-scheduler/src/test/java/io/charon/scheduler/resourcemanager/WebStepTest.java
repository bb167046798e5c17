/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.HttpServer2;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A web server with an unexpected interface still starts. */
@Tag("hadoop")
class WebStepTest {
  private final Configuration configuration = new Configuration(false);

  @ParameterizedTest
  @ValueSource(
      classes = {NoSuchMethodError.class, NoClassDefFoundError.class, IllegalStateException.class})
  void thePageIsLeftOut(Class<? extends Throwable> fault) {
    HttpServer2 server = mock(HttpServer2.class);
    doThrow(fault).when(server).addServlet(any(), any(), any());

    assertThatCode(() -> new ClusterPageInitializer().initFilter(server, configuration))
        .doesNotThrowAnyException();

    verify(server).addServlet(any(), any(), any());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {NoSuchMethodError.class, NoClassDefFoundError.class, IllegalStateException.class})
  void theExchangeOfPeaksIsLeftOut(Class<? extends Throwable> fault) {
    FilterContainer server = mock(FilterContainer.class);
    doThrow(fault).when(server).addGlobalFilter(any(), any(), any());

    assertThatCode(() -> new PeakExchangeInitializer().initFilter(server, configuration))
        .doesNotThrowAnyException();

    verify(server).addGlobalFilter(any(), any(), any());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {NoSuchMethodError.class, NoClassDefFoundError.class, IllegalStateException.class})
  void theStopOfTheClusterIsLeftOut(Class<? extends Throwable> fault) {
    FilterContainer server = mock(FilterContainer.class);
    doThrow(fault).when(server).addGlobalFilter(any(), any(), any());

    assertThatCode(() -> new ClusterStopInitializer().initFilter(server, configuration))
        .doesNotThrowAnyException();

    verify(server).addGlobalFilter(any(), any(), any());
  }
}
