/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where this node's cgroups are: cgroup v1, v2, or hybrid (v1 controllers beside a unified
 * hierarchy). It only knows paths; {@link CgroupWriter} changes them and the sensors read them.
 *
 * <pre>MOUNT/NODE_PATH/{production,best-effort}/CONTAINER_ID</pre>
 */
public final class CgroupLayout {
  /** Why nothing can be set where the operator wants no cgroups, with the cure. */
  public static final String NONE =
      "containers have no cgroups of their own: set yarn.nodemanager.charon.mode to enforce and"
          + " yarn.nodemanager.charon.cgroup.enabled to true";

  private static final String WITHOUT_CGROUPS =
      "set yarn.nodemanager.charon.cgroup.enabled to false to run without cgroups";
  private static final Pattern CONTAINER_ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");
  private static final int SHOWN_CHARACTERS = 160;

  private final String nodePath;
  private final List<CgroupHierarchy> hierarchies;
  private final List<CgroupMount> mounts;
  private final Optional<CgroupMount> disks;
  private final Path procRoot;
  private final CgroupMount memoryMount;
  private final Optional<Path> selfMemoryDirectory;

  private CgroupLayout(
      String nodePath,
      List<CgroupHierarchy> hierarchies,
      List<CgroupMount> mounts,
      Optional<CgroupMount> disks,
      Path procRoot,
      CgroupMount memoryMount)
      throws CgroupException {
    this.hierarchies = List.copyOf(hierarchies);
    this.mounts = List.copyOf(mounts);
    this.disks = disks;
    this.procRoot = procRoot;
    this.memoryMount = memoryMount;
    this.selfMemoryDirectory =
        directory(lines(procRoot.resolve("self/cgroup")), memoryMount, CgroupController.MEMORY)
            .filter(Files::isDirectory);
    this.nodePath = NodeCgroupPath.of(nodePath, memoryMount, selfMemoryDirectory);
  }

  /**
   * Reads the mounts of this process.
   *
   * @param procRoot usually /proc
   * @param nodePath the node's cgroup below the mount points, such as /charon: absolute, not "/",
   *     without empty, "." and ".." segments; or {@link NodeCgroupPath#AUTOMATIC}
   * @throws CgroupException if nodePath is not valid, if procRoot cannot be read, or if no mounted
   *     hierarchy has the memory controller
   */
  public static CgroupLayout detect(Path procRoot, String nodePath) throws CgroupException {
    return detect(procRoot, nodePath, Set.of());
  }

  /**
   * The same without the v1 hierarchies in which others put containers.
   *
   * @param taken their controllers
   * @throws CgroupException also if the memory controller is in one of them
   */
  public static CgroupLayout detect(Path procRoot, String nodePath, Set<CgroupController> taken)
      throws CgroupException {
    NodeCgroupPath.check(nodePath);
    Path mountinfo = procRoot.resolve("self/mountinfo");
    List<CgroupMount> mounts =
        CgroupMount.parse(lines(mountinfo)).stream()
            .filter(mount -> taken.stream().noneMatch(mount::hasOnVersion1))
            .toList();
    Map<CgroupController, CgroupMount> found = new EnumMap<>(CgroupController.class);
    boolean unified = mounts.stream().anyMatch(mount -> mount.version() == CgroupVersion.V2);
    for (CgroupController controller : CgroupController.values()) {
      if (controller == CgroupController.FREEZER && unified) {
        continue; // one directory less for each container
      }
      mountOf(controller, mounts).ifPresent(mount -> found.put(controller, mount));
    }
    CgroupMount memory = found.get(CgroupController.MEMORY);
    if (memory == null) {
      throw new CgroupException(
          "no mounted cgroup hierarchy has the memory controller ("
              + mountinfo
              + "): mount cgroup v2 or the v1 memory controller, or "
              + WITHOUT_CGROUPS);
    }
    Optional<CgroupMount> disks = disksOfVersion1(found);
    return new CgroupLayout(nodePath, hierarchies(found, mounts), mounts, disks, procRoot, memory);
  }

  /**
   * Takes the v1 controller of disks out of those in whose hierarchies each container gets a
   * cgroup.
   *
   * @return where it is; empty if it has no hierarchy, or none of its own
   */
  private static Optional<CgroupMount> disksOfVersion1(Map<CgroupController, CgroupMount> found) {
    CgroupMount disks = found.get(CgroupController.IO);
    if (disks == null || disks.version() == CgroupVersion.V2) {
      return Optional.empty();
    }
    found.remove(CgroupController.IO);
    return found.containsValue(disks) ? Optional.empty() : Optional.of(disks);
  }

