/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;

/**
 * A container as observed through its processes. Times are seconds since the start of the window
 * and negative before it.
 *
 * @param address container, application and node
 * @param role kind of program that the container runs
 * @param attempt the task attempt that the container runs, or the path of its result if it is a
 *     paced task; empty for other containers
 * @param startSeconds when the first process started
 * @param endSeconds when the last process was gone; for a container that still runs, the last
 *     sample
 * @param ended whether the end was observed
 * @param points memory and processor time at each sample
 */
public record ContainerTrace(
    ContainerAddress address,
    Role role,
    String attempt,
    double startSeconds,
    double endSeconds,
    boolean ended,
    List<Point> points) {
  /**
   * Which container it is and where it runs.
   *
   * @param id the container
   * @param application the container's application
   * @param node name of the container's node
   */
  public record ContainerAddress(String id, String application, String node) {}

  /** The kind of program that a container runs. */
  public enum Role {
    MASTER,
    MAP,
    REDUCE,
    /** A program of an application of paced tasks. */
    TASK,
    /**
     * Not known: a container that has just started and whose command line does not show its role
     * yet.
     */
    UNKNOWN
  }

  /**
   * One sample of a container.
   *
   * @param seconds time of the sample
   * @param bytes anonymous and shared memory of the container
   * @param processorSeconds processor time that the container had used by then
   */
  public record Point(double seconds, long bytes, double processorSeconds) {}

  /** Copies the list. */
  public ContainerTrace {
    points = List.copyOf(points);
  }
}
