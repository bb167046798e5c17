/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.nodemanager.container.ContainerInfos;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApplicationNamesTest {
  private static final LaunchRequest CONTAINER =
      ContainerInfos.bestEffort("container_1", 7).launchRequest();
  private static final String NAMED = "job queue=root.batch name=sort #";

  private final CountDownLatch answers = new CountDownLatch(1);
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private volatile Optional<ApplicationDirectory.Entry> answer =
      Optional.of(new ApplicationDirectory.Entry("root.batch", "sort 17", Set.of()));
  private volatile boolean closed;
  private final ApplicationNames names =
      new ApplicationNames(
          new ApplicationDirectory() {
            @Override
            public Optional<Entry> find(String applicationId) throws IOException {
              asked.add(applicationId);
              try {
                answers.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return answer;
            }

            @Override
            public void close() {
              closed = true;
            }
          },
          System::nanoTime);

  @AfterEach
  void close() {
    names.close();
  }

  @Test
  void noCallerWaitsForAnAnswerAndOneQueryIsEnough() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThat(names.named(CONTAINER)).isEqualTo(CONTAINER);
    }
    answers.countDown();
    await(() -> !names.named(CONTAINER).equals(CONTAINER));

    LaunchRequest named = names.named(CONTAINER);
    assertThat(named.job().value()).isEqualTo(NAMED);
    assertThat(named.job().wider()).isEqualTo(CONTAINER.job().value());
    assertThat(names.named(named)).isEqualTo(named);
    assertThat(asked).containsExactly(CONTAINER.owner().application());
  }

  @Test
  void anApplicationThatIsExpectedIsKnownWhenItsContainersCome() throws Exception {
    answers.countDown();
    names.prefetch(CONTAINER.owner().application());
    await(() -> !names.named(CONTAINER).equals(CONTAINER));

    assertThat(asked).hasSize(1);
  }

  @Test
  void noApplicationIsLookedUpForProduction() throws Exception {
    LaunchRequest production = ContainerInfos.production("container_2", 7).launchRequest();

    assertThat(names.named(production)).isEqualTo(production);
    names.prefetch("asked for after it");
    await(() -> !asked.isEmpty());
    assertThat(asked).containsExactly("asked for after it");
  }

  @Test
  void whatIsNotKnownIsNotAskedForWithEachContainer() throws Exception {
    answer = Optional.empty();
    answers.countDown();
    names.prefetch("application_1_1");
    await(() -> asked.size() == 1);

    for (int i = 0; i < 1000; i++) {
      names.prefetch("application_1_1");
    }
    names.prefetch("application_1_2");
    await(() -> asked.size() == 2);
    assertThat(asked).containsExactly("application_1_1", "application_1_2");
  }

  @Test
  void queriesAreLimitedWithoutAnAnswer() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      names.prefetch("application_1_" + i);
    }
    answer = Optional.empty();
    answers.countDown();

    await(() -> asked.size() > 100);
    names.prefetch("asked for after them");
    await(() -> asked.contains("asked for after them"));
    assertThat(asked).hasSizeLessThan(200);
  }

  @Test
  void aWaitingAndARunningContainerBelongToTheirJobAsSoonAsItIsKnown() throws Exception {
    LaunchGate gate = LearningGate.create(Clock.systemUTC());
    gate.names(names::named);
    gate.request(ContainerInfos.bestEffort("running", 1).launchRequest());
    gate.request(ContainerInfos.bestEffort("waiting", 5000).launchRequest());
    answers.countDown();
    await(
        () -> {
          LearningGate.observe(gate);
          return !names.named(CONTAINER).equals(CONTAINER);
        });
    LearningGate.observe(gate);

    assertThat(gate.view().waiting())
        .singleElement()
        .satisfies(container -> assertThat(container.request().job().value()).isEqualTo(NAMED));
    gate.ended("running", 3, ContainerEnd.COMPLETED);
    assertThat(gate.learned().peaks())
        .extracting(known -> known.job().value())
        .containsExactlyInAnyOrder("job", NAMED);
  }

  @Test
  void itsEndWaitsForNoThread() {
    names.prefetch("application_1_1");
    names.close();

    assertThat(closed).isTrue();
    names.prefetch("application_1_2");
  }
}
