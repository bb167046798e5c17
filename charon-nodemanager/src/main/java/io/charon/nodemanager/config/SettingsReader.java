/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.PauseSettings;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@link CharonSettings} from the NodeManager's configuration. Defaults come from {@code
 * charon-site.xml} in the jar, so that what is documented is what is used. All problems are found
 * in one pass.
 */
public final class SettingsReader {
  /** What every key of Charon on a NodeManager starts with. */
  public static final String PREFIX = "yarn.nodemanager.charon.";

  /** What Charon does on the node. */
  public static final String MODE = PREFIX + "mode";

  /** What enforce was called in the first versions. */
  private static final String ENFORCE_BEFORE = "charon";

  private static final Logger LOG = LoggerFactory.getLogger(SettingsReader.class);

  /** Refuse to start, or start without Charon, when a setting is wrong. */
  static final String FAIL_FAST = PREFIX + "fail-fast";

  /** What an operator changes on this node at run time. */
  private static final String OVERRIDES_FILE = PREFIX + "overrides-file";

  /** What {@code bin/charon stop} and {@code resume} write. */
  public static final String STOP = PREFIX + "stop.";

  /** How often a node asks for a stop of the cluster; the only one of them that stays. */
  static final String STOP_PERIOD = STOP + "cluster-period-ms";

  private static final long MEBIBYTE = 1L << 20;

  private final Keys keys;

  private SettingsReader(Configuration configuration) {
    this.keys = new Keys(configuration);
  }

  /**
   * Reads the settings.
   *
   * @param configuration the NodeManager's
   * @param mechanisms whose keys are read, too
   * @throws SettingsException naming every key that is unknown and every value out of range
   */
  public static CharonSettings read(Configuration configuration, List<MechanismKeys> mechanisms)
      throws SettingsException {
    return new SettingsReader(configuration).read(mechanisms);
  }

  /**
   * Whether the NodeManager shall stop rather than start without Charon; a wrong value means no.
   *
   * @param configuration the NodeManager's
   */
  public static boolean failFast(Configuration configuration) {
    return configuration.getTrimmed(FAIL_FAST, "false").equals("true");
  }

  /**
   * Where the operator changes keys at run time.
   *
   * @param configuration the NodeManager's
   * @return empty if nothing can be changed at run time
   * @throws SettingsException if that is not the path of a properties file
   */
  public static Optional<Path> overridesFile(Configuration configuration) throws SettingsException {
    SettingsReader reader = new SettingsReader(configuration);
    Optional<Path> file = reader.overridesFile();
    if (!reader.keys.problems().isEmpty()) {
      throw new SettingsException(reader.keys.problems(), failFast(configuration));
    }
    return file;
  }

  /** The values that all keys of Charon have, their defaults included. */
  static Map<String, String> values(Configuration configuration) {
    return new Keys(configuration).values();
  }

