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
import java.util.stream.Stream;

/**
 * The location of this node's cgroups on cgroup v1, v2, or hybrid machines (v1 controllers beside a
 * unified hierarchy). It only knows paths; {@link CgroupWriter} changes the cgroups and the sensors
 * read them.
 *
 * <pre>MOUNT/NODE_PATH/{production,best-effort}/CONTAINER_ID</pre>
 */
public final class CgroupLayout {
  /** Reason why limits cannot be set where the operator disabled cgroups, with the cure. */
  public static final String NONE =
      "containers have no cgroups of their own: set yarn.nodemanager.charon.mode to enforce and"
          + " yarn.nodemanager.charon.cgroup.enabled to true";

  private static final String WITHOUT_CGROUPS =
      "set yarn.nodemanager.charon.cgroup.enabled to false to run without cgroups";
  private static final String ID_CHARACTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  private static final int LONGEST_CONTAINER_ID = 128;
  private static final int SHOWN_CHARACTERS = 160;

  private final List<CgroupHierarchy> hierarchies;
  private final List<CgroupMount> mounts;
  private final List<CgroupHierarchy> shared;
  private final Path procRoot;
  private final CgroupMount memoryMount;
  private final Optional<Path> selfMemoryDirectory;
  private final NodeDirectories directories;

  private CgroupLayout(
      String nodePath,
      List<CgroupHierarchy> hierarchies,
      List<CgroupMount> mounts,
      List<CgroupHierarchy> shared,
      Path procRoot,
      CgroupMount memoryMount)
      throws CgroupException {
    this.hierarchies = List.copyOf(hierarchies);
    this.mounts = List.copyOf(mounts);
    this.shared = List.copyOf(shared);
    this.procRoot = procRoot;
    this.memoryMount = memoryMount;
    this.selfMemoryDirectory =
        directory(lines(procRoot.resolve("self/cgroup")), memoryMount, CgroupController.MEMORY)
            .filter(Files::isDirectory);
    this.directories = NodeDirectories.of(nodePath, memoryMount, selfMemoryDirectory);
  }

  /**
   * Detects the layout from the mounts of this process.
   *
   * @param procRoot the mount point of proc, usually /proc
   * @param nodePath the node's cgroup below the mount points, such as /charon: absolute, not "/",
   *     without empty, "." and ".." segments; or {@link NodeCgroupPath#AUTOMATIC}
   * @throws CgroupException if nodePath is not valid, if procRoot cannot be read, or if no mounted
   *     hierarchy has the memory controller
   */
  public static CgroupLayout detect(Path procRoot, String nodePath) throws CgroupException {
    return detect(procRoot, nodePath, Set.of());
  }

  /**
   * Detects the layout without the v1 hierarchies in which YARN itself places containers.
   *
   * @param taken the controllers of those hierarchies
   * @throws CgroupException as above, and if the memory controller is in one of those hierarchies
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
        continue; // saves one directory per container
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
    List<CgroupHierarchy> shared = sharedOfVersion1(found);
    return new CgroupLayout(nodePath, hierarchies(found, mounts), mounts, shared, procRoot, memory);
  }

  /**
   * Removes the controllers whose v1 cgroups the containers of a class share from those in whose
   * hierarchies each container gets a cgroup.
   *
   * @return the hierarchies of these controllers, without those that other controllers share
   */
  private static List<CgroupHierarchy> sharedOfVersion1(Map<CgroupController, CgroupMount> found) {
    Map<CgroupController, CgroupMount> shared = new EnumMap<>(found);
    shared.keySet().removeIf(controller -> !controller.isOfClasses());
    shared.values().removeIf(mount -> mount.version() == CgroupVersion.V2);
    found.keySet().removeAll(shared.keySet());
    shared.values().removeIf(found::containsValue);
    return hierarchies(shared, List.of());
  }

  private static List<String> lines(Path file) throws CgroupException {
    try {
      return CgroupMount.lines(file);
    } catch (IOException e) {
      throw new CgroupException("cannot read " + file + ": " + e + "; " + WITHOUT_CGROUPS, e);
    }
  }

  /**
   * Returns the mount of a controller, which belongs to a single hierarchy: v1 if it is mounted
   * there, otherwise v2 if it is listed there.
   */
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

  /**
   * Returns the mount that shows the whole hierarchy if there is one, since a hierarchy can be
   * mounted several times and in part.
   */
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
      return List.of(); // hidden from this process, which is equivalent to no controllers
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
   * Returns the memory cgroup of a process.
   *
   * @param pid the process
   * @return empty if the process has ended or its cgroup is not visible here
   */
  public Optional<Path> memoryDirectory(long pid) {
    return directory(Long.toString(pid), memoryMount, CgroupController.MEMORY);
  }

