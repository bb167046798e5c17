/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.stop.StopKeys;
import io.charon.nodemanager.config.SettingsException.FormerNamesException;
import io.charon.web.stop.StopFile;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of a node's settings while it runs: the NodeManager's configuration, overridden by the
 * {@link OverridesFile}. A write to that file triggers reading both again. Not thread-safe, except
 * {@link #state()}.
 */
public final class SettingsSource {
  /**
   * The displayed state of the source.
   *
   * @param file the overrides file; empty if none is configured
   * @param overrides its content when it was last accepted
   * @param readMillis modification time of the file when it was last read, milliseconds since 1970;
   *     0 if the file does not exist
   * @param needRestart keys whose values have changed but take effect only at the next start
   * @param problem why the content read last is not in use, or not as it is written; empty if it is
   */
  public record State(
      Optional<String> file,
      Map<String, String> overrides,
      long readMillis,
      List<String> needRestart,
      Optional<String> problem) {}

  private static final Logger LOG = LoggerFactory.getLogger(SettingsSource.class);

  private final Configuration configuration;
  private final List<MechanismKeys> mechanisms;
  private final Optional<OverridesFile> file;
  private final Map<String, String> started;
  private TrustedProperties.Version read;
  private boolean unread;
  private volatile State state;

  private SettingsSource(
      Configuration configuration,
      List<MechanismKeys> mechanisms,
      Optional<OverridesFile> file,
      TrustedProperties.Version read) {
    this.configuration = configuration;
    this.mechanisms = mechanisms;
    this.file = file;
    this.read = read;
    this.state = state(Map.of(), Optional.empty());
    this.started = new TreeMap<>();
  }

  /** A source together with its initial settings. */
  public record Opened(SettingsSource source, CharonSettings settings) {}

  /**
   * Reads the settings for the first time.
   *
   * @param configuration the NodeManager's configuration
   * @param user the user as which the NodeManager runs
   * @param mechanisms readers of the mechanisms' keys
   * @return settings of mode observe if former names of keys or values are all that is wrong
   * @throws SettingsException naming every unknown key and every value out of range, or why the
   *     overrides file is not trusted
   */
  public static Opened open(
      Configuration configuration, String user, List<MechanismKeys> mechanisms)
      throws SettingsException {
    Optional<OverridesFile> file =
        SettingsReader.overridesFile(configuration).map(path -> new OverridesFile(path, user));
    TrustedProperties.Version version;
    Map<String, String> overrides;
    try {
      version = file.isPresent() ? file.get().version() : TrustedProperties.Version.none();
      overrides = file.isPresent() ? file.get().read() : Map.of();
    } catch (IOException e) {
      throw new SettingsException(List.of(e.getMessage()), SettingsReader.failFast(configuration));
    }
    SettingsSource source = new SettingsSource(configuration, mechanisms, file, version);
    Configuration merged = source.merged(configuration, overrides);
    try {
      CharonSettings settings = SettingsReader.read(merged, mechanisms);
      return source.opened(merged, settings, overrides, Optional.empty());
    } catch (FormerNamesException e) {
      Configuration observing = SettingsReader.observing(merged);
      CharonSettings settings = SettingsReader.read(observing, mechanisms);
      String problem =
          "Charon is in mode %s, because its configuration is older than this version: %s, and restart the NodeManager"
              .formatted(Keys.name(settings.mode()), e.getMessage());
      LOG.error(problem);
      return source.opened(observing, settings, overrides, Optional.of(problem));
    }
  }

  private Opened opened(
      Configuration used,
      CharonSettings settings,
      Map<String, String> overrides,
      Optional<String> problem) {
    started.putAll(SettingsReader.values(used));
    state = state(overrides, problem);
    return new Opened(this, settings);
  }

  /**
   * Returns the file with an operator's order to stop or resume, which is read separately and more
   * often.
   */
  public StopFile stopFile() {
    return new StopFile(
        file.map(Function.identity()),
        StopKeys.NODE,
        configuration.getPropsWithPrefix(SettingsReader.STOP).entrySet().stream()
            .collect(
                Collectors.toMap(
                    entry -> SettingsReader.STOP + entry.getKey(), Map.Entry::getValue)));
  }

  /** Returns how the node learns of a stop of the cluster; empty if it does not ask. */
  public Optional<StopSettings> stopSettings() {
    return SettingsReader.stop(merged(configuration, state.overrides()));
  }

  /** Returns the displayed state. Thread-safe. */
  public State state() {
    return state;
  }

  /**
   * Checks whether the overrides file was written since the last call. A file that could not be
   * read is tried again at each call, because what cures it may change neither its time nor its
   * size.
   *
   * @return the settings that should be in force; empty if the file was not written, or its content
   *     cannot be used
   */
  public Optional<CharonSettings> changed() {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      TrustedProperties.Version version = file.get().version();
      if (version.equals(read) && !unread) {
        return Optional.empty();
      }
      read = version;
      Map<String, String> overrides = file.get().read();
      unread = false;
      Configuration fresh = new Configuration(configuration);
      fresh.reloadConfiguration();
      Configuration merged = merged(fresh, overrides);
      CharonSettings settings = SettingsReader.read(merged, mechanisms);
      state = state(overrides, Optional.empty(), needRestart(SettingsReader.values(merged)));
      return Optional.of(settings);
    } catch (IOException e) {
      unread = true;
      return refused(e);
    } catch (SettingsException | RuntimeException e) {
      // Hadoop reports a yarn-site.xml that is not valid XML as a RuntimeException.
      return refused(e);
    }
  }

  private Optional<CharonSettings> refused(Exception e) {
    state = state(state.overrides(), Optional.of(String.valueOf(e.getMessage())));
    return Optional.empty();
  }

  private State state(Map<String, String> overrides, Optional<String> problem) {
    return state(overrides, problem, state == null ? List.of() : state.needRestart());
  }

  private State state(
      Map<String, String> overrides, Optional<String> problem, List<String> needRestart) {
    return new State(
        file.map(known -> known.path().toString()),
        new TreeMap<>(overrides),
        read.modifiedMillis(),
        needRestart,
        problem);
  }

  private List<String> needRestart(Map<String, String> now) {
    Set<String> live = new Keys(configuration).live();
    return now.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(started.get(entry.getKey())))
        .map(Map.Entry::getKey)
        .filter(key -> !live.contains(key))
        .toList();
  }

  private Configuration merged(Configuration base, Map<String, String> overrides) {
    Configuration merged = new Configuration(base);
    overrides.forEach((key, value) -> merged.set(key, value, file.orElseThrow().path().toString()));
    return merged;
  }
}
