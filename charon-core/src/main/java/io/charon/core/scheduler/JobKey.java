/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Locale;
import java.util.Objects;

/**
 * The properties that containers of a recurring job share, so that measured peaks of earlier
 * containers predict those of later ones (Charon paper, section 4.2: history of recurring jobs).
 *
 * @param value opaque text, compared literally; the code that builds it decides which jobs recur
 * @param wider the key of a larger set of jobs, whose peaks are used while too few of this job are
 *     known (our choice); null or empty for none
 */
public record JobKey(String value, String wider) {
  /** Checks that there is a value. */
  public JobKey {
    Objects.requireNonNull(value, "value");
    wider = wider == null ? "" : wider;
  }

  /** Creates a key without a wider one. */
  public JobKey(String value) {
    this(value, "");
  }

  /**
   * Returns the key of a container whose application is not known yet.
   *
   * @param user the user who submitted its application
   * @param priority of the container in its application; MapReduce uses different ones for maps and
   *     reduces
   * @param memoryMebibytes the memory that its application asked for, MiB
   */
  public static JobKey of(String user, String priority, long memoryMebibytes) {
    return new JobKey(
        String.format(
            Locale.ROOT, "user=%s priority=%s memory-mb=%d", user, priority, memoryMebibytes));
  }

  /**
   * Returns the key of the same container once its application is known; this key becomes the wider
   * one.
   *
   * @param queue the application's queue
   * @param name the application's name; parts that change from run to run are ignored
   */
  public JobKey narrowed(String queue, String name) {
    return narrowedTo(NamePattern.shortened(queue), NamePattern.of(name));
  }

  /**
   * Returns the same as {@link #narrowed}, but with the name as it is.
   *
   * @param queue the application's queue
   * @param name a name that all runs of the job have
   */
  public JobKey narrowedTo(String queue, String name) {
    return new JobKey("%s queue=%s name=%s".formatted(value, queue, name), value);
  }

  @Override
  public String toString() {
    return value;
  }
}
