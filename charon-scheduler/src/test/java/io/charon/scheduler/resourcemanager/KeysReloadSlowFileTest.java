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
import io.charon.web.trust.TrustedProperties;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests orders to read the keys again on a file system that hangs. */
@Timeout(120)
@Tag("hadoop")
class KeysReloadSlowFileTest {
  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch hangs = new CountDownLatch(1);

  @Test
  void neitherTheStartWaitsForItNorMoreThanOneOfThoseWhoAskForTheOutcome() throws Exception {
    TrustedProperties file = mock(TrustedProperties.class);
    when(file.version())
        .thenAnswer(
            call -> {
              reading.countDown();
              hangs.await();
              return TrustedProperties.Version.none();
            });
    ExecutorService callers = Executors.newCachedThreadPool();
    try {
      KeysReload reload = callers.submit(() -> reload(file)).get(20, TimeUnit.SECONDS);
      assertThat(reading.getCount()).as("nothing is read at the start").isEqualTo(1);

      Future<ReloadOutcome> first = callers.submit(reload::outcome);
      assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(callers.submit(reload::outcome).get(20, TimeUnit.SECONDS))
          .as("what is known")
          .isEqualTo(ReloadOutcome.none());
      assertThat(first).isNotDone();
      hangs.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(ReloadOutcome.none());
    } finally {
      hangs.countDown();
      callers.shutdownNow();
    }
  }

  private static KeysReload reload(TrustedProperties file) {
    Configuration held = new Configuration(false);
    return new KeysReload(
        Optional.of(file),
        new ReloadableRules(held, () -> held, settings -> List.of()),
        Instant.EPOCH,
        outcome -> {},
        System::nanoTime);
  }
}
