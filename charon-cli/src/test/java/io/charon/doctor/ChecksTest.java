/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import static io.charon.doctor.CheckStatus.DEGRADED;
import static io.charon.doctor.CheckStatus.MISSING;
import static io.charon.doctor.CheckStatus.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import io.charon.killer.client.KernelTier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {
  private static final String LCE_GROUP =
      "yarn.nodemanager.linux-container-executor.group=hadoop\n";
  private static final String MEMORY_LIMIT_MODE = "yarn.nodemanager.charon.memory-limit.mode";

  @TempDir private Path directory;
  private FakeMachine machine;

  @BeforeEach
  void emptyMachine() {
    machine = new FakeMachine(directory);
  }

  @ParameterizedTest
  @CsvSource({"11,MISSING", "17,OK", "21,DEGRADED", "22,DEGRADED", "23,MISSING"})
  void jdk17IsPreferredAndVersionsThatHadoopDoesNotSupportAreRefused(
      int feature, CheckStatus status) {
    machine.program("jdk/bin/javac");
    assertThat(new JdkCheck(feature, machine.path("jdk"), true).run().status()).isEqualTo(status);
  }

  @Test
  void javaWithoutCompilerCanRunCharonAndNotBuildIt() {
    assertThat(new JdkCheck(17, machine.path("jre"), false).run().status()).isEqualTo(OK);
    CheckResult result = new JdkCheck(17, machine.path("jre"), true).run();
    assertThat(result.status()).isEqualTo(MISSING);
    assertThat(result.detail()).contains("no compiler");
    assertThat(result.cure()).contains("openjdk-17-jdk-headless");
  }

  @Test
  void meminfoWithoutMemAvailableIsMissing() {
    machine.file("proc/meminfo", "MemTotal: 1024 kB\n");
    assertThat(new ProcCheck(machine.kernel()).run().status()).isEqualTo(MISSING);
    machine.availableMebibytes(1);
    assertThat(new ProcCheck(machine.kernel()).run().status()).isEqualTo(OK);
  }

  @Test
  void programIsFoundOnlyIfExecutable() {
    machine.file("bin/mvn", "");
    Check check = new ProgramCheck(finder(), "Maven", "mvn", "builds", "maven");
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().cure()).isEqualTo("apt-get install -y maven");
    machine.program("bin/mvn");
    assertThat(check.run()).isEqualTo(CheckResult.ok("Maven", machine.path("bin/mvn").toString()));
  }

  @Test
  void version1ControllersComeFromTheMounts() {
    machine
        .mount("cgroup", "cg/memory", "rw,memory")
        .mount("cgroup", "cg/cpu,cpuacct", "rw,cpu,cpuacct")
        .mount("cgroup2", "cg/unified", "rw");
    CheckResult result = new CgroupControllersCheck(machine.kernel()).run();
    assertThat(result.status()).isEqualTo(DEGRADED);
    assertThat(result.detail()).contains("version 1").endsWith("not available: cpuset, freezer");
    machine.mount("cgroup", "cg/cpuset", "rw,cpuset").mount("cgroup", "cg/freezer", "rw,freezer");
    assertThat(new CgroupControllersCheck(machine.kernel()).run().status()).isEqualTo(OK);
  }

  @Test
  void version2ControllersComeFromItsRootAndFreezerIsBuiltIn() {
    machine
        .mount("cgroup2", "cg", "rw")
        .file("cg/cgroup.controllers", "cpuset cpu io memory pids\n");
    CheckResult result = new CgroupControllersCheck(machine.kernel()).run();
    assertThat(result.status()).isEqualTo(OK);
    assertThat(result.detail()).contains("version 2");
    machine.file("cg/cgroup.controllers", "cpu memory\n");
    assertThat(new CgroupControllersCheck(machine.kernel()).run().detail())
        .endsWith("not available: cpuset");
  }

  @Test
  void withoutMemoryControllerCgroupsAreMissing() {
    machine.mount("cgroup2", "cg", "rw").file("cg/cgroup.controllers", "cpu\n");
    assertThat(new CgroupControllersCheck(machine.kernel()).run().status()).isEqualTo(MISSING);
    assertThat(cgroupWrite("0::/charon/probe\n").run().status()).isEqualTo(MISSING);
  }

  @Test
  void startsWaitForTheKernelUnlessAHierarchyFavorsMoves() {
    assertThat(starts().detail()).isEqualTo("containers enter no cgroup");
    machine
        .mount("cgroup", "cg/memory", "rw,memory")
        .mount("cgroup2", "cg/unified", "rw")
        .file("proc/sys/kernel/osrelease", "6.0.0-1\n");
    assertThat(starts().status()).isEqualTo(DEGRADED);
    assertThat(starts().cure())
        .startsWith("mount -o remount,favordynmods " + machine.path("cg/unified"));
    machine.file("proc/sys/kernel/osrelease", "5.19.17\n");
    assertThat(starts().status()).isEqualTo(OK);
    machine
        .file("proc/sys/kernel/osrelease", "6.18.1\n")
        .mount("cgroup", "cg/pids", "rw,pids,favordynmods");
    assertThat(starts())
        .isEqualTo(
            CheckResult.ok(
                "container starts", machine.path("cg/pids") + " is mounted with favordynmods"));
  }

  private CheckResult starts() {
    return new ContainerStartCheck(machine.kernel()).run();
  }

  @Test
  void cgroupPermissionIsTestedInCharonsCgroupAndLeavesNothingBehind() throws IOException {
    machine.mount("cgroup", "cg/memory", "rw,memory").mount("cgroup", "cg/cpu", "rw,cpu");
    Files.createDirectories(machine.path("cg/memory/charon"));
    CheckResult result = cgroupWrite("0::/charon/probe\n").run();
    assertThat(result.status()).isEqualTo(OK);
    assertThat(result.detail())
        .isEqualTo(
            "user yarn may create cgroups in %s, %s, and move processes of this cgroup into them"
                .formatted(machine.path("cg/memory/charon"), machine.path("cg/cpu")));
    assertThat(machine.path("cg/memory/charon")).isEmptyDirectory();
    assertThat(machine.path("cg/cpu")).isEmptyDirectory();
  }

  @Test
  void aProcessThatCannotEnterTheCgroupIsReportedAsMissingPermission() throws IOException {
    machine.mount("cgroup2", "cg", "rw").file("cg/cgroup.controllers", "memory cpu cpuset\n");
    Files.createDirectories(machine.path("cg/charon"));
    CheckResult elsewhere = cgroupWrite("0::/user.slice\n").run();
    assertThat(elsewhere.status()).isEqualTo(MISSING);
    assertThat(elsewhere.detail()).contains("was not moved", "0::/user.slice");

    FakeProbe refusing = new FakeProbe(0, 0);
    CheckResult refused =
        new CgroupWriteCheck(machine.kernel(), "/charon", "probe", () -> refusing, "yarn").run();
    assertThat(refused.status()).isEqualTo(MISSING);
    assertThat(refused.detail())
        .contains("on cgroup v2 this needs write access to cgroup.procs of the common ancestor");
    assertThat(refused.cure())
        .startsWith("as root: ua-killer tree add /charon --user yarn; start the NodeManager in");
    assertThat(refusing.closed).isTrue();
    assertThat(machine.path("cg/charon")).isEmptyDirectory();
  }

  private CgroupWriteCheck cgroupWrite(String arrivedIn) {
    FakeProbe probe = new FakeProbe(0, 0);
    probe.arrivedIn = Optional.of(arrivedIn);
    return new CgroupWriteCheck(machine.kernel(), "/charon", "probe", () -> probe, "yarn");
  }

  @Test
  void aVersion1CpusetGetsProcessorsBeforeAProcessEntersIt() throws IOException {
    machine.mount("cgroup", "cg/cpuset", "rw,memory,cpuset");
    machine.file("cg/cpuset/cpuset.cpus", "0-1\n");
    machine.file("cg/cpuset/cpuset.mems", "0\n");
    Path cpus = machine.path("cg/cpuset/probe/cpuset.cpus");
    Path mems = machine.path("cg/cpuset/probe/cpuset.mems");
    List<String> given = new ArrayList<>();
    FakeProbe probe =
        new FakeProbe(0, 0) {
          @Override
          public String enter(Path cgroup) throws IOException {
            for (Path file : List.of(cpus, mems)) {
              given.add(Files.readString(file).strip());
              Files.delete(file);
            }
            return "4:cpuset:/probe\n";
          }
        };
    CheckResult result =
        new CgroupWriteCheck(
                machine.kernel(),
                "/charon",
                "probe",
                () -> {
                  machine.file("cg/cpuset/probe/cpuset.cpus", "\n");
                  machine.file("cg/cpuset/probe/cpuset.mems", "\n");
                  return probe;
                },
                "yarn")
            .run();
    assertThat(result.status()).as(result.detail()).isEqualTo(OK);
    assertThat(given).containsExactly("0-1", "0");
  }

  @Test
  void refusedCgroupNamesTheDirectoryAndTheReason() throws IOException {
    machine.mount("cgroup", "cg/memory", "rw,memory");
    Files.createDirectories(machine.path("cg/memory/probe"));
    CheckResult result = cgroupWrite("0::/charon/probe\n").run();
    assertThat(result.status()).isEqualTo(MISSING);
    assertThat(result.detail()).contains(machine.path("cg/memory").toString());
    assertThat(machine.path("cg/memory/probe")).isDirectory();
  }

  @ParameterizedTest
  @CsvSource({"-999,1000,OK", "0,1000,DEGRADED", "0,0,MISSING"})
  void oomScoreIsRaisedAndLoweredAsATrial(int lowest, int highest, CheckStatus status) {
    FakeProbe probe = new FakeProbe(lowest, highest);
    assertThat(new OomScoreCheck(() -> probe).run().status()).isEqualTo(status);
    assertThat(probe.closed).isTrue();
  }

  @Test
  void probeThatCannotStartIsAResult() {
    OomScoreCheck check =
        new OomScoreCheck(
            () -> {
              throw new IOException("no sleep here");
            });
    assertThat(check.run().detail()).contains("no sleep here");
  }

  @Test
  void sleepingProbeChangesTheScoreOfItsOwnProcessOnly() throws IOException {
    Path own = Path.of("/proc/self/oom_score_adj");
    String before = Files.readString(own);
    try (SleepingProbe probe = SleepingProbe.start(Path.of("/proc"))) {
      probe.writeOomScoreAdj(1000);
      assertThat(probe.oomScoreAdj()).hasContent("1000");
    }
    assertThat(Files.readString(own)).isEqualTo(before);
  }

  @Test
  void bpfNeedsTypesAndCapabilitiesAndPrefersItsFileSystem() {
    machine.capabilities(KernelFiles.CAP_BPF);
    BpfCheck check = new BpfCheck(machine.kernel());
    assertThat(check.run().cure()).contains("CONFIG_DEBUG_INFO_BTF");
    machine.file("sys/kernel/btf/vmlinux", "");
    assertThat(check.run().cure()).contains("CAP_PERFMON");
    machine.capabilities(KernelFiles.CAP_BPF, KernelFiles.CAP_PERFMON);
    assertThat(check.run().status()).isEqualTo(DEGRADED);
    machine.mount("bpf", "bpffs", "rw").file("proc/sys/kernel/unprivileged_bpf_disabled", "2\n");
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail()).endsWith("unprivileged_bpf_disabled=2");
  }

  @Test
  void theKernelKillerShowsItsTierOnceItIsLoaded() throws Exception {
    KernelKiller killer = mock(KernelKiller.class);
    when(killer.tier()).thenReturn(KernelTier.KERNEL_DETECT);
    when(killer.reason()).thenReturn("no bpf_send_signal_task");
    when(killer.domains()).thenReturn(Set.of());
    KernelKillerCheck check = new KernelKillerCheck(() -> killer, noSelfTest());
    assertThat(check.run().cure()).contains("domain add");

    when(killer.domains()).thenReturn(Set.of(1L));
    when(killer.killableRoots(1)).thenReturn(Set.of());
    assertThat(check.run().cure()).contains("--killable-below");

    when(killer.killableRoots(1)).thenReturn(Set.of(2L));
    assertThat(check.run().detail()).endsWith("no helper runs: no container would be killed");
    when(killer.tier()).thenReturn(KernelTier.KERNEL_KILL);
    assertThat(check.run().detail()).endsWith("memory is released later after a kill");

    when(killer.helperRuns()).thenReturn(true);
    assertThat(check.run())
        .isEqualTo(
            CheckResult.ok(
                "kernel killer",
                "tier 1 loaded, in-kernel kill: no bpf_send_signal_task; its helper runs"));
  }

  @Test
  void anUnloadedKernelKillerReportsItsPossibleTier() {
    KernelKillerCheck.Opener none =
        () -> KernelKiller.open(machine.path("socket"), Duration.ofSeconds(1)); // no listener
    CheckResult untried = new KernelKillerCheck(none, noSelfTest()).run();
    assertThat(untried.status()).isEqualTo(DEGRADED);
    assertThat(untried.detail())
        .contains("is not running; the user-space killer protects the node");

    machine.program(
        "ua-killer", "[ \"$*\" = '--json self-test' ] && echo '{\"tier\":2,\"reason\":\"old\"}'");
    CheckResult tried = new KernelKillerCheck(none, new SelfTest(machine.path("ua-killer"))).run();
    assertThat(tried.detail()).endsWith("this machine would give tier 2 (old)");
    assertThat(tried.cure()).contains("ua-killer load");
  }

  @Test
  void aHelperThatRefusesTheDoctorIsNotReportedAsMissing() {
    KernelKillerException refusal = mock(KernelKillerException.class);
    when(refusal.refused()).thenReturn(true);
    when(refusal.getMessage()).thenReturn("process 7 is refused");
    KernelKillerCheck.Opener opener =
        () -> {
          throw refusal;
        };
    CheckResult result = new KernelKillerCheck(opener, noSelfTest()).run();
    assertThat(result.status()).isEqualTo(DEGRADED);
    assertThat(result.detail())
        .isEqualTo("a helper runs but does not answer this process: process 7 is refused");
    assertThat(result.cure()).startsWith("run charon doctor as root");
  }

  private SelfTest noSelfTest() {
    return new SelfTest(machine.path("nowhere"));
  }

  @Test
  void pressureComesFromItsFile() {
    PsiCheck check = new PsiCheck(machine.kernel());
    assertThat(check.run().status()).isEqualTo(MISSING);
    machine.file("proc/pressure/memory", "some avg10=1.00\nfull avg10=0.50\n");
    assertThat(check.run()).isEqualTo(CheckResult.ok("PSI", "some avg10=1.00"));
  }

  @Test
  void swapIsNeverNeeded() {
    SwapCheck check = new SwapCheck(machine.kernel());
    assertThat(check.run().detail()).startsWith("none");
    machine.availableMebibytes(1);
    assertThat(check.run()).isEqualTo(CheckResult.ok("swap", "2 MiB"));
  }

  @Test
  void disksWithoutPrioritiesAreNamed() {
    machine
        .file("sys/block/sda/queue/scheduler", "none [mq-deadline]\n")
        .file("sys/block/loop0/queue/scheduler", "[none]\n");
    assertThat(idleDisk(Map.of()).cure()).isEqualTo("install util-linux");
    machine.program("bin/ionice");
    assertThat(idleDisk(Map.of()).detail()).startsWith("every disk has");
    machine.file("sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline\n");
    assertThat(idleDisk(Map.of()).status()).isEqualTo(OK);
    assertThat(idleDisk(Map.of()).detail()).startsWith("nvme0n1 (none) serves all processes alike");
    assertThat(
            idleDisk(Map.of("yarn.nodemanager.charon.disk.idle-class.enabled", "false")).detail())
        .contains("is false");
    machine.file("conf/yarn-site.xml", "<configuration>");
    assertThat(idleDisk().cure()).isEqualTo("correct the file");
  }

  private CheckResult idleDisk(Map<String, String> properties) {
    yarnSite(properties);
    return idleDisk();
  }

  private CheckResult idleDisk() {
    YarnSite site = new YarnSite(Optional.of(machine.path("conf")));
    return new IdleDiskCheck(machine.kernel(), machine.path("sys"), finder(), site).run();
  }

  @Test
  void trafficControlNeedsTheProgramAndTwoCapabilities() {
    TrafficControlCheck check = new TrafficControlCheck(machine.kernel(), finder());
    assertThat(check.run().cure()).isEqualTo("apt-get install -y iproute2");
    machine.program("bin/tc").capabilities(KernelFiles.CAP_NET_ADMIN);
    assertThat(check.run().status()).isEqualTo(DEGRADED);
    assertThat(check.run().detail()).contains("may configure", "may not create network namespaces");
    machine.capabilities(KernelFiles.CAP_NET_ADMIN, KernelFiles.CAP_SYS_ADMIN);
    assertThat(check.run().status()).isEqualTo(OK);
  }

  @ParameterizedTest
  @CsvSource({"cpu,OK", "cpu_core,OK", "armv8_pmuv3_0,OK", "software,MISSING"})
  void hardwareCountersAreADeviceOfTheCpu(String device, CheckStatus status) {
    machine.file("sys/bus/event_source/devices/" + device + "/type", "4");
    assertThat(new PmuCheck(machine.kernel()).run().status()).isEqualTo(status);
  }

  @Test
  void resctrlMustBeSupportedAndMountedWithTheWantedResource() {
    ResctrlCheck check =
        new ResctrlCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))));
    yarnSite(Map.of());
    assertThat(check.run().status()).isEqualTo(MISSING);
    machine.file("proc/filesystems", "nodev\tsysfs\nnodev\tresctrl\n");
    assertThat(check.run().status()).isEqualTo(DEGRADED);
    machine.mount("resctrl", "resctrl", "rw");
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail())
        .contains("the last-level cache cannot be partitioned", "is not limited and not counted");

    String prefix = "yarn.nodemanager.charon.";
    yarnSite(
        Map.of(
            prefix + "cache-ways.mode", "enforce",
            prefix + "memory-bandwidth.mode", "observe",
            prefix + "regulator.resctrl-group", machine.path("resctrl/charon").toString()));
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().cure()).contains("cat_l3, mba, cqm_mbm_total");
    machine
        .file("resctrl/info/L3/cbm_mask", "7ff\n")
        .file("resctrl/info/MB/min_bandwidth", "10\n")
        .file("resctrl/info/L3_MON/mon_features", "llc_occupancy\nmbm_total_bytes\n");
    assertThat(check.run().status()).isEqualTo(DEGRADED);
    assertThat(check.run().cure()).contains("mkdir " + machine.path("resctrl/charon"));
    machine.file("resctrl/charon/tasks", "");
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail())
        .contains("11 cache ways, memory bandwidth is limited and counted")
        .contains("cache-ways.mode is enforce: 2", "memory-bandwidth.mode is observe: law");
  }

  @Test
  void onePackageCommandInstallsAllMissingPackages() {
    machine.program("bin/bash").program("bin/getconf").program("bin/setsid");
    PackagesCheck check = PackagesCheck.ofAClone(finder(), List.of(machine.path("fonts")));
    assertThat(check.run().cure())
        .isEqualTo("apt-get install -y shellcheck fontconfig fonts-dejavu-core");
    machine.program("bin/shellcheck").file("fonts/truetype/a.ttf", "");
    assertThat(check.run().status()).isEqualTo(OK);
  }

  @Test
  void aNodeDoesNotNeedBuildOrTestTools() {
    PackagesCheck check = PackagesCheck.ofANode(finder());
    assertThat(check.run().cure()).isEqualTo("apt-get install -y bash libc-bin util-linux");
    machine.program("bin/bash").program("bin/getconf").program("bin/setsid");
    assertThat(check.run().status()).isEqualTo(OK);
    YarnSite site = new YarnSite(Optional.empty());
    Path killer = machine.path("nowhere");
    assertThat(names(Checks.ofThisNode(site, finder(), killer)))
        .doesNotContain("Maven", "git", "demo resources")
        .contains("packages", "JDK", "kernel killer");
    assertThat(names(Checks.ofThisClone(site, finder(), killer, directory)))
        .containsAll(names(Checks.ofThisNode(site, finder(), killer)))
        .contains("Maven", "git", "demo resources");
  }

  private static List<String> names(List<Check> checks) {
    return checks.stream().map(check -> check.run().name()).toList();
  }

  @Test
  void linuxContainerExecutorUsesOursIfNoOtherProgramMakesCgroups() {
    String key = "yarn.nodemanager.container-executor.class";
    String ours = "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor";
    assertThat(containerExecutor(Optional.empty()).run().detail()).contains(ours);
    ContainerExecutorCheck check = containerExecutor(Optional.of(machine.path("conf")));
    assertThat(check.run().detail()).contains("yarn-site.xml does not exist");
    yarnSite("org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor");
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().cure()).contains(ours);
    yarnSite(Map.of(key, ours, "yarn.nodemanager.resource.cpu.enabled", "true"));
    assertThat(check.run().status()).isEqualTo(DEGRADED);
    assertThat(check.run().detail())
        .contains("isolation beside", "yarn.nodemanager.resource.cpu.enabled is true");
    yarnSite(Map.of(key, ours, "yarn.nodemanager.resource.memory.enabled", "true"));
    assertThat(check.run().detail()).startsWith("isolation attach");
    assertThat(check.run().cure()).contains("the memory limit is not enforced");
    String handler = "yarn.nodemanager.linux-container-executor.resources-handler.class";
    yarnSite(Map.of(key, ours, handler, "com.example.Ours"));
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().cure()).contains(handler, "remove the property");
    yarnSite(ours);
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail()).startsWith("isolation own").contains("cannot be read");
    machine.file("conf/container-executor.cfg", LCE_GROUP + "banned.users=yarn,nobody\n");
    assertThat(check.run().status()).isEqualTo(DEGRADED);
    assertThat(check.run().cure()).contains("nonsecure-mode.local-user");
    machine.file("conf/container-executor.cfg", LCE_GROUP + "banned.users=yarn\n");
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail()).endsWith("container-executor.cfg does not forbid nobody");
    String core = "conf/core-site.xml";
    machine.file(core, site(Map.of("hadoop.security.authentication", "kerberos")));
    assertThat(check.run().detail()).endsWith("containers run as the users who submit them");
    machine.file(core, "<configuration>");
    assertThat(check.run().detail()).startsWith(machine.path(core) + ": ");
    machine.file(core, site(Map.of()));
    machine.file("conf/container-executor.cfg", "banned.users=yarn,nobody\n");
    assertThat(check.run().status()).as("no group is worse than a banned user").isEqualTo(MISSING);
    assertThat(check.run().detail()).contains("does not set", "bans user nobody");
    yarnSite("io.charon.nodemanager.yarn.CharonContainerExecutor");
    assertThat(check.run().status()).isEqualTo(OK);
    machine.file("conf/yarn-site.xml", "<configuration><property>");
    assertThat(check.run().detail()).contains(machine.path("conf/yarn-site.xml").toString());
    assertThat(check.run().cure()).isEqualTo("correct the file");
  }

  @Test
  void theMemoryLimitConflictsWithYarnsElasticMemoryControl() {
    MemoryLimitCheck check =
        new MemoryLimitCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))));
    String elastic = "yarn.nodemanager.elastic-memory-control.enabled";
    machine.mount("cgroup2", "sys/fs/cgroup", "rw");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    machine.file("proc/sys/kernel/osrelease", "6.16.1");
    yarnSite(Map.of(elastic, "true", MEMORY_LIMIT_MODE, "off"));
    assertThat(check.run().status()).isEqualTo(OK);
    yarnSite(Map.of(elastic, "true"));
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().cure()).contains("elastic-memory-control.enabled to false");
  }

  @ParameterizedTest
  @CsvSource({
    "cgroup2,7.0.0,,OK",
    "cgroup2,6.12.3-generic,before 6.16,DEGRADED",
    "cgroup2,5.14.0-el9,before 5.15,DEGRADED",
    "cgroup,6.18.44,version 1,DEGRADED",
    "tmpfs,6.18.44,no memory controller,MISSING"
  })
  void kernelFeaturesMissingForTheMemoryLimitAreNamed(
      String type, String release, String lack, CheckStatus status) {
    machine.mount(type, "sys/fs/cgroup", "rw,memory");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    machine.file("proc/sys/kernel/osrelease", release);
    CheckResult result =
        new MemoryLimitCheck(machine.kernel(), new YarnSite(Optional.empty())).run();
    assertThat(result.status()).as("it is on by default").isEqualTo(status);
    assertThat(result.detail()).contains(lack == null ? "is enforce" : lack);
    yarnSite(Map.of(MEMORY_LIMIT_MODE, "off"));
    result =
        new MemoryLimitCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))))
            .run();
    assertThat(result.status()).isEqualTo(OK);
    assertThat(result.detail()).contains(lack == null ? "is off" : lack);
  }

  private CheckResult diskLimit(Map<String, String> properties) {
    yarnSite(properties);
    YarnSite site = new YarnSite(Optional.of(machine.path("conf")));
    return new DiskLimitCheck(machine.kernel(), site).run();
  }

  @Test
  void diskLimitNeedsItsControllerAndTheMemoryLimit() {
    String mode = "yarn.nodemanager.charon.disk-limit.mode";
    String memory = "yarn.nodemanager.charon.memory-limit.mode";
    assertThat(diskLimit(Map.of(mode, "off")).status()).isEqualTo(OK);
    assertThat(diskLimit(Map.of(mode, "off")).detail())
        .contains("this machine cannot limit the reads of cgroups; it would not work here");
    assertThat(diskLimit(Map.of(mode, "enforce", memory, "off")).cure())
        .isEqualTo("set yarn.nodemanager.charon.memory-limit.mode to observe or enforce");
    Map<String, String> on = Map.of(mode, "enforce", memory, "enforce");
    assertThat(diskLimit(on).status()).isEqualTo(MISSING);
    machine.mount("cgroup", "sys/fs/cgroup/memory", "rw,memory");
    machine.mount("cgroup", "sys/fs/cgroup/blkio", "rw,blkio");
    assertThat(diskLimit(on).cure()).contains("CONFIG_BLK_DEV_THROTTLING");
    machine.file("sys/fs/cgroup/blkio/blkio.throttle.read_bps_device", "");
    assertThat(diskLimit(on).status()).isEqualTo(OK);
  }

  @Test
  void onVersion2TheIoControllerMustBeEnabled() {
    Map<String, String> on = Map.of("yarn.nodemanager.charon.disk-limit.mode", "observe");
    machine.mount("cgroup2", "sys/fs/cgroup", "rw");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    assertThat(diskLimit(on).status()).isEqualTo(MISSING);
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu io memory");
    machine.file("sys/fs/cgroup/system.slice/io.stat", "");
    assertThat(diskLimit(on).status()).isEqualTo(MISSING);
    machine.file("sys/fs/cgroup/system.slice/io.max", "");
    assertThat(diskLimit(on).status()).isEqualTo(OK);
  }

  @Test
  void theDisksBehindLocalDirectoriesAreNamed() throws IOException {
    Path local = Files.createDirectories(machine.path("local"));
    long device = ((Number) Files.getAttribute(local, "unix:dev")).longValue();
    String number = ((device >> 8) & 0xfff) + ":" + ((device & 0xff) | ((device >> 12) & 0xfff00));
    Map<String, String> there =
        Map.of("yarn.nodemanager.local-dirs", local + ", " + machine.path("none"));
    assertThat(diskLimit(there).detail())
        .contains("no disk was found for " + local + ", " + machine.path("none"));

    // A logical volume on a partition.
    machine.file("sys/devices/sda/device/model", "").file("sys/devices/sda/sda1/partition", "1");
    Files.createDirectories(machine.path("sys/devices/dm-0/slaves"));
    Files.createDirectories(machine.path("sys/dev/block"));
    Files.createSymbolicLink(
        machine.path("sys/devices/dm-0/slaves/sda1"), machine.path("sys/devices/sda/sda1"));
    Files.createSymbolicLink(
        machine.path("sys/dev/block/" + number), machine.path("sys/devices/dm-0"));
    assertThat(diskLimit(there).detail())
        .contains("local directories are on sda; no disk was found for " + machine.path("none"));
  }

  private CheckResult cpuBurst() {
    return new CpuBurstCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))))
        .run();
  }

  @Test
  void burstsNeedAQuotaTheControllerAndKernelSupport() throws IOException {
    String mode = "yarn.nodemanager.charon.cpu-burst.mode";
    String strict = "yarn.nodemanager.linux-container-executor.cgroups.strict-resource-usage";
    yarnSite(Map.of(mode, "off"));
    assertThat(cpuBurst().status()).isEqualTo(OK);
    assertThat(cpuBurst().detail())
        .contains("mode is off; YARN gives no CPU quotas")
        .endsWith(
            "no cpu controller is mounted; it would not work here, to cure: mount cgroup v2, or v1 with cpu");
    yarnSite(Map.of(mode, "enforce", strict, "true"));
    assertThat(cpuBurst().status()).isEqualTo(MISSING);
    machine.mount("cgroup", "sys/fs/cgroup/cpu", "rw,cpu,memory");
    machine.file("sys/fs/cgroup/cpu/cpu.shares", "1024");
    assertThat(cpuBurst().status()).isEqualTo(DEGRADED);
    assertThat(cpuBurst().cure()).isEqualTo("use Linux 5.14 or newer");
    yarnSite(Map.of(mode, "off"));
    assertThat(cpuBurst().status()).isEqualTo(OK);
    assertThat(cpuBurst().detail())
        .endsWith("it would work with less effect, to cure: use Linux 5.14 or newer");
    yarnSite(Map.of(mode, "enforce", strict, "true"));
    machine.file("sys/fs/cgroup/cpu/cpu.cfs_burst_us", "0");
    assertThat(cpuBurst().status()).isEqualTo(OK);
    assertThat(cpuBurst().detail()).contains("YARN gives containers CPU quotas");
  }

  @Test
  void onVersion2TheBurstFileIsInTheChildrenOfTheRoot() throws IOException {
    yarnSite(Map.of("yarn.nodemanager.charon.cpu-burst.mode", "observe"));
    machine.mount("cgroup2", "sys/fs/cgroup", "rw");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    assertThat(cpuBurst().status()).isEqualTo(DEGRADED);
    machine.file("sys/fs/cgroup/system.slice/cpu.max.burst", "0");
    assertThat(cpuBurst().status()).isEqualTo(OK);
  }

  private static ContainerExecutorCheck containerExecutor(Optional<Path> conf) {
    return new ContainerExecutorCheck(
        new YarnSite(conf),
        new ContainerExecutorSetup(path -> Optional.empty(), user -> OptionalLong.of(65_534)));
  }

  private CheckResult mechanisms() {
    return new MechanismsCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))))
        .run();
  }

  @Test
  void eachMechanismReportsWhatItLacksAlsoWhenItIsOff() {
    yarnSite(
        Map.of(
            "yarn.nodemanager.charon.regulator.resctrl-group",
            machine.path("resctrl/charon").toString()));
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    machine.file("proc/self/cgroup", "0::/\n");
    machine.file(
        "proc/self/mountinfo",
        "30 23 0:26 / %s rw - cgroup2 cgroup2 rw\n".formatted(machine.path("sys/fs/cgroup")));
    CheckResult off = mechanisms();
    assertThat(off.status()).as("nothing that is off is a problem").isEqualTo(OK);
    assertThat(off.detail())
        .startsWith("off, would work: evict-line, evict-satisfaction; ")
        .endsWith("; in lines of their own: cpu-burst, cpu-pool")
        .contains("; off, would not work: cache-ways (", "memory-bandwidth (")
        .containsPattern("disk-limit \\([^)]*mount cgroup v2 with io")
        .containsPattern("evict-psi \\([^)]*boot it with psi=1")
        .containsPattern("proactive-reclaim \\([^)]*psi=1");
    machine.file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    assertThat(mechanisms().detail())
        .startsWith(
            "off, would work: evict-line, evict-psi, evict-satisfaction; off, would not work: ")
        .endsWith("; in lines of their own: cpu-burst, cpu-pool, proactive-reclaim")
        .doesNotContain("psi=1");
  }

  @Test
  void withoutCgroupsThoseThatNeedThemNameTheReasonOnce() {
    yarnSite(Map.of());
    assertThat(mechanisms().status()).isEqualTo(OK);
    assertThat(mechanisms().detail())
        .startsWith("off, would work: evict-line; off, would not work: ")
        .containsOnlyOnce("containers have no cgroups of their own")
        .containsPattern("evict-psi \\([^)]*boot it with psi=1");
  }

  @Test
  void onlyWhatIsOnAndCannotWorkIsMissing() throws IOException {
    String pressure = "yarn.nodemanager.charon.evict-psi.mode";
    String satisfaction = "yarn.nodemanager.charon.evict-satisfaction.mode";
    yarnSite(Map.of(pressure, "observe", satisfaction, "enforce"));
    assertThat(mechanisms().status()).isEqualTo(MISSING);
    assertThat(mechanisms().detail())
        .startsWith("on, does not work: evict-psi (")
        .contains("boot it with psi=1", "), evict-satisfaction (");
    machine.file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    assertThat(mechanisms().detail())
        .startsWith("on: evict-psi; on, does not work: evict-satisfaction (");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    machine.file("proc/self/cgroup", "0::/\n");
    machine.file(
        "proc/self/mountinfo",
        "30 23 0:26 / %s rw - cgroup2 cgroup2 rw\n".formatted(machine.path("sys/fs/cgroup")));
    assertThat(mechanisms().status()).isEqualTo(OK);
    assertThat(mechanisms().detail())
        .startsWith("on: evict-psi, evict-satisfaction; off, would work: ");
  }

  private CheckResult cores() {
    return new CoresCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf")))).run();
  }

  @Test
  void coresSayWhatTheyShareAndWhatCanLimitThem() {
    yarnSite(Map.of());
    assertThat(cores().status()).isEqualTo(OK);
    assertThat(cores().detail())
        .contains("what the processors share is not known", "scheduling is not known")
        .contains("cores.mode is off, would not work (the cpuset controller is not mounted)")
        .contains("water-line-percent is 0, would not work (the cpu controller is not mounted)");
    String cpus = "sys/devices/system/cpu/";
    machine.file(cpus + "online", "0-3\n");
    for (int number = 0; number < 4; number++) {
      String threads = number < 2 ? "0-1\n" : "2-3\n";
      machine.file(cpus + "cpu%d/topology/core_cpus_list".formatted(number), threads);
      machine.file(cpus + "cpu%d/cache/index3/shared_cpu_list".formatted(number), "0-3\n");
      machine.file("sys/devices/system/node/node%d/cpulist".formatted(number < 2 ? 0 : 1), threads);
    }
    machine
        .mount("cgroup2", "sys/fs/cgroup", "rw")
        .file("sys/fs/cgroup/cgroup.controllers", "cpu cpuset memory")
        .file("sys/fs/cgroup/cpu.stat", "usage_usec 7\n")
        .file("proc/sys/kernel/osrelease", "6.12.1\n");
    assertThat(cores().detail())
        .startsWith(
            "processors 4, at most 2 in a physical core; physical cores 2, last-level caches 1,"
                + " NUMA nodes 2; the kernel has no SMT core scheduling; ")
        .contains("cores.mode is off, would work; ")
        .endsWith("water-line-percent is 0, would work");
    machine.file("sys/fs/cgroup/cpu.stat", "usage_usec 7\ncore_sched.force_idle_usec 0\n");
    assertThat(cores().detail()).contains("has SMT core scheduling, which Charon does not use");
  }

  @Test
  void coresAreMissingOnlyForWhatIsOn() {
    String prefix = "yarn.nodemanager.charon.regulator.";
    yarnSite(Map.of(prefix + "cores.mode", "enforce"));
    assertThat(cores().status()).isEqualTo(MISSING);
    assertThat(cores().detail()).contains("cores.mode is enforce, does not work");
    assertThat(cores().cure()).isEqualTo("mount cgroup v2, or v1 with cpuset");
    yarnSite(Map.of(prefix + "cpu.water-line-percent", "65"));
    assertThat(cores().status()).as("nothing moves by the line").isEqualTo(OK);
    yarnSite(Map.of(prefix + "cpu.water-line-percent", "65", prefix + "cpu.mode", "observe"));
    assertThat(cores().cure()).isEqualTo("mount cgroup v2, or v1 with cpu");
    machine.mount("cgroup", "sys/fs/cgroup/cpu", "rw,cpu,memory");
    assertThat(cores().status()).isEqualTo(OK);
    assertThat(cores().detail()).endsWith("water-line-percent is 65, works");
  }

  @Test
  void anInvalidValueIsNamed() {
    yarnSite(Map.of("yarn.nodemanager.charon.cpu-pool.high-percent", "101"));
    assertThat(mechanisms().status()).isEqualTo(DEGRADED);
    assertThat(mechanisms().detail())
        .isEqualTo(
            "yarn.nodemanager.charon.cpu-pool.high-percent is '101'; it must be a whole number from 0 to 100");
  }

  @Test
  void theSharedPoolNeedsCpuAccountingAndHasOneLine() throws IOException {
    CpuPoolCheck check =
        new CpuPoolCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))));
    String mode = "yarn.nodemanager.charon.cpu-pool.mode";
    yarnSite(Map.of(mode, "off"));
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail())
        .startsWith(mode + " is off; no cpu controller is mounted; it would not work here");
    yarnSite(Map.of(mode, "enforce"));
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().detail()).contains("no cpu controller is mounted");
    machine.mount("cgroup", "sys/fs/cgroup/cpu", "rw,cpu,memory");
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().cure()).contains("with cpu and cpuacct together");
    machine.file("sys/fs/cgroup/cpu/cpuacct.usage", "0");
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail()).contains("above 65 % of the shared processors");
    machine.file("sys/devices/system/cpu/smt/active", "1\n");
    assertThat(check.run().detail()).contains("above 45 %");
    yarnSite(Map.of(mode, "enforce", "yarn.nodemanager.charon.cpu-pool.high-percent", "30"));
    assertThat(check.run().detail()).contains("above 30 %");
    yarnSite(Map.of(mode, "off"));
    assertThat(check.run().detail()).endsWith("; it would work here");
  }

  @Test
  void proactiveReclaimNeedsPressureAndAProgram() throws IOException {
    ProactiveReclaimCheck check =
        new ProactiveReclaimCheck(
            machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))));
    String mode = "yarn.nodemanager.charon.proactive-reclaim.mode";
    String production = "yarn.nodemanager.charon.proactive-reclaim.production";
    String helper = "yarn.nodemanager.charon.regulator.helper";
    machine.file("ua-killer", "#!/bin/sh");
    Path program = machine.path("ua-killer");
    yarnSite(Map.of());
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail())
        .startsWith(mode + " is off; nothing is reclaimed: ")
        .contains("no pressure stall", "; it would not work here, to cure: boot with psi=1; ");
    yarnSite(Map.of(mode, "observe", helper, program.toString()));
    assertThat(check.run().status()).isEqualTo(MISSING);
    assertThat(check.run().detail())
        .contains("no pressure stall", "no cgroup v2", program + " cannot be run");
    assertThat(check.run().cure()).contains("psi=1", "mount -t cgroup2", "install ua-killer");
    machine.file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    machine.mount("cgroup2", "sys/fs/cgroup/unified", "rw");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    assertThat(check.run().status()).isEqualTo(OK);
    assertThat(check.run().detail())
        .endsWith("page cache only (there is no swap); from production: nothing");
    yarnSite(Map.of(mode, "enforce", production, "all", helper, program.toString()));
    machine.file("proc/meminfo", "SwapTotal: 1024 kB\n");
    assertThat(check.run().detail()).endsWith("; from production: page cache and anonymous memory");
  }

  @Test
  void mountsWithNamesThatCannotBeReadHideNoOthers() throws IOException {
    machine.mount("cgroup2", "sys/fs/cgroup", "rw");
    // One name is in Latin-1, and the other in no path.
    Files.write(
        machine.path("proc/self/mounts"),
        """
        none /mnt/caf\u00e9 ext4 rw 0 0
        none /mnt/\0 ext4 rw 0 0
        """
            .getBytes(StandardCharsets.ISO_8859_1),
        StandardOpenOption.APPEND);

    assertThat(CgroupMounts.read(machine.kernel()).v2()).contains(machine.path("sys/fs/cgroup"));
  }

  private CheckResult memoryRights() {
    return new MemoryRightsCheck(machine.kernel(), new YarnSite(Optional.of(machine.path("conf"))))
        .run();
  }

  private void pageCache(String cgroup, long read, long mapped) {
    machine.file(
        "sys/fs/cgroup" + cgroup + "/memory.stat",
        "active_file %d\ninactive_file 0\nfile_mapped %d\n"
            .formatted((read + mapped) << 20, mapped << 20));
  }

  @Test
  void holdersOfPageCacheWithoutAnEntitlementAreNamedWithTheCure() {
    machine.mount("cgroup2", "sys/fs/cgroup", "rw");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    machine.file("proc/meminfo", "MemTotal: 10240000 kB\n"); // 5 % are 500 MB
    pageCache("/system.slice", 900, 2000);
    pageCache("/system.slice/datanode.service", 800, 0);
    pageCache("/system.slice/db.service", 10, 2000);
    pageCache("/system.slice/small.service", 90, 0);
    pageCache("/charon", 4000, 0);
    yarnSite(Map.of(MEMORY_LIMIT_MODE, "enforce"));
    CheckResult result = memoryRights();
    assertThat(result.status()).isEqualTo(DEGRADED);
    assertThat(result.detail())
        .contains("/system.slice/datanode.service holds 800 MiB")
        .doesNotContain("db.service", "small", "/charon");
    assertThat(result.cure()).contains("memory-limit.services=/system.slice/datanode.service=all");

    String services = "yarn.nodemanager.charon.memory-limit.services";
    yarnSite(
        Map.of(MEMORY_LIMIT_MODE, "enforce", services, "/x=1, /system.slice/data*.service=all"));
    assertThat(memoryRights().status()).isEqualTo(OK);
    assertThat(memoryRights().detail()).contains("its reservation");
    yarnSite(Map.of(MEMORY_LIMIT_MODE, "off"));
    assertThat(memoryRights().status()).isEqualTo(OK);
    yarnSite(
        Map.of(
            MEMORY_LIMIT_MODE,
            "enforce",
            "yarn.nodemanager.charon.memory-limit.page-cache",
            "none"));
    assertThat(memoryRights().detail()).contains("production has no entitlement to its page cache");
  }

  @Test
  void theCureForPageCacheTakesNoEntitlementAway() {
    machine.mount("cgroup2", "sys/fs/cgroup", "rw");
    machine.file("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    machine.file("proc/meminfo", "MemTotal: 10240000 kB\n");
    pageCache("/system.slice", 2500, 0);
    pageCache("/system.slice/db.service", 900, 0);
    pageCache("/system.slice/datanode.service", 800, 0);
    pageCache("/system.slice/cache\\x2da.service", 700, 0);
    String services = "yarn.nodemanager.charon.memory-limit.services";
    yarnSite(Map.of(MEMORY_LIMIT_MODE, "enforce", services, "/system.slice/d?.service=4096"));
    String cure = memoryRights().cure();
    assertThat(cure)
        .endsWith(
            services
                + "=/system.slice/d?.service=4096,/system.slice/datanode.service=all,"
                + "/system.slice/cache?x2da.service=all");

    yarnSite(
        Map.of(
            MEMORY_LIMIT_MODE,
            "enforce",
            services,
            cure.substring(cure.indexOf(services) + services.length() + 1)));
    assertThat(memoryRights().status()).as("with the cure").isEqualTo(OK);
  }

  @Test
  void charonsDefaultsApplyWithoutAFile() {
    assertThat(new YarnSite(Optional.empty()).get("yarn.nodemanager.charon.cgroup.path"))
        .contains("auto");
  }

  @ParameterizedTest
  @CsvSource({
    "16384,99999,2,OK",
    "16384,99999,1,DEGRADED",
    "4096,99999,2,DEGRADED",
    "16384,4096,2,DEGRADED"
  })
  void demoNeedsMemoryOfTheMachineAndOfItsCgroup(
      long available, long limit, int cpus, CheckStatus status) {
    machine.availableMebibytes(available);
    assertThat(new DemoResourcesCheck(machine.kernel(), limit << 20, cpus).run().status())
        .isEqualTo(status);
  }

  @Test
  void onlyEssentialChecksDecideWhetherCharonCanRun() {
    Check essential = new ProcCheck(machine.kernel());
    Check optional = new PsiCheck(machine.kernel());
    assertThat(Diagnosis.of(List.of(essential, optional)).canRun()).isFalse();
    machine.availableMebibytes(1);
    Diagnosis diagnosis = Diagnosis.of(List.of(essential, optional));
    assertThat(diagnosis.canRun()).isTrue();
    assertThat(diagnosis.count(OK)).isEqualTo(1);
    assertThat(diagnosis.count(MISSING)).isEqualTo(1);
  }

  @Test
  void everyProblemHasACure() {
    assertThatThrownBy(() -> new CheckResult("x", DEGRADED, "slow", " "))
        .hasMessageContaining("without a cure");
  }

  @Test
  void thisMachineCanBeChecked() {
    Diagnosis diagnosis =
        Diagnosis.of(
            Checks.ofThisClone(
                new YarnSite(Optional.empty()), finder(), machine.path("nowhere"), directory));
    assertThat(diagnosis.results())
        .extracting(CheckResult::name)
        .doesNotHaveDuplicates()
        .contains(
            "JDK",
            "proc",
            "cgroup controllers",
            "oom_score_adj",
            "memory limit",
            "memory rights",
            "idle disk",
            "mechanisms",
            "cores",
            "BPF",
            "kernel killer",
            "PSI",
            "PMU",
            "resctrl");
    assertThat(diagnosis.canRun()).isTrue();
  }

  @Test
  void aBrokenConfigurationIsReportedByEveryCheckThatReadsIt() {
    machine.file("conf/yarn-site.xml", "<configuration>");
    YarnSite broken = new YarnSite(Optional.of(machine.path("conf")));
    Diagnosis diagnosis =
        Diagnosis.of(Checks.ofThisClone(broken, finder(), machine.path("nowhere"), directory));
    assertThat(diagnosis.results())
        .filteredOn(result -> result.cure().equals("correct the file"))
        .hasSizeGreaterThan(5);
  }

  private ProgramFinder finder() {
    return new ProgramFinder(List.of(machine.path("bin")));
  }

  private void yarnSite(String executor) {
    yarnSite(Map.of("yarn.nodemanager.container-executor.class", executor));
  }

  private void yarnSite(Map<String, String> properties) {
    machine.file("conf/yarn-site.xml", site(properties));
  }

  private static String site(Map<String, String> properties) {
    StringBuilder site = new StringBuilder("<configuration>");
    properties.forEach(
        (name, value) ->
            site.append(
                "<property><name>%s</name><value>%s</value></property>".formatted(name, value)));
    return site.append("</configuration>").toString();
  }

  private static class FakeProbe implements ProbeProcess {
    private final int lowest;
    private final int highest;
    private Optional<String> arrivedIn = Optional.empty();
    private boolean closed;

    FakeProbe(int lowest, int highest) {
      this.lowest = lowest;
      this.highest = highest;
    }

    @Override
    public void writeOomScoreAdj(int score) throws IOException {
      if (score < lowest || score > highest) {
        throw new AccessDeniedException("oom_score_adj");
      }
    }

    @Override
    public String enter(Path cgroup) throws IOException {
      return arrivedIn.orElseThrow(() -> new AccessDeniedException("cgroup.procs"));
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
