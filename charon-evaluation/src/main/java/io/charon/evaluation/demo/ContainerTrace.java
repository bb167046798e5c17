/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;

/**
 * A container as its processes were seen from outside. Times are seconds since the start of the
 * window; before it they are negative.
 *
 * @param id the container
 * @param application its application
 * @param node name of its node
 * @param role what it does
 * @param attempt the attempt of a task that it runs; empty of other containers
 * @param startSeconds when its first process started
 * @param endSeconds when its last process was gone; of one that still ran, the last look
 * @param ended whether it was seen to end
 * @param points memory and processor time at each look
 */
public record ContainerTrace(
    String id,
    String application,
    String node,
    Role role,
    String attempt,
    double startSeconds,
    double endSeconds,
    boolean ended,
    List<Point> points) {
  /** What a container does. */
  public enum Role {
    MASTER,
    MAP,
    REDUCE,
    /** A program that an application of paced tasks runs. */
    TASK,
    /** Its first moments, before its command line says what it is. */
    UNKNOWN
  }

  /**
   * One look at a container.
   *
   * @param seconds when
   * @param bytes its anonymous and shared memory
   * @param processorSeconds processor time that it had used until then
   */
  public record Point(double seconds, long bytes, double processorSeconds) {}

  /** Copies the list. */
  public ContainerTrace {
    points = List.copyOf(points);
  }
}
