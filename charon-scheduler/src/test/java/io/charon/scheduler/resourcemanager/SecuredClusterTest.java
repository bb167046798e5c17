/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.charon.web.sharing.PeakMessages;
import io.charon.web.stop.StopMessages;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

/** Nodes bring no ticket: with Kerberos nobody is believed and nobody is told. */
@Tag("hadoop")
class SecuredClusterTest {
  private final HttpServletRequest request = mock(HttpServletRequest.class);
  private final HttpServletResponse response = mock(HttpServletResponse.class);

  @Test
  @Tag("must-never")
  void nobodyTeachesPeaks() throws Exception {
    assertRefused(new PeakExchangeFilter(), PeakMessages.PATH, "POST");
    verify(request, never()).getInputStream();
  }

  @Test
  @Tag("must-never")
  void nobodyIsToldOfAStop() throws Exception {
    assertRefused(new ClusterStopFilter(), StopMessages.PATH, "GET");
  }

  private void assertRefused(Filter filter, String path, String method) throws Exception {
    FilterConfig config = mock(FilterConfig.class);
    when(config.getInitParameter(anyString())).thenReturn("10");
    ServletContext server = mock(ServletContext.class);
    when(server.getAttribute("rm")).thenReturn(mock(ResourceManager.class));
    when(request.getServletContext()).thenReturn(server);
    when(request.getRequestURI()).thenReturn(path);
    when(request.getMethod()).thenReturn(method);
    when(response.getOutputStream()).thenReturn(mock(ServletOutputStream.class));
    FilterChain next = mock(FilterChain.class);
    filter.init(config);
    try (MockedStatic<UserGroupInformation> users = mockStatic(UserGroupInformation.class)) {
      users.when(UserGroupInformation::isSecurityEnabled).thenReturn(true);
      filter.doFilter(request, response, next);
    }
    verify(response).setStatus(HttpServletResponse.SC_FORBIDDEN);
    verifyNoInteractions(next);
  }
}