  /**
   * Returns the cgroup of a process in one of {@link #hierarchies}.
   *
   * @param process the process id, or "self"
   * @return empty if the process has ended or its cgroup is not visible here
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
          CgroupMount.lines(procRoot.resolve(pid).resolve("cgroup")), mount, controller);
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

  /** Returns the version of the hierarchy that counts the memory of containers. */
  public CgroupVersion version() {
    return memory().version();
  }

  /**
   * Returns every hierarchy in which each container gets a cgroup, without duplicates, the one with
   * the memory controller first.
   */
  public List<CgroupHierarchy> hierarchies() {
    return hierarchies;
  }

  /**
   * Returns every hierarchy in which the classes have cgroups, including those of version 1 in
   * which containers have none.
   */
  public List<CgroupHierarchy> ofClasses() {
    return Stream.concat(hierarchies.stream(), shared.stream()).toList();
  }

  /**
   * Returns, for each hierarchy in which containers have no cgroup, the cgroups of a class's
   * processes, which enter the first that admits them. Production starts in that of this process,
   * to which this process may have no right of return.
   */
  List<List<Path>> sharedDirectories(ContainerClass containerClass) {
    return shared.stream()
        .map(
            hierarchy ->
                containerClass == ContainerClass.PRODUCTION
                    ? List.of(
                        directory("self", hierarchy).orElse(hierarchy.mountPoint()),
                        classDirectory(hierarchy, containerClass))
                    : List.of(classDirectory(hierarchy, containerClass)))
        .toList();
  }

  /** Returns the hierarchy with the memory controller. */
  public CgroupHierarchy memory() {
    return hierarchies.get(0);
  }

  /** Returns the hierarchy with the controller; empty if this machine has none. */
  public Optional<CgroupHierarchy> hierarchy(CgroupController controller) {
    return ofClasses().stream().filter(h -> h.has(controller)).findFirst();
  }

  /** Returns the memory cgroup of this process; empty if it is not visible here. */
  public Optional<Path> selfMemoryDirectory() {
    return selfMemoryDirectory;
  }

  /** Returns the node's cgroup path below the mount points, such as /charon. */
  public String nodePath() {
    return directories.nodePath();
  }

  /**
   * Returns the cgroups of a class that are named after containers; cgroups that Charon did not
   * create have other names.
   *
   * @return directory by container id; empty if the class has no cgroup
   * @throws IOException naming the directory that cannot be read
   */
  public SortedMap<String, Path> containers(
      CgroupHierarchy hierarchy, ContainerClass containerClass) throws IOException {
    return CgroupDirectories.containers(classDirectory(hierarchy, containerClass));
  }

  /** Returns the node's cgroup in the hierarchy. */
  public Path nodeDirectory(CgroupHierarchy hierarchy) {
    return directories.in(hierarchy.mountPoint()).node();
  }

  /** Returns the parent cgroup of all containers of a class in the hierarchy. */
  public Path classDirectory(CgroupHierarchy hierarchy, ContainerClass containerClass) {
    return directories.in(hierarchy.mountPoint()).of(containerClass);
  }

  /**
   * Returns the path of a class's parent cgroup below the mount points, such as
   * /charon/best-effort.
   */
  public String classPath(ContainerClass containerClass) {
    return nodePath() + "/" + containerClass.directoryName();
  }

  /**
   * Returns the cgroup of one container in the hierarchy.
   *
   * @throws IllegalArgumentException if the id is not 1 to 128 of A-Z, a-z, 0-9, "_" and "-"
   */
  public Path containerDirectory(
      CgroupHierarchy hierarchy, ContainerClass containerClass, String containerId) {
    checkContainerId(containerId);
    return classDirectory(hierarchy, containerClass).resolve(containerId);
  }

  /**
   * Returns the container's memory cgroup that contains a directory, at any depth.
   *
   * @return empty if the directory is in no container's cgroup of this node
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

  /**
   * Returns whether the text may name a container's cgroup: 1 to 128 of A-Z, a-z, 0-9, "_" and "-".
   */
  public static boolean isContainerId(String text) {
    boolean allowed = !text.isEmpty() && text.length() <= LONGEST_CONTAINER_ID;
    for (int i = 0; allowed && i < text.length(); i++) {
      allowed = ID_CHARACTERS.indexOf(text.charAt(i)) >= 0;
    }
    return allowed;
  }

  /**
   * Rejects text that could lead outside the container's place in the tree.
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

  /** Makes rejected text safe for logs: without control characters and shortened. */
  static String printable(String text) {
    String shown =
        text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "...";
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
