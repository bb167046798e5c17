/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Objects;

/**
 * What the containers of a recurring job have in common, so that measured peaks of earlier ones
 * predict the next (Charon paper, section 4.2: history of recurring jobs).
 *
 * @param value opaque text, compared literally; who builds it decides what recurs
 * @param wider the key of more jobs than this one, whose peaks predict while too few of this one
 *     are known (ours); null or empty for none
 */
public record JobKey(String value, String wider) {
  /** Checks that there is a value. */
  public JobKey {
    Objects.requireNonNull(value, "value");
    wider = wider == null ? "" : wider;
  }

  /** A key with no wider one. */
  public JobKey(String value) {
    this(value, "");
  }

  /**
   * The key of a container of whose application nothing is known yet.
   *
   * @param user who submitted its application
   * @param priority of the container in its application; MapReduce gives maps and reduces different
   *     ones
   * @param memoryMebibytes what its application asked for, MiB
   */
  public static JobKey of(String user, String priority, long memoryMebibytes) {
    return new JobKey(
        "user=%s priority=%s memory-mb=%d".formatted(user, priority, memoryMebibytes));
  }

  /**
   * The key of the same container when its application is known; this one is the wider one.
   *
   * @param queue where its application is
   * @param name of its application; what changes from run to run does not count
   */
  public JobKey narrowed(String queue, String name) {
    return narrowedTo(NamePattern.shortened(queue), NamePattern.of(name));
  }

  /**
   * As {@link #narrowed}, where names recur as they are.
   *
   * @param queue where its application is
   * @param name which all runs of its job have
   */
  public JobKey narrowedTo(String queue, String name) {
    return new JobKey("%s queue=%s name=%s".formatted(value, queue, name), value);
  }

  @Override
  public String toString() {
    return value;
  }
}
