/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.FreezeSettings;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.CharonSettings.AuditSettings;
import io.charon.nodemanager.config.CharonSettings.MemoryBoundary;
import io.charon.nodemanager.config.CharonSettings.ProcessSettings;
import io.charon.nodemanager.config.CharonSettings.RecordingSettings;
import io.charon.nodemanager.config.SettingsException.FormerNamesException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads {@link CharonSettings} from the NodeManager's configuration. Defaults come from {@code
 * charon-site.xml} in the jar, so that the documented defaults are the ones in use. One pass finds
 * all problems.
 */
public final class SettingsReader {
  /** Common prefix of all keys of Charon on a NodeManager. */
  public static final String PREFIX = "yarn.nodemanager.charon.";

  /** Key of the mode of the node. */
  public static final String MODE = "yarn.nodemanager.charon.mode";

  /**
   * Key that decides whether the NodeManager refuses to start, or starts without Charon, if a
   * setting is wrong.
   */
  public static final String FAIL_FAST = "yarn.nodemanager.charon.fail-fast";

  /** Key of the period of the ticks. */
  public static final String TICK = "yarn.nodemanager.charon.node.tick-ms";

  /** Key of the memory that counts as the node's. */
  public static final String MEMORY_BOUNDARY = "yarn.nodemanager.charon.node.memory-boundary";

  /** Key of the file in which an operator changes keys of this node at run time. */
  public static final String OVERRIDES_FILE = "yarn.nodemanager.charon.overrides-file";

  /** Common prefix of the keys that {@code bin/charon stop} and {@code resume} write. */
  public static final String STOP = "yarn.nodemanager.charon.stop.";

  /**
   * Key of the period at which a node asks for a stop of the cluster; the only key with this prefix
   * that is not part of an order.
   */
  public static final String STOP_PERIOD = "yarn.nodemanager.charon.stop.cluster.period-ms";

  /** Key of the free memory below which the user-space killer acts. */
  public static final String KILLER_THRESHOLD = "yarn.nodemanager.charon.killer.threshold-percent";

  /** Key of the polling period of the user-space killer. */
  public static final String KILLER_POLL = "yarn.nodemanager.charon.killer.poll-ms";

  /** Key that decides whether best-effort uses the disk only while no other process waits. */
  public static final String IDLE_DISK = "yarn.nodemanager.charon.disk.idle-class.enabled";

  /** Key of the directory of the audit log. */
  public static final String AUDIT_DIRECTORY = "yarn.nodemanager.charon.audit.directory";

  private static final long MEBIBYTE = 1L << 20;

  private final Keys keys;

  private SettingsReader(Configuration configuration) {
    this.keys = new Keys(configuration);
  }

  /**
   * Reads the settings.
   *
   * @param configuration the NodeManager's configuration
   * @param mechanisms readers of the mechanisms' keys
   * @throws FormerNamesException if former names are all that is wrong
   * @throws SettingsException naming every unknown key and every value out of range
   */
  public static CharonSettings read(Configuration configuration, List<MechanismKeys> mechanisms)
      throws SettingsException {
    return new SettingsReader(configuration).read(mechanisms);
  }

  /**
   * Returns whether the NodeManager must stop instead of starting without Charon; an invalid value
   * means no.
   *
   * @param configuration the NodeManager's configuration
   */
  public static boolean failFast(Configuration configuration) {
    return configuration.getTrimmed(FAIL_FAST, "false").equals("true");
  }

  /**
   * Returns the file in which the operator changes keys at run time.
   *
   * @param configuration the NodeManager's configuration
   * @return empty if keys cannot be changed at run time
   * @throws SettingsException if the value is not the path of a properties file
   */
  public static Optional<Path> overridesFile(Configuration configuration) throws SettingsException {
    SettingsReader reader = new SettingsReader(configuration);
    Optional<Path> file = reader.overridesFile();
    if (!reader.keys.problems().isEmpty()) {
      throw new SettingsException(reader.keys.problems(), failFast(configuration));
    }
    return file;
  }

  /** Returns the values of all keys of Charon, including defaults. */
  static Map<String, String> values(Configuration configuration) {
    return new Keys(configuration).values();
  }

  private CharonSettings read(List<MechanismKeys> mechanisms) throws SettingsException {
    keys.flag(FAIL_FAST);
    overridesFile();
    Mode mode = mode();
    SchedulerSettings scheduler = SchedulerKeys.read(keys, mode);
    boolean cgroups = keys.flag(CgroupKeys.ENABLED);
    CharonSettings.Sensors sensors =
        new CharonSettings.Sensors(
            keys.millis(TICK, 100, 60_000), keys.choice(MEMORY_BOUNDARY, MemoryBoundary.class));
    CharonSettings.Placement placement = placement(mode, cgroups);
    CharonSettings.Killers killers =
        new CharonSettings.Killers(
            KernelKillerSettings.read(keys, cgroups),
            keys.number(KILLER_THRESHOLD, 0, 90),
            keys.millis(KILLER_POLL, 1, 10_000),
            keys.flag("yarn.nodemanager.charon.killer.report-as-preempted.enabled"));
    FreezeSettings freeze = FreezeKeys.read(keys, cgroups, killers.thresholdPercent());
    RegulatorSettings regulators =
        RegulatorKeys.read(keys, mode, cgroups, sensors.tick(), mechanisms);
    CharonSettings.Logs logs = new CharonSettings.Logs(audit(), recording(mode));
    if (sensors.memoryBoundary() == MemoryBoundary.CGROUP && !cgroups) {
      keys.problem(MEMORY_BOUNDARY + " is cgroup, but " + CgroupKeys.ENABLED + " is false");
    }
    stopOrder();
    var unused = stop();
    keys.findUnknownKeys();
    refuseProblems();
    return new CharonSettings(
        mode, scheduler, sensors, placement, killers, freeze, regulators, logs);
  }

