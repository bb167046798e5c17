/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.charon.web.sharing.PeakMessages;
import io.charon.web.sharing.PeakNews;
import io.charon.web.sharing.PeakReport;
import io.charon.web.sharing.SharedJob;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** Tests the web server of a complete ResourceManager over loopback. */
@Tag("hadoop")
class PeakExchangeFilterTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final List<SharedJob> SORT =
      List.of(new SharedJob("sort", List.of(new SharedJob.Sample(10, 20, 30))));

  private final PeakMessages messages = new PeakMessages();
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Tag("long")
  void aNodeHearsWhatAnotherOneTold() throws Exception {
    try (MockCluster cluster = cluster(1)) {
      PeakNews first = exchange(cluster, new PeakReport("a", "", 0, SORT));
      assertThat(first.jobs()).isEmpty();
      PeakNews second = exchange(cluster, new PeakReport("b", first.run(), 0, List.of()));
      assertThat(second.run()).isEqualTo(first.run());
      assertThat(second.jobs()).isEqualTo(SORT);
    }
  }

  @Test
  @Tag("long")
  void aRestartedResourceManagerIsAnotherRun() throws Exception {
    String run;
    try (MockCluster cluster = cluster(1)) {
      run = exchange(cluster, new PeakReport("a", "", 0, SORT)).run();
    }
    try (MockCluster cluster = cluster(1)) {
      PeakNews news = exchange(cluster, new PeakReport("b", run, 1, List.of()));
      assertThat(news.run()).isNotEqualTo(run);
      assertThat(news.sequence()).isZero();
      assertThat(news.jobs()).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void withoutRegisteredNodesNoCallerIsAccepted() throws Exception {
    try (MockCluster cluster = cluster(0)) {
      assertThat(post(cluster, messages.write(new PeakReport("a", "", 0, SORT))))
          .returns(403, HttpResponse::statusCode)
          .returns(
              "the request came from an address that belongs to no registered NodeManager",
              HttpResponse::body);
    }
  }

  @Test
  @Tag("long")
  void whatIsNoMessageIsRefusedAndTheServerGoesOn() throws Exception {
    try (MockCluster cluster = cluster(1)) {
      assertThat(post(cluster, "{\"sender\":1".getBytes(StandardCharsets.UTF_8)))
          .returns(400, HttpResponse::statusCode)
          .satisfies(refusal -> assertThat(refusal.body()).isNotBlank());
      assertThat(post(cluster, new byte[PeakMessages.MAX_BYTES + 1]).statusCode()).isEqualTo(413);
      HttpRequest get = request(cluster, PeakMessages.PATH).GET().build();
      assertThat(send(get).statusCode()).isEqualTo(405);
      exchange(cluster, new PeakReport("a", "", 0, SORT));
    }
  }

  @Test
  @Tag("long")
  void whatABrowserCanBeMadeToSendIsRefused() throws Exception {
    try (MockCluster cluster = cluster(1)) {
      byte[] message = messages.write(new PeakReport("a", "", 0, SORT));
      for (String type :
          List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")) {
        assertThat(post(cluster, message, type).statusCode()).as(type).isEqualTo(415);
      }
      assertThat(post(cluster, message, "Application/JSON; charset=utf-8").statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  @Tag("long")
  void everythingElseOfTheWebServerIsAsBefore() throws Exception {
    try (MockCluster cluster = cluster(1)) {
      HttpRequest conf = request(cluster, "/conf").GET().build();
      assertThat(send(conf).statusCode()).isEqualTo(200);
    }
  }

  @Test
  @Tag("long")
  void aResourceManagerThatIsNotTheActiveOneSaysSo() throws Exception {
    RMContext context = mock(RMContext.class);
    when(context.getHAServiceState()).thenReturn(HAServiceState.STANDBY);
    ResourceManager standby = mock(ResourceManager.class);
    when(standby.getRMContext()).thenReturn(context);
    assertThat(statusWhereTheServerBelongsTo(standby)).isEqualTo(503);
  }

  @Test
  @Tag("long")
  void theWebServerOfAnotherDaemonRefuses() throws Exception {
    assertThat(statusWhereTheServerBelongsTo(null)).isEqualTo(403);
  }

  private static int statusWhereTheServerBelongsTo(ResourceManager owner) throws Exception {
    FilterConfig config = mock(FilterConfig.class);
    when(config.getInitParameter(anyString())).thenReturn("10");
    ServletContext servletContext = mock(ServletContext.class);
    when(servletContext.getAttribute("rm")).thenReturn(owner);
    HttpServletRequest request = mock(HttpServletRequest.class);
    when(request.getRequestURI()).thenReturn(PeakMessages.PATH);
    when(request.getServletContext()).thenReturn(servletContext);
    HttpServletResponse response = mock(HttpServletResponse.class);
    when(response.getOutputStream()).thenReturn(mock(ServletOutputStream.class));
    FilterChain chain = mock(FilterChain.class);
    PeakExchangeFilter filter = new PeakExchangeFilter();
    filter.init(config);
    filter.doFilter(request, response, chain);
    verifyNoInteractions(chain);
    ArgumentCaptor<Integer> status = ArgumentCaptor.forClass(Integer.class);
    verify(response).setStatus(status.capture());
    return status.getValue();
  }

  private static MockCluster cluster(int nodes) throws Exception {
    YarnConfiguration configuration = MockCluster.configuration();
    configuration.setBoolean("mockrm.webapp.enabled", true);
    try (ServerSocket free = new ServerSocket(0)) {
      configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.1:" + free.getLocalPort());
    }
    configuration.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, PeakExchangeInitializer.class.getName());
    return MockCluster.start(new MockRM(configuration), nodes);
  }

  private PeakNews exchange(MockCluster cluster, PeakReport report) throws Exception {
    HttpResponse<String> response = post(cluster, messages.write(report));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return messages.news(response.body().getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> post(MockCluster cluster, byte[] body) throws Exception {
    return post(cluster, body, "application/json");
  }

  /** Sends a message, and repeats it while names of nodes are being resolved. */
  private HttpResponse<String> post(MockCluster cluster, byte[] body, String type)
      throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    HttpResponse<String> response;
    do {
      response =
          send(
              request(cluster, PeakMessages.PATH)
                  .header("Content-Type", type)
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                  .build());
    } while (response.statusCode() == 503 && System.nanoTime() < end);
    return response;
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(MockCluster cluster, String path) {
    String address = cluster.resourceManager.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    return HttpRequest.newBuilder(URI.create("http://" + address + path)).timeout(TIMEOUT);
  }
}
