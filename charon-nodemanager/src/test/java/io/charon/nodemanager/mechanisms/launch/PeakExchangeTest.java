/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static io.charon.nodemanager.Await.await;
import static io.charon.nodemanager.mechanisms.launch.LearningGate.learn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import com.codahale.metrics.Counter;
import com.sun.net.httpserver.HttpServer;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.PeakSample;
import io.charon.nodemanager.config.SchedulerSettings.SharingSettings;
import io.charon.web.http.WebAccess;
import io.charon.web.sharing.PeakMessages;
import io.charon.web.sharing.SharedPeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests nodes and the peaks that a ResourceManager keeps for them, over loopback. */
class PeakExchangeTest {
  private static final Duration PERIOD = Duration.ofMillis(50);
  private static final URI NOBODY = URI.create("http://127.0.0.1:1");

  private final PeakMessages messages = new PeakMessages();
  private final List<PeakExchange> exchanges = new ArrayList<>();
  private final PeakExchange.Counts counts =
      new PeakExchange.Counts(new Counter(), new Counter(), new Counter());
  private volatile SharedPeaks kept = new SharedPeaks("run-1", 100, 20);
  private volatile int status = 200;
  private HttpServer server;
  private URI address;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    server.createContext(
        PeakMessages.PATH,
        asked -> {
          byte[] body = asked.getRequestBody().readAllBytes();
          byte[] answer =
              status == 200
                  ? messages.write(kept.exchange(messages.report(body), System.currentTimeMillis()))
                  : new byte[] {'n', 'o'};
          asked.sendResponseHeaders(status, answer.length);
          asked.getResponseBody().write(answer);
          asked.close();
        });
    server.start();
  }

  @AfterEach
  void end() {
    exchanges.forEach(PeakExchange::close);
    server.stop(0);
  }

  @Test
  void aNewNodeKnowsWhatAnotherOneMeasured() throws Exception {
    LaunchGate first = LearningGate.create(Clock.systemUTC());
    share(first, address);
    learn(first, 10, 20, 30);
    await(() -> kept.size() == 3);

    LaunchGate second = LearningGate.create(Clock.systemUTC());
    share(second, address);
    await(() -> peaks(second).equals(List.of(10L, 20L, 30L)));
    assertThat(second.learned().peaks().get(0).samples()).noneMatch(PeakSample::own);

    learn(second, 40);
    await(() -> peaks(first).equals(List.of(10L, 20L, 30L, 40L)));
    assertThat(peaks(second)).containsExactly(10L, 20L, 30L, 40L);
    assertThat(counts.jobsLearned().getCount()).isEqualTo(1);
    assertThat(counts.failed().getCount()).isZero();
  }

  @Test
  void aResourceManagerThatForgotIsToldAgain() throws Exception {
    LaunchGate gate = LearningGate.create(Clock.systemUTC());
    share(gate, address);
    learn(gate, 10, 20);
    await(() -> kept.size() == 2);

    kept = new SharedPeaks("run-2", 100, 20);

    await(() -> kept.size() == 2);
    assertThat(peaks(gate)).containsExactly(10L, 20L);
  }

  @Test
  void theNextResourceManagerIsAskedWhereTheFirstIsAway() throws Exception {
    LaunchGate gate = LearningGate.create(Clock.systemUTC());
    share(gate, NOBODY, address);
    learn(gate, 10);
    await(() -> kept.size() == 1);
    assertThat(counts.failed().getCount()).isZero();
  }

  @Test
  void withoutAnAnswerTheNodeGoesOnAndTriesAgain() throws Exception {
    status = 403;
    LaunchGate gate = LearningGate.create(Clock.systemUTC());
    share(gate, address);
    learn(gate, 10);
    await(() -> counts.failed().getCount() >= 2);
    assertThat(peaks(gate)).containsExactly(10L);
    assertThat(counts.done().getCount()).isZero();

    status = 200;
    await(() -> kept.size() == 1);
  }

  @Test
  void anErrorInOneExchangeDoesNotEndTheSharing() throws Exception {
    LaunchGate gate = spy(LearningGate.create(Clock.systemUTC()));
    learn(gate, 10);
    doThrow(new NoClassDefFoundError("wanted by the test")).doCallRealMethod().when(gate).learned();
    share(gate, address);
    await(() -> kept.size() == 1);
    assertThat(counts.failed().getCount()).isEqualTo(1);
  }

  private void share(LaunchGate gate, URI... servers) {
    PeakExchange exchange =
        new PeakExchange(
            new SharingSettings(List.of(servers), PERIOD), WebAccess.unconfigured(), gate, counts);
    exchanges.add(exchange);
    exchange.start();
  }

  private static List<Long> peaks(LaunchGate gate) {
    return gate.learned().peaks().stream()
        .map(JobPeaks::samples)
        .flatMap(List::stream)
        .map(PeakSample::peakBytes)
        .sorted()
        .toList();
  }
}
