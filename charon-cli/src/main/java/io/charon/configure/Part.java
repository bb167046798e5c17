/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import io.charon.doctor.YarnSite;
import io.charon.nodemanager.config.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of Charon that an operator turns on and off on a node, each by one key. The parts are
 * derived from the keys: each key called {@code NAME.mode} or {@code regulator.NAME.mode} is one.
 *
 * @param label name of the part in commands
 * @param key key that turns it on and off
 */
public record Part(String label, String key) {
  /** The value of the key with which the part acts. */
  public static final String ON = "enforce";

  private static final Pattern KEY = Pattern.compile("mode|(?:regulator\\.)?([a-z-]+)\\.mode");

  /** The part that decides when best-effort containers start: the mode of the whole node. */
  private static final String WHOLE_NODE = "scheduler";

  /** All parts, by their keys. */
  private static List<Part> all() {
    return new TreeMap<>(
            new YarnSite(Optional.empty())
                .configuration()
                .getPropsWithPrefix(SettingsReader.PREFIX))
        .keySet().stream()
            .map(KEY::matcher)
            .filter(Matcher::matches)
            .map(key -> new Part(label(key), SettingsReader.PREFIX + key.group()))
            .toList();
  }

  private static String label(Matcher key) {
    return Optional.ofNullable(key.group(1)).orElse(WHOLE_NODE);
  }

  /** The names of all parts, sorted. */
  public static List<String> labels() {
    return all().stream().map(Part::label).sorted().toList();
  }

  /**
   * Returns the part with a name.
   *
   * @throws IllegalArgumentException if there is none; the message names all parts
   */
  public static Part of(String label) {
    return all().stream()
        .filter(part -> part.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown part '%s': choose from %s"
                        .formatted(label, String.join(", ", labels()))));
  }
}
