/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import com.sun.management.OperatingSystemMXBean;
import io.charon.killer.client.KernelKiller;
import io.charon.nodemanager.cgroup.NodeCgroupPath;
import io.charon.nodemanager.config.KernelKillerSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All checks of {@code charon doctor}, in the order of their output. */
public final class Checks {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final Path PROC = Path.of("/proc");
  private static final Path SYS = Path.of("/sys");

  private Checks() {}

  /**
   * Returns the checks of this machine as a node of a cluster.
   *
   * @param site the cluster's configuration
   * @param finder finds programs
   * @param uaKiller the program of the kernel UA killer, which need not exist
   * @return the checks
   */
  public static List<Check> ofThisNode(YarnSite site, ProgramFinder finder, Path uaKiller) {
    return Stream.concat(
            Stream.of(PackagesCheck.ofANode(finder), JdkCheck.ofThisCommand(false)),
            ofAnyMachine(site, finder, uaKiller))
        .toList();
  }

  /**
   * Returns the same checks, and those of what is needed to build Charon, test it and run its demo.
   *
   * @param home home directory of the user, which may hold fonts
   */
  public static List<Check> ofThisClone(
      YarnSite site, ProgramFinder finder, Path uaKiller, Path home) {
    List<Path> fonts =
        List.of(
            Path.of("/usr/share/fonts"),
            Path.of("/usr/local/share/fonts"),
            home.resolve(".fonts"),
            home.resolve(".local/share/fonts"));
    Stream<Check> clone =
        Stream.of(
            new ProgramCheck(finder, "Maven", "mvn", "builds Charon and runs its tests", "maven"),
            new ProgramCheck(finder, "git", "git", "fetches new versions of Charon", "git"),
            PackagesCheck.ofAClone(finder, fonts),
            JdkCheck.ofThisCommand(true),
            new DemoResourcesCheck(
                new KernelFiles(PROC, SYS),
                memoryLimitBytes(),
                Runtime.getRuntime().availableProcessors()));
    return Stream.concat(clone, ofAnyMachine(site, finder, uaKiller)).toList();
  }

  private static Stream<Check> ofAnyMachine(YarnSite site, ProgramFinder finder, Path uaKiller) {
    KernelFiles kernel = new KernelFiles(PROC, SYS);
    return Stream.of(
        new ProcCheck(kernel),
        new ContainerExecutorCheck(site, ContainerExecutorSetup.ofThisMachine()),
        new QueuesCheck(site),
        new CgroupControllersCheck(kernel),
        new CgroupWriteCheck(
            kernel,
            NodePath.of(kernel, value(site, NodeCgroupPath.KEY)),
            "charon-doctor-" + ProcessHandle.current().pid(),
            () -> SleepingProbe.start(kernel.proc()),
            System.getProperty("user.name")),
        new ContainerStartCheck(kernel),
        new OomScoreCheck(() -> SleepingProbe.start(kernel.proc())),
        new SwapCheck(kernel),
        new MemoryLimitCheck(kernel, site),
        new MemoryRightsCheck(kernel, site),
        new IdleDiskCheck(kernel, SYS, finder, site),
        new DiskLimitCheck(kernel, site),
        new MechanismsCheck(kernel, site),
        new CoresCheck(kernel, site),
        new CpuBurstCheck(kernel, site),
        new CpuPoolCheck(kernel, site),
        new ProactiveReclaimCheck(kernel, site),
        new PsiCheck(kernel),
        new BpfCheck(kernel),
        new KernelKillerCheck(
            () -> KernelKiller.open(Path.of(value(site, KernelKillerSettings.SOCKET)), TIMEOUT),
            new SelfTest(uaKiller)),
        new TrafficControlCheck(kernel, finder),
        new PmuCheck(kernel),
        new ResctrlCheck(kernel, site));
  }

  /** The JVM reads the limit of its own memory cgroup, version 1 or 2, if there is one. */
  private static long memoryLimitBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  private static String value(YarnSite site, String key) {
    try {
      return site.get(key).orElseThrow();
    } catch (IllegalArgumentException e) {
      // ContainerExecutorCheck reports what is wrong with the file.
      return new YarnSite(Optional.empty()).get(key).orElseThrow();
    }
  }
}
