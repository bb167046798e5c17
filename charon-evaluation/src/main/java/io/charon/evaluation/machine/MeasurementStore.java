/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Measurements by name, including those of earlier calls if they are kept in a file.
 *
 * @param <T> a measurement that can be written as JSON
 */
public final class MeasurementStore<T> {
  /**
   * What a store holds.
   *
   * @param type class of a measurement
   * @param name what a measurement is called, with its article
   * @param key returns the name of a measurement
   * @param incomparable returns why a measurement cannot be compared with those of this call, and
   *     the cure; empty if it can
   */
  public record Kind<T>(
      Class<T> type,
      String name,
      Function<T, String> key,
      Function<T, Optional<String>> incomparable) {}

  private final Optional<Path> file;
  private final Kind<T> kind;
  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, T> measurements = new LinkedHashMap<>();
  private final List<T> superseded = new ArrayList<>();

  private MeasurementStore(Optional<Path> file, Kind<T> kind) {
    this.file = file;
    this.kind = kind;
  }

  /**
   * Reads the measurements of earlier calls.
   *
   * @param file file with one measurement per line as JSON, created if it is missing; empty:
   *     measurements are not kept
   * @throws IOException if the file holds anything else; the message says which line, and the cure
   */
  public static <T> MeasurementStore<T> open(Optional<Path> file, Kind<T> kind) throws IOException {
    MeasurementStore<T> store = new MeasurementStore<>(file, kind);
    if (file.isPresent() && Files.exists(file.get())) {
      store.read(file.get(), Files.readString(file.get()));
    }
    return store;
  }

  private void read(Path from, String text) throws IOException {
    List<String> lines = text.lines().toList();
    // A call that is ended while it writes leaves a line without its end.
    boolean ended = text.isEmpty() || text.endsWith("\n");
    int complete = lines.size();
    for (int i = 0; i < lines.size(); i++) {
      try {
        T measurement = mapper.readValue(lines.get(i), kind.type());
        Optional<String> incomparable = kind.incomparable().apply(measurement);
        if (incomparable.isPresent()) {
          throw new IOException("%s: line %d is %s".formatted(from, i + 1, incomparable.get()));
        }
        put(measurement);
      } catch (JsonProcessingException e) {
        if (ended || i < lines.size() - 1 || !isBeginning(lines.get(i))) {
          throw new IOException(
              "%s: line %d is not %s: name another file".formatted(from, i + 1, kind.name()), e);
        }
        complete = i;
      }
    }
    if (!ended) {
      Files.write(from, lines.subList(0, complete));
    }
  }

  private void put(T measurement) {
    T before = measurements.put(kind.key().apply(measurement), measurement);
    if (before != null) {
      superseded.add(before);
    }
  }

  /** Returns whether a line can be the beginning of a measurement; a whole document is not. */
  private boolean isBeginning(String line) {
    try {
      mapper.readTree(line);
      return false;
    } catch (JsonProcessingException e) {
      return line.startsWith("{");
    }
  }

  /** Returns a measurement, the last one of that name; empty if it was not made. */
  public Optional<T> of(String key) {
    return Optional.ofNullable(measurements.get(key));
  }

  /** Returns the measurements that a later one of the same name replaced. */
  public List<T> superseded() {
    return List.copyOf(superseded);
  }

  /** Adds a measurement, and appends it to the file. */
  public void add(T measurement) throws IOException {
    put(measurement);
    if (file.isPresent()) {
      Path parent = file.get().toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.writeString(
          file.get(),
          mapper.writeValueAsString(measurement) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
