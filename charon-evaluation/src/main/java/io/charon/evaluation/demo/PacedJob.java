/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** An application of paced tasks that the ResourceManager has accepted. */
public final class PacedJob {
  private final ApplicationId id;
  private final TaskApplication application;
  private final List<TaskOrder> orders;
  private final TaskExpectation expectation;

  PacedJob(
      ApplicationId id,
      TaskApplication application,
      List<TaskOrder> orders,
      TaskExpectation expectation) {
    this.id = id;
    this.application = application;
    this.orders = List.copyOf(orders);
    this.expectation = expectation;
  }

  /** Returns the application. */
  public ApplicationId id() {
    return id;
  }

  /**
   * Returns how many tasks ended until an instant.
   *
   * @param endMillis milliseconds since 1970
   * @throws IOException if results cannot be read
   */
  public int endedTasks(long endMillis) throws IOException {
    int ended = 0;
    for (TaskOrder order : orders) {
      ended +=
          application.result(order).filter(result -> result.endMillis() <= endMillis).isPresent()
              ? 1
              : 0;
    }
    return ended;
  }

  /**
   * Compares the results that exist with those that this process computes from the same input.
   *
   * @return the errors; empty if all of them are right
   * @throws IOException if input or results cannot be read
   */
  public List<String> wrongResults() throws IOException {
    return problems(orders.stream().filter(application::hasEnded).toList());
  }

  /**
   * Like {@link #wrongResults()}, but a result that is missing is an error, too; only valid after
   * the application has succeeded.
   */
  List<String> problems() throws IOException {
    return problems(orders);
  }

  private List<String> problems(List<TaskOrder> checked) throws IOException {
    List<String> problems = new ArrayList<>();
    for (TaskOrder order : checked) {
      expectation
          .problem(order, application.result(order).map(TaskResult::found))
          .ifPresent(problems::add);
    }
    return problems;
  }
}
