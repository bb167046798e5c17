/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import org.openjdk.jmh.annotations.Benchmark;

/** Two benchmarks, one of which throws. */
public class HalfBrokenBenchmark {
  /** Returns at once. */
  @Benchmark
  public int works() {
    return 1;
  }

  /** Throws at once. */
  @Benchmark
  public void throwing() {
    throw new IllegalStateException("thrown by a benchmark");
  }
}
