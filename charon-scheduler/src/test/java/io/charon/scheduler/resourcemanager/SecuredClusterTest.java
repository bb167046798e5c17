/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.charon.web.sharing.PeakMessages;
import io.charon.web.stop.StopMessages;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

/** With Kerberos, only callers that Hadoop's filter has identified are accepted and answered. */
@Tag("hadoop")
class SecuredClusterTest {
  private final HttpServletRequest request = mock(HttpServletRequest.class);
  private final HttpServletResponse response = mock(HttpServletResponse.class);
  private final Configuration configuration = new Configuration(false);
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void secure() throws Exception {
    configuration.set("hadoop.http.authentication.type", "kerberos");
    configuration.set("yarn.nodemanager.principal", "nm/_HOST@EXAMPLE.COM");
    when(response.getOutputStream())
        .thenReturn(
            new ServletOutputStream() {
              @Override
              public void write(int value) {
                said.write(value);
              }

              @Override
              public boolean isReady() {
                return true;
              }

              @Override
              public void setWriteListener(WriteListener listener) {}
            });
  }

  @Test
  @Tag("must-never")
  void anUnidentifiedCallerTeachesNoPeaksAndLearnsOfNoStop() throws Exception {
    serve(new PeakExchangeFilter(), PeakMessages.PATH, "POST");
    assertRefused("this request is not authenticated");
    verify(request, never()).getInputStream();
    serve(new ClusterStopFilter(), StopMessages.PATH, "GET");
    assertRefused("this request is not authenticated");
  }

  @Test
  @Tag("must-never")
  void aClaimIsNoProof() throws Exception {
    configuration.set("hadoop.http.authentication.type", "simple");
    identified("nm", "simple");
    serve(new PeakExchangeFilter(), PeakMessages.PATH, "POST");
    assertRefused("any client could claim any identity");
    verify(request, never()).getInputStream();
    serve(new ClusterStopFilter(), StopMessages.PATH, "GET");
    assertRefused("any client could claim any identity");
  }

  @Test
  @Tag("must-never")
  void aPlainUserTeachesNoPeaks() throws Exception {
    identified("bob", "kerberos");
    serve(new PeakExchangeFilter(), PeakMessages.PATH, "POST");
    assertRefused(
        "bob is not a user of YARN's daemons: only NodeManagers may report measured peaks");
    verify(request, never()).getInputStream();
  }

  @Test
  void aNodeManagerIsHeardAsFarAsItsAddressGoes() throws Exception {
    identified("nm", "kerberos");
    serve(new PeakExchangeFilter(), PeakMessages.PATH, "POST");
    // The next check: this server belongs to no ResourceManager.
    assertRefused("this web server does not belong to a ResourceManager");
  }

  private void identified(String user, String way) {
    when(request.getRemoteUser()).thenReturn(user);
    when(request.getAuthType()).thenReturn(way);
  }

  private void assertRefused(String reason) {
    verify(response).setStatus(HttpServletResponse.SC_FORBIDDEN);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains(reason);
    said.reset();
    clearInvocations(response);
  }

  private void serve(Filter filter, String path, String method) throws Exception {
    FilterConfig config = mock(FilterConfig.class);
    when(config.getInitParameter(anyString())).thenReturn("10");
    ServletContext server = mock(ServletContext.class);
    when(server.getAttribute("rm")).thenReturn(null);
    when(server.getAttribute(HttpServer2.CONF_CONTEXT_ATTRIBUTE)).thenReturn(configuration);
    when(request.getServletContext()).thenReturn(server);
    when(request.getRequestURI()).thenReturn(path);
    when(request.getMethod()).thenReturn(method);
    FilterChain next = mock(FilterChain.class);
    filter.init(config);
    UserGroupInformation me = UserGroupInformation.createRemoteUser("rm");
    try (MockedStatic<UserGroupInformation> users = mockStatic(UserGroupInformation.class)) {
      users.when(UserGroupInformation::isSecurityEnabled).thenReturn(true);
      users.when(UserGroupInformation::getLoginUser).thenReturn(me);
      users
          .when(() -> UserGroupInformation.createRemoteUser(anyString()))
          .thenAnswer(call -> jobKnown(call.getArgument(0)));
      filter.doFilter(request, response, next);
    }
    filter.destroy();
    verifyNoInteractions(next);
  }

  private static UserGroupInformation jobKnown(String principal) {
    UserGroupInformation user = mock(UserGroupInformation.class);
    when(user.getShortUserName()).thenReturn(principal.split("[/@]", 2)[0]);
    return user;
  }
}
