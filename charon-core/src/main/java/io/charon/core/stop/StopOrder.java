/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An operator's order to stop or resume best-effort.
 *
 * @param action what happens to the running containers; NONE: best-effort is not stopped
 * @param by the user who gave the order, at most {@value #LONGEST_NAME} characters; empty if there
 *     was no order
 * @param since the wall-clock time of the machine on which the order was given; the epoch if there
 *     was no order
 * @param reason the reason, at most {@value #LONGEST_REASON} characters; may be empty
 */
public record StopOrder(StopAction action, String by, Instant since, String reason) {
  /** Maximum length of a user's name, in characters. */
  public static final int LONGEST_NAME = 64;

  /** Maximum length of a reason, in characters. */
  public static final int LONGEST_REASON = 200;

  /** Makes texts of any origin fit for display: one line of at most the allowed length. */
  public StopOrder {
    by = line(by, LONGEST_NAME);
    reason = line(reason, LONGEST_REASON);
  }

  /** Returns the state in which no order was ever given. */
  public static StopOrder never() {
    return new StopOrder(StopAction.NONE, "", Instant.EPOCH, "");
  }

  /** Returns whether best-effort containers must not start. */
  public boolean stops() {
    return action != StopAction.NONE;
  }

  /**
   * Returns which of two orders of different origin applies if both are in force: the harsher one,
   * or the newer one if they are equally harsh.
   */
  public StopOrder harsher(StopOrder other) {
    int harsher = action.compareTo(other.action);
    return harsher > 0 || (harsher == 0 && !other.isNewerThan(this)) ? this : other;
  }

  /** Returns whether this order was given after another one. */
  public boolean isNewerThan(StopOrder other) {
    return since.isAfter(other.since);
  }

  /**
   * Reads an order from keys and values.
   *
   * @param values of a file; other keys are ignored
   * @param keys the order's keys in that file
   * @return {@link #never} if there is none
   * @throws IllegalArgumentException with the key, its value and the allowed values
   */
  public static StopOrder read(Map<String, String> values, StopKeys keys) {
    return new StopOrder(
        action(values.get(keys.action()), keys.action()),
        values.getOrDefault(keys.by(), ""),
        since(values.get(keys.since()), keys.since()),
        values.getOrDefault(keys.reason(), ""));
  }

  /**
   * Returns the order as keys and values, in the form that {@link #read} accepts.
   *
   * @param keys the order's keys where it will be written
   */
  public Map<String, String> values(StopKeys keys) {
    Map<String, String> values = new TreeMap<>();
    values.put(keys.action(), action.label());
    values.put(keys.by(), by);
    values.put(keys.since(), since.toString());
    values.put(keys.reason(), reason);
    return values;
  }

  /** Returns the user and the reason as readable text, without the time. */
  public String origin() {
    return (by.isEmpty() ? "" : " by " + by) + (reason.isEmpty() ? "" : ": " + reason);
  }

  private static StopAction action(String value, String key) {
    if (value == null) {
      return StopAction.NONE;
    }
    return Arrays.stream(StopAction.values())
        .filter(action -> action.label().equals(value.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s is '%s'; it must be one of %s"
                        .formatted(
                            key,
                            line(value, LONGEST_NAME),
                            Arrays.stream(StopAction.values())
                                .map(StopAction::label)
                                .collect(Collectors.joining(", ")))));
  }

  private static Instant since(String value, String key) {
    try {
      return Optional.ofNullable(value)
          .map(String::strip)
          .filter(text -> !text.isEmpty() && !text.equals("never"))
          .map(Instant::parse)
          .orElse(Instant.EPOCH);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is '%s'; it must be a time such as 2026-01-31T12:00:00Z"
              .formatted(key, line(value, LONGEST_NAME)),
          e);
    }
  }

  private static String line(String text, int longest) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() > longest ? line.substring(0, longest) : line;
  }
}
