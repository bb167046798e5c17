/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A job that the ResourceManager has accepted.
 *
 * @param id the job's application
 * @param check check of the job's results
 */
public record SubmittedJob(ApplicationId id, Check check) {
  /** Compares results with those that this process computes from the same input. */
  @FunctionalInterface
  public interface Check {
    /**
     * Compares the results; only valid after the job has succeeded.
     *
     * @return the errors; empty if all results are right
     * @throws IOException if input or results cannot be read
     */
    List<String> problems() throws IOException;
  }
}