  private CharonSettings read(List<MechanismKeys> mechanisms) throws SettingsException {
    keys.flag(FAIL_FAST);
    overridesFile();
    Mode mode = mode();
    SchedulerSettings scheduler = SchedulerKeys.read(keys, mode);
    Duration tick = keys.millis(PREFIX + "node.tick-ms", 100, 60_000);
    MemoryBoundary boundary = keys.choice(PREFIX + "node.memory-boundary", MemoryBoundary.class);
    boolean cgroups = keys.flag(PREFIX + "cgroup.enabled");
    Optional<String> cgroupPath = cgroups ? Optional.of(CgroupKeys.path(keys)) : Optional.empty();
    Optional<CpuSplit> cpus = CgroupKeys.cpuSplit(keys, cgroups);
    ProcessSettings processes =
        new ProcessSettings(
            keys.number(PREFIX + "killer.production-oom-score-adj", -1000, 0),
            keys.number(PREFIX + "killer.master-oom-score-adj", -1000, 0),
            keys.flag(PREFIX + "disk.idle-class.enabled"));
    Optional<MasterSettings> masters = MasterSettings.read(keys, mode, cgroups);
    Optional<KernelKillerSettings> kernelKiller = KernelKillerSettings.read(keys, mode, cgroups);
    int threshold = keys.number(PREFIX + "killer.threshold-percent", 0, 90);
    Duration poll = keys.millis(PREFIX + "killer.poll-ms", 1, 10_000);
    boolean preempted = keys.flag(PREFIX + "killer.report-as-preempted");
    PauseSettings pause = PauseKeys.read(keys, cgroups, threshold);
    RegulatorSettings regulators = RegulatorKeys.read(keys, mode, cgroups, mechanisms);
    Optional<AuditSettings> audit = audit();
    Optional<RecordingSettings> recording = recording(mode);
    if (boundary == MemoryBoundary.CGROUP && !cgroups) {
      keys.problem(
          PREFIX + "node.memory-boundary is cgroup, but " + PREFIX + "cgroup.enabled is false");
    }
    stopOrder();
    var unused = stop();
    keys.findUnknownKeys();
    if (!keys.problems().isEmpty()) {
      throw new SettingsException(keys.problems(), failFast(keys.yarn()));
    }
    return new CharonSettings(
        mode,
        scheduler,
        tick,
        boundary,
        cgroupPath,
        LinuxIsolation.of(keys.yarn()),
        keys.flag(PREFIX + "cgroup.every-mode"),
        cpus,
        processes,
        masters,
        kernelKiller,
        threshold,
        poll,
        preempted,
        pause,
        regulators,
        audit,
        recording);
  }

  /**
   * The name of before is understood, so that a node whose yarn-site.xml is older than its jars
   * goes on as it did.
   */
  private Mode mode() {
    if (keys.value(MODE).equals(ENFORCE_BEFORE)) {
      LOG.warn(
          "{} is '{}', which is called 'enforce' now and means the same; write enforce",
          MODE,
          ENFORCE_BEFORE);
      return Mode.ENFORCE;
    }
    return keys.choice(MODE, Mode.class);
  }

  private Optional<AuditSettings> audit() {
    String key = PREFIX + "audit.directory";
    long mostBytes = keys.number(PREFIX + "audit.size-mb", 1, 10_240) * MEBIBYTE;
    return keys.optionalPath(key, "directory")
        .map(directory -> new AuditSettings(directory, mostBytes));
  }

  private Optional<RecordingSettings> recording(Mode mode) {
    String key = PREFIX + "recording.directory";
    long mostBytes = keys.number(PREFIX + "recording.size-mb", 1, 10_240) * MEBIBYTE;
    Optional<Path> directory = keys.optionalPath(key, "directory");
    if (directory.isPresent() && mode == Mode.KUBER) {
      keys.problem(key + " needs " + PREFIX + "mode to be enforce or observe");
    }
    return directory.map(path -> new RecordingSettings(path, mostBytes, keys.values()));
  }

  /**
   * How a node hears of a stop of the cluster.
   *
   * @param configuration the NodeManager's, which {@link #read} found right
   * @return empty if it asks nobody
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
      // Nothing that needs this was asked for: a node without ResourceManager hears of no stop.
      return Optional.empty();
    }
  }

  /** Read by whoever carries it out; what cannot be understood is found here with the rest. */
  private void stopOrder() {
    try {
      var unused = StopOrder.read(keys.values(), STOP);
    } catch (IllegalArgumentException e) {
      keys.problem(e.getMessage());
    }
  }

  /** By its name no other program reads it: root writes there what this configuration names. */
  private Optional<Path> overridesFile() {
    Optional<Path> file = keys.optionalPath(OVERRIDES_FILE, "file");
    if (file.isPresent() && !file.get().getFileName().toString().endsWith(".properties")) {
      keys.wrong(
          OVERRIDES_FILE, keys.value(OVERRIDES_FILE), "a file whose name ends in .properties");
    }
    return file;
  }
}
