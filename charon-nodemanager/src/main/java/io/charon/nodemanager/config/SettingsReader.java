/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.cpuset.Cores;
import io.charon.core.freeze.PauseSettings;
import io.charon.core.kill.VictimChoice;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.CpuQuotaSettings;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.scheduler.BestEffortRule;
import io.charon.core.scheduler.StartLimit;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.network.NetworkDevice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
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

  private static final String DEFAULTS = "charon-site.xml";

  /** Three keys there say for both daemons which applications are best-effort. */
  private static final String RESOURCE_MANAGER_PREFIX = "yarn.resourcemanager.charon.";

  private static final String BEST_EFFORT_ENABLED = RESOURCE_MANAGER_PREFIX + "best-effort.enabled";

  private static final String RESOURCE_MANAGER_DEFAULTS = "charon-resourcemanager-site.xml";

  /** Not empty: Hadoop drops empty values, and with them the keys. */
  private static final String ALL_CPUS = "all";

  private static final String NONE = "none";
  private static final String AUTO = "auto";

  private static final String SCHEDULER = PREFIX + "scheduler.";
  private static final String PAUSE = PREFIX + "pause.";
  static final String REGULATOR = PREFIX + "regulator.";

  /** The memory limit around best-effort, which may change at run time. */
  static final String MEMORY_LIMIT = PREFIX + "memory-limit.";

  private static final String ALL = "all";
  private static final Pattern SERVICE_RIGHT = Pattern.compile("(.+)=(all|[0-9]{1,15})");

  /** What {@code bin/charon stop} and {@code resume} write. */
  public static final String STOP = PREFIX + "stop.";

  /** How often a node asks for a stop of the cluster; the only one of them that stays. */
  static final String STOP_PERIOD = STOP + "cluster-period-ms";

  private static final long MEBIBYTE = 1L << 20;

  /** Below, a job of one run a day would be known by its last container alone. */
  private static final Duration SHORTEST_HALF_LIFE = Duration.ofMinutes(1);

  private static final Duration LONGEST_HALF_LIFE = Duration.ofDays(3650);

  /** Far beyond what one core can start within any window that is a start. */
  private static final double MOST_STARTS_PER_CORE = 1000;

  private static final double LEAST_KILLS_PER_HOUR = 0.01;
  private static final double MOST_KILLS_PER_HOUR = 1000;

  /** The kernel gives a cgroup no less than 1 ms in each period of 100 ms. */
  private static final double LEAST_CORES = 0.01;

  /** 1 Tbit/s. */
  private static final double MOST_MEGABITS = 1_000_000;

  private static final double BYTES_PER_MEGABIT = 125_000;

  /** More than any machine has. */
  static final int MOST_CORES = 1024;

  /** Segments without "..", and without the characters that a glob cannot close. */
  private static final Pattern CGROUP_PATTERN =
      Pattern.compile("(/(?!\\.{1,2}(/|$))[^/\\\\\\[\\]{}\\p{Cntrl}]+)+");

  /** The only policy under which YARN's queue limit applies. */
  private static final String QUEUE_POLICY = "BY_QUEUE_LEN";

  private final Configuration configuration;
  private final Configuration defaults = new Configuration(false);
  private final List<String> problems = new ArrayList<>();

  private SettingsReader(Configuration configuration) {
    this.configuration = configuration;
    this.defaults.addResource(SettingsReader.class.getResource(DEFAULTS));
  }

  /**
   * Reads the settings.
   *
   * @param configuration the NodeManager's
   * @throws SettingsException naming every key that is unknown and every value out of range
   */
  public static CharonSettings read(Configuration configuration) throws SettingsException {
    return new SettingsReader(configuration).read();
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
    if (!reader.problems.isEmpty()) {
      throw new SettingsException(reader.problems, failFast(configuration));
    }
    return file;
  }

  /** The values that all keys of Charon have, their defaults included. */
  static Map<String, String> values(Configuration configuration) {
    SettingsReader reader = new SettingsReader(configuration);
    Map<String, String> values = new TreeMap<>();
    for (String name : reader.defaults.getPropsWithPrefix(PREFIX).keySet()) {
      values.put(PREFIX + name, reader.value(PREFIX + name));
    }
    return values;
  }

  private CharonSettings read() throws SettingsException {
    flag(FAIL_FAST);
    overridesFile();
    Mode mode = mode();
    SchedulerSettings scheduler = scheduler(mode);
    Duration tick = millis(PREFIX + "node.tick-ms", 100, 60_000);
    MemoryBoundary boundary = choice(PREFIX + "node.memory-boundary", MemoryBoundary.class);
    boolean cgroups = flag(PREFIX + "cgroup.enabled");
    Optional<String> cgroupPath = cgroups ? Optional.of(cgroupPath()) : Optional.empty();
    Optional<CpuSplit> cpus = cpuSplit(cgroups);
    ProcessSettings processes =
        new ProcessSettings(
            number(PREFIX + "killer.production-oom-score-adj", -1000, 0),
            number(PREFIX + "killer.master-oom-score-adj", -1000, 0),
            flag(PREFIX + "disk.idle-class.enabled"));
    Optional<MasterSettings> masters = masters(mode, cgroups);
    Optional<KernelKillerSettings> kernelKiller = kernelKiller(mode, cgroups);
    int threshold = number(PREFIX + "killer.threshold-percent", 0, 90);
    Duration poll = millis(PREFIX + "killer.poll-ms", 1, 10_000);
    boolean preempted = flag(PREFIX + "killer.report-as-preempted");
    PauseSettings pause = pause(cgroups, threshold);
    RegulatorSettings regulators = regulators(mode, cgroups);
    Optional<AuditSettings> audit = audit();
    Optional<RecordingSettings> recording = recording(mode);
    if (boundary == MemoryBoundary.CGROUP && !cgroups) {
      problems.add(
          PREFIX + "node.memory-boundary is cgroup, but " + PREFIX + "cgroup.enabled is false");
    }
    stopOrder();
    var unused = stop();
    findUnknownKeys();
    if (!problems.isEmpty()) {
      throw new SettingsException(problems, failFast(configuration));
    }
    return new CharonSettings(
        mode,
        scheduler,
        tick,
        boundary,
        cgroupPath,
        flag(PREFIX + "cgroup.every-mode"),
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
    if (value(MODE).equals(ENFORCE_BEFORE)) {
      LOG.warn(
          "{} is '{}', which is called 'enforce' now and means the same; write enforce",
          MODE,
          ENFORCE_BEFORE);
      return Mode.ENFORCE;
    }
    return choice(MODE, Mode.class);
  }

  private SchedulerSettings scheduler(Mode mode) {
    int queueLimit = queueLimit(mode);
    checkQueuePolicy(mode);
    return new SchedulerSettings(
        queueLimit,
        choice(SCHEDULER + "queue-order", QueueDiscipline.class),
        millis(SCHEDULER + "queue-aging-ms", 1000, 86_400_000),
        choice(SCHEDULER + "estimate", LaunchEstimate.class),
        decimal(SCHEDULER + "kills-per-hour", LEAST_KILLS_PER_HOUR, MOST_KILLS_PER_HOUR),
        millis(SCHEDULER + "resync-ms", 100, 600_000),
        millis(SCHEDULER + "delay-ms", 0, 600_000),
        new StartLimit(
            decimal(SCHEDULER + "starts-per-core", 0, MOST_STARTS_PER_CORE),
            millis(SCHEDULER + "start-window-ms", 100, 600_000)),
        number(SCHEDULER + "profile-window-samples", 1, 1000),
        number(SCHEDULER + "profile-percentile", 1, 100),
        halfLife(),
        flag(SCHEDULER + "profile-application-names"),
        optionalPath(SCHEDULER + "profile-file", "file"),
        sharing());
  }

  private Optional<SharingSettings> sharing() {
    boolean shared = flag(SCHEDULER + "share-peaks");
    Duration period = millis(SCHEDULER + "share-peaks-period-ms", 1000, 3_600_000);
    if (!shared) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SharingSettings(ResourceManagers.webServers(configuration), period));
    } catch (IllegalArgumentException e) {
      problems.add(SCHEDULER + "share-peaks: " + e.getMessage());
      return Optional.empty();
    }
  }

  private Duration halfLife() {
    String key = SCHEDULER + "profile-half-life-ms";
    long millis = wholeNumber(key, 0, LONGEST_HALF_LIFE.toMillis());
    if (millis > 0 && millis < SHORTEST_HALF_LIFE.toMillis()) {
      problems.add(
          wrong(
              key,
              value(key),
              "0, or a whole number from %d to %d"
                  .formatted(SHORTEST_HALF_LIFE.toMillis(), LONGEST_HALF_LIFE.toMillis())));
    }
    return Duration.ofMillis(millis);
  }

  /** The thresholds stand in the order in which they take effect while memory runs out. */
  private PauseSettings pause(boolean cgroups, int killerPercent) {
    RegulatorMode mode = choice(PAUSE + "mode", RegulatorMode.class);
    String thresholdKey = PAUSE + "threshold-percent";
    String resumeKey = PAUSE + "resume-percent";
    int threshold = number(thresholdKey, 1, 90);
    int resume = number(resumeKey, 1, 95);
    if (mode != RegulatorMode.OFF) {
      if (threshold < killerPercent) {
        problems.add(
            wrong(
                thresholdKey,
                value(thresholdKey),
                "at least killer.threshold-percent (%d), or containers die before they are paused"
                    .formatted(killerPercent)));
      }
      if (resume <= threshold) {
        problems.add(
            wrong(
                resumeKey,
                value(resumeKey),
                "more than pause.threshold-percent (%d)".formatted(threshold)));
      }
      if (!cgroups && mode == RegulatorMode.ENFORCE) {
        problems.add(PAUSE + "mode needs " + PREFIX + "cgroup.enabled to be true");
      }
    }
    return new PauseSettings(mode, threshold, resume, millis(PAUSE + "limit-ms", 1000, 86_400_000));
  }

  private RegulatorSettings regulators(Mode mode, boolean cgroups) {
    RegulatorMode memory = choice(REGULATOR + "memory-mode", RegulatorMode.class);
    RegulatorMode cpu = choice(REGULATOR + "cpu-mode", RegulatorMode.class);
    RegulatorMode cores = choice(REGULATOR + "cores-mode", RegulatorMode.class);
    RegulatorMode network = choice(REGULATOR + "network-mode", RegulatorMode.class);
    String foregroundKey = REGULATOR + "foreground-cgroups";
    List<String> foreground = cgroupPatterns(foregroundKey);
    if (!cgroups) {
      // Who only observes is told by the status what cannot be observed.
      Map<String, Boolean> needCgroups =
          Map.of(
              "cpu-mode", cpu == RegulatorMode.ENFORCE,
              "cores-mode", cores == RegulatorMode.ENFORCE,
              "network-mode", network == RegulatorMode.ENFORCE,
              "foreground-cgroups", !foreground.isEmpty());
      new TreeMap<>(needCgroups)
          .forEach(
              (key, used) -> {
                if (used) {
                  problems.add(REGULATOR + key + " needs " + PREFIX + "cgroup.enabled to be true");
                }
              });
    }
    CpuSignal signal = choice(REGULATOR + "cpu-signal", CpuSignal.class);
    CoresSettings coresSettings = CoresKeys.read(this);
    if (signal == CpuSignal.NONE && coresSettings.waterLine().isEmpty()) {
      problems.add(REGULATOR + "cpu-signal is 'none', which needs " + CoresKeys.WATER_LINE);
    }
    return new RegulatorSettings(
        memory,
        range("memory"),
        cpu,
        signal,
        cpuQuota(),
        choice(REGULATOR + "cpu-limit", CpuLimit.class),
        absolutePath(REGULATOR + "resctrl-group", "the absolute path of a resctrl group"),
        cores,
        coresSettings,
        network,
        range("network"),
        networkDevice(),
        memoryLimit(mode, cgroups),
        CpuBurstSettings.read(this, configuration, mode, cgroups),
        foreground,
        helper());
  }

  /** Without cgroups it is off. */
  private MemoryLimitSettings memoryLimit(Mode mode, boolean cgroups) {
    RegulatorMode wanted = choice(MEMORY_LIMIT + "mode", RegulatorMode.class);
    return new MemoryLimitSettings(
        cgroups ? mode.lower(wanted) : RegulatorMode.OFF,
        choice(MEMORY_LIMIT + "page-cache", PageCachePolicy.class),
        services(),
        number(MEMORY_LIMIT + "system-percent", 0, 50));
  }

  private List<MemoryLimitSettings.Service> services() {
    String key = MEMORY_LIMIT + "services";
    String value = value(key);
    List<MemoryLimitSettings.Service> services = new ArrayList<>();
    if (value.equals(NONE)) {
      return services;
    }
    for (String entry : value.split("\\s*,\\s*", -1)) {
      Matcher service = SERVICE_RIGHT.matcher(entry);
      if (!service.matches() || !CGROUP_PATTERN.matcher(service.group(1)).matches()) {
        problems.add(
            wrong(
                key,
                value,
                "none, or a list of cgroups with bytes or all, such as"
                    + " /system.slice/postgresql*.service=all"));
        return List.of();
      }
      services.add(
          new MemoryLimitSettings.Service(
              service.group(1),
              service.group(2).equals(ALL) ? Holder.ALL : Long.parseLong(service.group(2))));
    }
    return services;
  }

  private Path helper() {
    String key = REGULATOR + "helper";
    String helper = value(key);
    if (!helper.startsWith("/") || helper.indexOf(0) >= 0) {
      problems.add(wrong(key, helper, "the absolute path of the program ua-killer"));
      return Path.of("/");
    }
    return Path.of(helper);
  }

  private NetworkSettings networkDevice() {
    String deviceKey = REGULATOR + "network-device";
    String device = value(deviceKey);
    boolean chosen = !device.equals(AUTO);
    if (!NetworkDevice.isName(device)) {
      problems.add(wrong(deviceKey, device, "auto, or the name of a network device such as eth0"));
    }
    String linkKey = REGULATOR + "network-link-mbit";
    OptionalDouble link =
        value(linkKey).equals(AUTO)
            ? OptionalDouble.empty()
            : OptionalDouble.of(decimal(linkKey, 1, MOST_MEGABITS) * BYTES_PER_MEGABIT);
    return new NetworkSettings(
        Optional.of(device).filter(name -> chosen),
        link,
        choice(REGULATOR + "network-limit", NetworkLimit.class));
  }

  private RangeSettings range(String regulator) {
    return new RangeSettings(
        millis(REGULATOR + regulator + "-window-ms", 1000, 86_400_000),
        decimal(REGULATOR + regulator + "-std-factor", 0, 100));
  }

  private CpuQuotaSettings cpuQuota() {
    double minimum = decimal(REGULATOR + "cpu-minimum-cores", LEAST_CORES, MOST_CORES);
    double maximum = decimal(REGULATOR + "cpu-maximum-cores", LEAST_CORES, MOST_CORES);
    String startKey = REGULATOR + "cpu-start-cores";
    double start = decimal(startKey, LEAST_CORES, MOST_CORES);
    if (maximum < minimum || start < minimum || start > maximum) {
      problems.add(
          wrong(
              startKey,
              value(startKey),
              "from %scpu-minimum-cores (%s) to %1$scpu-maximum-cores (%s)"
                  .formatted(REGULATOR, minimum, maximum)));
      maximum = Math.max(minimum, maximum);
      start = minimum;
    }
    return CpuQuotaSettings.ofThePaper(
        range("cpu"), CpuQuotaSettings.Worse.HIGHER, minimum, maximum, start);
  }

  private Optional<AuditSettings> audit() {
    String key = PREFIX + "audit.directory";
    long mostBytes = number(PREFIX + "audit.size-mb", 1, 10_240) * MEBIBYTE;
    return optionalPath(key, "directory").map(directory -> new AuditSettings(directory, mostBytes));
  }

  private Optional<RecordingSettings> recording(Mode mode) {
    String key = PREFIX + "recording.directory";
    long mostBytes = number(PREFIX + "recording.size-mb", 1, 10_240) * MEBIBYTE;
    Optional<Path> directory = optionalPath(key, "directory");
    if (directory.isPresent() && mode == Mode.KUBER) {
      problems.add(key + " needs " + PREFIX + "mode to be enforce or observe");
    }
    return directory.map(path -> new RecordingSettings(path, mostBytes, values(configuration)));
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
    int periodMillis = number(STOP_PERIOD, 0, 60_000);
    if (periodMillis > 0 && periodMillis < 1000) {
      problems.add(
          wrong(STOP_PERIOD, value(STOP_PERIOD), "0, or a whole number from 1000 to 60000"));
    }
    try {
      return periodMillis == 0
          ? Optional.empty()
          : Optional.of(
              new StopSettings(
                  ResourceManagers.webServers(configuration),
                  Duration.ofMillis(periodMillis),
                  RecoveryFile.of(configuration, "charon-cluster-stop.properties")));
    } catch (IllegalArgumentException noAddress) {
      // Nothing that needs this was asked for: a node without ResourceManager hears of no stop.
      return Optional.empty();
    }
  }

  /** Read by whoever carries it out; what cannot be understood is found here with the rest. */
  private void stopOrder() {
    try {
      var unused = StopOrder.read(values(configuration), STOP);
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
  }

  /** By its name no other program reads it: root writes there what this configuration names. */
  private Optional<Path> overridesFile() {
    Optional<Path> file = optionalPath(OVERRIDES_FILE, "file");
    if (file.isPresent() && !file.get().getFileName().toString().endsWith(".properties")) {
      problems.add(
          wrong(OVERRIDES_FILE, value(OVERRIDES_FILE), "a file whose name ends in .properties"));
    }
    return file;
  }

  /** None, or an absolute path below the root. */
  private Optional<Path> optionalPath(String key, String what) {
    String value = value(key);
    if (value.equals(NONE)) {
      return Optional.empty();
    }
    Optional<Path> path =
        Optional.of(value)
            .filter(text -> text.startsWith("/") && text.indexOf(0) < 0)
            .map(Path::of)
            .filter(absolute -> absolute.getNameCount() > 0);
    if (path.isEmpty()) {
      problems.add(wrong(key, value, "none, or the absolute path of a " + what));
    }
    return path;
  }

  /** A baseline has none; where nothing is enforced it is known and kills nobody. */
  private Optional<KernelKillerSettings> kernelKiller(Mode mode, boolean cgroups) {
    boolean enabled = flag(PREFIX + "killer.kernel-enabled");
    KernelKillerSettings settings =
        new KernelKillerSettings(
            absolutePath(PREFIX + "killer.socket", "the absolute path of a socket"),
            millis(PREFIX + "killer.cgth-time-ms", 0, 600_000),
            choice(PREFIX + "killer.victim-policy", VictimChoice.Policy.class),
            millis(PREFIX + "killer.owed-time-ms", 0, 600_000),
            cgroupPatterns(PREFIX + "killer.watched-cgroups"));
    return enabled && cgroups && mode != Mode.KUBER ? Optional.of(settings) : Optional.empty();
  }

  private Path absolutePath(String key, String allowed) {
    String value = value(key);
    if (!value.startsWith("/") || value.indexOf(0) >= 0) {
      problems.add(wrong(key, value, allowed));
      return Path.of("/");
    }
    return Path.of(value);
  }

  private List<String> cgroupPatterns(String key) {
    String value = value(key);
    if (value.equals(NONE)) {
      return List.of();
    }
    List<String> patterns = Arrays.asList(value.split("\\s*,\\s*", -1));
    for (String pattern : patterns) {
      if (!CGROUP_PATTERN.matcher(pattern).matches()) {
        problems.add(
            wrong(
                key,
                value,
                "none, or a list of cgroups such as /system.slice/postgresql*.service"));
        return List.of();
      }
    }
    return patterns;
  }

  private int queueLimit(Mode mode) {
    String key = YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH;
    String value =
        configuration.getTrimmed(
            key,
            Integer.toString(
                YarnConfiguration.DEFAULT_NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH));
    int limit;
    try {
      limit = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      problems.add(wrong(key, value, "a whole number"));
      return 0;
    }
    if (mode.acts() && limit < 1) {
      problems.add(
          key
              + " is '"
              + limit
              + "': no best-effort container could ever start; set it to 1 or more (paper: 5), and"
              + " the ResourceManager's "
              + YarnConfiguration.NM_CONTAINER_QUEUING_MIN_QUEUE_LENGTH
              + " and "
              + YarnConfiguration.NM_CONTAINER_QUEUING_MAX_QUEUE_LENGTH
              + " to the same");
    }
    return limit;
  }

  /** The other policy limits the queue by reserved memory, of which Charon reports none. */
  private void checkQueuePolicy(Mode mode) {
    String key = YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_QUEUE_POLICY;
    String policy = configuration.getTrimmed(key, QUEUE_POLICY);
    if (mode.acts() && !policy.equals(QUEUE_POLICY)) {
      problems.add(wrong(key, policy, QUEUE_POLICY + ", or the queue has no limit"));
    }
  }

  private String cgroupPath() {
    String path = value(PREFIX + "cgroup.path");
    try {
      CgroupLayout.checkNodePath(path);
    } catch (CgroupException e) {
      problems.add(e.getMessage());
    }
    return path;
  }

  private Optional<CpuSplit> cpuSplit(boolean cgroups) {
    String productionKey = PREFIX + "cgroup.production-cpus";
    String bestEffortKey = PREFIX + "cgroup.best-effort-cpus";
    String production = value(productionKey);
    String bestEffort = value(bestEffortKey);
    if (production.equals(ALL_CPUS) && bestEffort.equals(ALL_CPUS)) {
      return Optional.empty();
    }
    if (production.equals(ALL_CPUS) || bestEffort.equals(ALL_CPUS)) {
      problems.add(
          (production.equals(ALL_CPUS) ? productionKey : bestEffortKey)
              + " is 'all' while the other side's CPUs are given; give both lists or none");
      return Optional.empty();
    }
    if (!cgroups) {
      problems.add(productionKey + " needs " + PREFIX + "cgroup.enabled to be true");
    }
    boolean valid = isCpuList(productionKey, production);
    valid = isCpuList(bestEffortKey, bestEffort) && valid;
    return valid ? Optional.of(new CpuSplit(production, bestEffort)) : Optional.empty();
  }

  /** For mode enforce only: the others are baselines, or leave YARN as it is. */
  private Optional<MasterSettings> masters(Mode mode, boolean cgroups) {
    int percent = number(PREFIX + "cgroup.best-effort-master-weight-percent", 1, 100);
    BestEffortRule rule =
        new BestEffortRule(
            resourceManagerNames("best-effort.tags"), resourceManagerNames("best-effort.queues"));
    boolean enabled = configuration.getTrimmed(BEST_EFFORT_ENABLED, "false").equals("true");
    return percent < 100 && enabled && cgroups && mode == Mode.ENFORCE
        ? Optional.of(new MasterSettings(percent, rule))
        : Optional.empty();
  }

  /** As the ResourceManager reads them. */
  private Set<String> resourceManagerNames(String key) {
    String full = RESOURCE_MANAGER_PREFIX + key;
    Configuration source = configuration;
    if (configuration.getRaw(full) == null) {
      source = new Configuration(false);
      source.addResource(SettingsReader.class.getResource(RESOURCE_MANAGER_DEFAULTS));
    }
    return Arrays.stream(source.getTrimmedStrings(full))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isCpuList(String key, String list) {
    try {
      if (!Cores.parse(list).isEmpty()) {
        return true;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the one message that says what is allowed.
    }
    problems.add(wrong(key, list, "all, or a list of CPUs such as 0-3,8"));
    return false;
  }

  private String value(String key) {
    String fallback = defaults.get(key, "");
    return configuration.getTrimmed(key, fallback).trim();
  }

  boolean flag(String key) {
    String value = value(key);
    if (!value.equals("true") && !value.equals("false")) {
      problems.add(wrong(key, value, "true or false"));
    }
    return value.equals("true");
  }

  Duration millis(String key, int minimum, int maximum) {
    return Duration.ofMillis(number(key, minimum, maximum));
  }

  int number(String key, int minimum, int maximum) {
    return Math.toIntExact(wholeNumber(key, minimum, maximum));
  }

  private long wholeNumber(String key, long minimum, long maximum) {
    String value = value(key);
    String allowed = "a whole number from " + minimum + " to " + maximum;
    try {
      long number = Long.parseLong(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the one message that says what is allowed.
    }
    problems.add(wrong(key, value, allowed));
    return minimum;
  }

  double decimal(String key, double minimum, double maximum) {
    String value = value(key);
    try {
      double number = Double.parseDouble(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the one message that says what is allowed.
    }
    problems.add(wrong(key, value, "a number from " + minimum + " to " + maximum));
    return minimum;
  }

  <E extends Enum<E>> E choice(String key, Class<E> type) {
    String value = value(key);
    E[] choices = type.getEnumConstants();
    for (E choice : choices) {
      if (name(choice).equals(value)) {
        return choice;
      }
    }
    String allowed =
        Arrays.stream(choices).map(SettingsReader::name).collect(Collectors.joining(", "));
    problems.add(wrong(key, value, "one of " + allowed));
    return choices[0];
  }

  private static String name(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void findUnknownKeys() {
    List<String> known =
        defaults.getPropsWithPrefix(PREFIX).keySet().stream().map(PREFIX::concat).toList();
    for (Map.Entry<String, String> entry : configuration.getPropsWithPrefix(PREFIX).entrySet()) {
      String key = PREFIX + entry.getKey();
      if (!known.contains(key)) {
        problems.add(
            key
                + " (value '"
                + entry.getValue()
                + "') is not a key of Charon; did you mean "
                + nearest(key, known)
                + "?");
      }
    }
  }

  private static String nearest(String key, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance.apply(key, candidate)))
        .orElseThrow();
  }

  private static String wrong(String key, String value, String allowed) {
    return key + " is '" + value + "'; it must be " + allowed;
  }
}