  private void refuseProblems() throws SettingsException {
    boolean failFast = failFast(keys.yarn());
    List<String> formerNames = keys.formerNames();
    if (keys.problems().isEmpty() && !formerNames.isEmpty() && !failFast) {
      throw new FormerNamesException(formerNames);
    }
    List<String> problems = Stream.concat(keys.problems().stream(), formerNames.stream()).toList();
    if (!problems.isEmpty()) {
      throw new SettingsException(problems, failFast);
    }
  }

  /**
   * Returns a configuration without its former names, with which the node observes, or does nothing
   * if its mode is {@code off}.
   */
  static Configuration observing(Configuration configuration) {
    Configuration observing = new Configuration(configuration);
    RenamedKeys.formerNames().forEach(name -> observing.unset(PREFIX + name));
    if (!new Keys(configuration).value(MODE).equals(Keys.name(Mode.OFF))) {
      observing.set(MODE, Keys.name(Mode.OBSERVE));
    }
    return observing;
  }

  private CharonSettings.Placement placement(Mode mode, boolean cgroups) {
    return new CharonSettings.Placement(
        cgroups ? Optional.of(CgroupKeys.path(keys)) : Optional.empty(),
        LinuxIsolation.of(keys.yarn()),
        keys.flag(CgroupKeys.EVERY_MODE),
        CgroupKeys.cpuSplit(keys, cgroups),
        new ProcessSettings(
            keys.number("yarn.nodemanager.charon.killer.production-oom-score-adj", -1000, 0),
            keys.number("yarn.nodemanager.charon.killer.master-oom-score-adj", -1000, 0),
            keys.flag(IDLE_DISK)),
        MasterSettings.read(keys, mode, cgroups));
  }

  private Mode mode() {
    Optional<Mode> renamed =
        switch (keys.value(MODE)) {
          case "charon" -> Optional.of(Mode.ENFORCE);
          case "kuber" -> Optional.of(Mode.THRESHOLD);
          default -> Optional.empty();
        };
    if (renamed.isPresent()) {
      keys.formerName(
          MODE,
          "has a value that is now named %s: set that value instead"
              .formatted(renamed.get().name().toLowerCase(Locale.ROOT)));
      return Mode.OBSERVE;
    }
    return keys.choice(MODE, Mode.class);
  }

  private Optional<AuditSettings> audit() {
    long mostBytes = keys.number("yarn.nodemanager.charon.audit.size-mb", 1, 10_240) * MEBIBYTE;
    return keys.optionalPath(AUDIT_DIRECTORY, "directory")
        .map(directory -> new AuditSettings(directory, mostBytes));
  }

  private Optional<RecordingSettings> recording(Mode mode) {
    String key = "yarn.nodemanager.charon.recording.directory";
    long mostBytes = keys.number("yarn.nodemanager.charon.recording.size-mb", 1, 10_240) * MEBIBYTE;
    Optional<Path> directory = keys.optionalPath(key, "directory");
    if (directory.isPresent() && mode == Mode.THRESHOLD) {
      keys.problem(key + " needs " + MODE + " to be enforce or observe");
    }
    return directory.map(path -> new RecordingSettings(path, mostBytes, keys.values()));
  }

  /**
   * Reads how a node learns of a stop of the cluster.
   *
   * @param configuration the NodeManager's configuration, already validated by {@link #read}
   * @return empty if the node does not ask
   */
  static Optional<StopSettings> stop(Configuration configuration) {
    return new SettingsReader(configuration).stop();
  }

  private Optional<StopSettings> stop() {
    int periodMillis = keys.number(STOP_PERIOD, 0, 60_000);
    if (periodMillis > 0 && periodMillis < 1000) {
      keys.wrong(STOP_PERIOD, keys.value(STOP_PERIOD), "0, or a whole number from 1000 to 60000");
    }
    try {
      return periodMillis == 0
          ? Optional.empty()
          : Optional.of(
              new StopSettings(
                  ResourceManagers.webServers(keys.yarn()),
                  Duration.ofMillis(periodMillis),
                  RecoveryFile.of(keys.yarn(), "charon-cluster-stop.properties")));
    } catch (IllegalArgumentException noAddress) {
      // Not a problem: no setting depends on it, and a node without ResourceManager learns of no
      // stop.
      return Optional.empty();
    }
  }

  /**
   * Validates the stop order so that its problems are reported with the others; it is read again
   * where it is carried out.
   */
  private void stopOrder() {
    try {
      var unused = StopOrder.read(keys.values(), StopKeys.NODE);
    } catch (IllegalArgumentException e) {
      keys.problem(e.getMessage());
    }
  }

  /**
   * Requires the suffix .properties, so that no other program reads the file: root writes to the
   * path that this configuration names.
   */
  private Optional<Path> overridesFile() {
    Optional<Path> file = keys.optionalPath(OVERRIDES_FILE, "file");
    if (file.isPresent() && !file.get().getFileName().toString().endsWith(".properties")) {
      keys.wrong(
          OVERRIDES_FILE, keys.value(OVERRIDES_FILE), "a file whose name ends in .properties");
    }
    return file;
  }
}