  private static List<String> lines(Path file) throws CgroupException {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new CgroupException("cannot read " + file + ": " + e + "; " + WITHOUT_CGROUPS, e);
    }
  }

  /** A controller is in one hierarchy only: v1 if mounted there, else v2 if listed there. */
  private static Optional<CgroupMount> mountOf(
      CgroupController controller, List<CgroupMount> mounts) {
    return widest(
            mounts.stream()
                .filter(m -> m.version() == CgroupVersion.V1)
                .filter(m -> m.options().contains(controller.kernelName(CgroupVersion.V1)))
                .toList())
        .or(
            () ->
                widest(
                    mounts.stream()
                        .filter(m -> m.version() == CgroupVersion.V2)
                        .filter(
                            m -> controllersOf(m).contains(controller.kernelName(CgroupVersion.V2)))
                        .toList()));
  }

  /** A hierarchy can be mounted more than once, in part: prefer the mount that shows all of it. */
  private static Optional<CgroupMount> widest(List<CgroupMount> mounts) {
    return mounts.stream()
        .filter(m -> m.root().equals("/"))
        .findFirst()
        .or(() -> mounts.stream().findFirst());
  }

  private static List<String> controllersOf(CgroupMount mount) {
    Path file = CgroupFile.CONTROLLERS.path(mount.mountPoint(), CgroupVersion.V2);
    try {
      return Arrays.asList(Files.readString(file).strip().split(" ", -1));
    } catch (IOException e) {
      return List.of(); // hidden from this process: as good as having no controllers
    }
  }

  private static List<CgroupHierarchy> hierarchies(
      Map<CgroupController, CgroupMount> found, List<CgroupMount> mounts) {
    List<CgroupMount> used = new ArrayList<>(found.values().stream().distinct().toList());
    if (used.stream().noneMatch(m -> m.version() == CgroupVersion.V2)) {
      widest(mounts.stream().filter(m -> m.version() == CgroupVersion.V2).toList())
          .ifPresent(used::add);
    }
    return used.stream()
        .map(
            mount -> {
              Set<CgroupController> controllers = EnumSet.noneOf(CgroupController.class);
              found.forEach(
                  (controller, where) -> {
                    if (where.equals(mount)) {
                      controllers.add(controller);
                    }
                  });
              return new CgroupHierarchy(mount.version(), mount.mountPoint(), controllers);
            })
        .toList();
  }

  /**
   * The memory cgroup that a process is in.
   *
   * @param pid of any process
   * @return nothing if the process has ended, or its cgroup is not visible here
   */
  public Optional<Path> memoryDirectory(long pid) {
    return directory(Long.toString(pid), memoryMount, CgroupController.MEMORY);
  }

  /**
   * The cgroup that a process is in, in one of {@link #hierarchies}.
   *
   * @param process its id, or self
   * @return nothing if it has ended, or its cgroup is not visible here
   */
  Optional<Path> directory(String process, CgroupHierarchy hierarchy) {
    CgroupController any =
        hierarchy.controllers().stream().sorted().findFirst().orElse(CgroupController.MEMORY);
    return mounts.stream()
        .filter(mount -> mount.mountPoint().equals(hierarchy.mountPoint()))
        .filter(mount -> mount.version() == hierarchy.version())
        .findFirst()
        .flatMap(mount -> directory(process, mount, any));
  }

  private Optional<Path> directory(String pid, CgroupMount mount, CgroupController controller) {
    try {
      return directory(
          Files.readAllLines(procRoot.resolve(pid).resolve("cgroup")), mount, controller);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Path> directory(
      List<String> procCgroup, CgroupMount mount, CgroupController controller) {
    for (String line : procCgroup) {
      String[] fields = line.split(":", 3); // number, controllers (none on v2), path
      if (fields.length == 3 && fields[2].startsWith("/")) {
        boolean matches =
            mount.version() == CgroupVersion.V2
                ? fields[0].equals("0")
                : Arrays.asList(fields[1].split(",", -1))
                    .contains(controller.kernelName(CgroupVersion.V1));
        if (matches) {
          return mount.locate(fields[2]);
        }
      }
    }
    return Optional.empty();
  }

  /** The version whose files hold the memory of containers. */
  public CgroupVersion version() {
    return memory().version();
  }

  /**
   * Every hierarchy in which each container gets a cgroup, once, the one with the memory controller
   * first.
   */
  public List<CgroupHierarchy> hierarchies() {
    return hierarchies;
  }

  /** Every hierarchy in which classes have cgroups: with one in which containers have none. */
  public List<CgroupHierarchy> ofClasses() {
    return Stream.concat(hierarchies.stream(), disks().stream()).toList();
  }

  private Optional<CgroupHierarchy> disks() {
    return disks.map(
        mount ->
            new CgroupHierarchy(mount.version(), mount.mountPoint(), Set.of(CgroupController.IO)));
  }

  /**
   * The cgroup that the processes of a class are in themselves, beside those of their containers:
   * that of disks on version 1. Who never was best-effort stays where this process is.
   */
  Optional<Path> sharedDirectory(ContainerClass containerClass) {
    return containerClass == ContainerClass.BEST_EFFORT
        ? disks().map(hierarchy -> classDirectory(hierarchy, containerClass))
        : disks.map(
            mount -> directory("self", mount, CgroupController.IO).orElse(mount.mountPoint()));
  }

  /** The hierarchy with the memory controller. */
  public CgroupHierarchy memory() {
    return hierarchies.get(0);
  }

  /** The hierarchy with the controller, or nothing if this machine has none. */
  public Optional<CgroupHierarchy> hierarchy(CgroupController controller) {
    return ofClasses().stream().filter(h -> h.has(controller)).findFirst();
  }

  /** The memory cgroup that this process is in, or nothing if it is not visible here. */
  public Optional<Path> selfMemoryDirectory() {
    return selfMemoryDirectory;
  }

  /** The node's cgroup below the mount points, such as /charon. */
  public String nodePath() {
    return nodePath;
  }

  /**
   * The cgroups of a class that are named after containers: what Charon did not make has another
   * name.
   *
   * @return by container id; none if the class has no cgroup
   * @throws IOException naming the directory that cannot be read
   */
  public SortedMap<String, Path> containers(
      CgroupHierarchy hierarchy, ContainerClass containerClass) throws IOException {
    return CgroupDirectories.containers(classDirectory(hierarchy, containerClass));
  }

  /** The node's cgroup in the hierarchy. */
  public Path nodeDirectory(CgroupHierarchy hierarchy) {
    return hierarchy.mountPoint().resolve(nodePath.substring(1));
  }

  /** The parent cgroup of all containers of a class in the hierarchy. */
  public Path classDirectory(CgroupHierarchy hierarchy, ContainerClass containerClass) {
    return nodeDirectory(hierarchy).resolve(containerClass.directoryName());
  }

  /** The path of a class's parent cgroup below the mount points, such as /charon/best-effort. */
  public String classPath(ContainerClass containerClass) {
    return nodePath + "/" + containerClass.directoryName();
  }

  /**
   * The cgroup of one container in the hierarchy.
   *
   * @throws IllegalArgumentException if the id is not 1 to 128 of A-Z, a-z, 0-9, "_" and "-"
   */
  public Path containerDirectory(
      CgroupHierarchy hierarchy, ContainerClass containerClass, String containerId) {
    checkContainerId(containerId);
    return classDirectory(hierarchy, containerClass).resolve(containerId);
  }

  /**
   * The container's memory cgroup that a directory is in, however deep.
   *
   * @return nothing if the directory is in no container's cgroup of this node
   */
  Optional<Path> containerAbove(Path directory) {
    for (ContainerClass containerClass : ContainerClass.values()) {
      Path parent = classDirectory(memory(), containerClass);
      if (directory.startsWith(parent) && !directory.equals(parent)) {
        return Optional.of(parent.resolve(parent.relativize(directory).getName(0)));
      }
    }
    return Optional.empty();
  }

  /** Whether the text may name a container's cgroup: 1 to 128 of A-Z, a-z, 0-9, "_" and "-". */
  public static boolean isContainerId(String text) {
    return CONTAINER_ID.matcher(text).matches();
  }

  /**
   * Refuses text that could leave the container's place in the tree.
   *
   * @throws IllegalArgumentException naming the value
   */
  static void checkContainerId(String containerId) {
    if (!isContainerId(containerId)) {
      throw new IllegalArgumentException(
          "container id '"
              + printable(containerId)
              + "' cannot name a cgroup: allowed are 1 to 128 of A-Z, a-z, 0-9, '_' and '-'");
    }
  }

  /** Refused text goes into logs: without line breaks and not at any length. */
  static String printable(String text) {
    String shown =
        text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "...";
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
