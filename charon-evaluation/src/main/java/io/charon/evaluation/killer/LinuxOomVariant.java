/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Only Linux's own OOM killer. Its decision is observed from outside when the kernel counts the
 * kill, which is when it sends the signal. The time of the decision is therefore also that of the
 * signal, and no separate time of a last signal is reported.
 */
final class LinuxOomVariant implements KillVariant {
  private final Duration timeout;

  LinuxOomVariant(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public String name() {
    return "linux-oom";
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public Session open() {
    return new Session() {
      @Override
      public void watch(MemoryContainer victim, long processId) {}

      @Override
      public Optional<KillTimes> times(MemoryContainer victim, KillObserver observer)
          throws IOException {
        OptionalLong kill = observer.outOfMemoryKillNanos();
        return kill.isPresent()
            ? Optional.of(new KillTimes(kill.getAsLong(), OptionalLong.empty()))
            : Optional.empty();
      }

      @Override
      public void end() {}
    };
  }
}
