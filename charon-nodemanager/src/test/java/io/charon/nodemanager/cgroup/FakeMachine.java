/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A directory that simulates the cgroup mounts and the /proc of a machine. */
public final class FakeMachine {
  private final Path root;
  private final StringBuilder mountinfo =
      new StringBuilder("23 1 0:21 / /proc rw,nosuid - proc proc rw\nmalformed line - \n");
  private String selfCgroup = "";

  public FakeMachine(Path root) {
    this.root = root;
  }

  /** Creates a machine with pure v2, as with systemd. */
  public static FakeMachine v2(Path root) {
    return new FakeMachine(root)
        .mountV2("cgroup", "/", "cpuset cpu io memory pids")
        .self("0::/system.slice/nm.service\n");
  }

  /** Creates a machine with v1 and separate cpu and cpuacct. */
  public static FakeMachine v1(Path root) {
    return new FakeMachine(root)
        .mountV1("cgroup/cpu", "/", "rw,cpu")
        .mountV1("cgroup/cpuacct", "/", "rw,cpuacct")
        .mountV1("cgroup/cpuset", "/", "rw,cpuset")
        .mountV1("cgroup/memory", "/", "rw,memory")
        .mountV1("cgroup/systemd", "/", "rw,xattr,name=systemd")
        .self("4:memory:/yarn\n3:cpuset:/\n1:cpu:/\n0::/\n");
  }

  /** Sets the number of processors that {@code /proc/stat} lists. */
  public FakeMachine processors(int count) {
    StringBuilder stat = new StringBuilder("cpu 1 1 1 1 1 1 1\n");
    for (int i = 0; i < count; i++) {
      stat.append("cpu").append(i).append(" 1 1 1 1 1 1 1\n");
    }
    return file("proc/stat", stat.toString());
  }

  public FakeMachine mountV1(String path, String mountRoot, String options) {
    return mount(path, mountRoot, "cgroup cgroup " + options);
  }

  public FakeMachine mountV2(String path, String mountRoot, String controllers) {
    mount(path, mountRoot, "cgroup2 cgroup2 rw,nsdelegate");
    return file(path + "/cgroup.controllers", controllers + "\n")
        .file(path + "/cgroup.subtree_control", controllers + "\n");
  }

  private FakeMachine mount(String path, String mountRoot, String rest) {
    Path mountPoint = root.resolve(path);
    try {
      Files.createDirectories(mountPoint);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    mountinfo
        .append("31 23 0:28 ")
        .append(mountRoot)
        .append(' ')
        .append(mountPoint.toString().replace(" ", "\\040"))
        .append(" rw,relatime shared:9 - ")
        .append(rest)
        .append('\n');
    return this;
  }

  public FakeMachine self(String content) {
    selfCgroup = content;
    return this;
  }

  /** Writes a file below the root and creates its directories. */
  public FakeMachine file(String path, String content) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /**
   * Creates the files of a node's cgroups and of its two classes that the kernel would create on
   * v2.
   */
  public FakeMachine nodeCgroups() {
    for (String cgroup : List.of("charon", "charon/production", "charon/best-effort")) {
      file("cgroup/" + cgroup + "/cgroup.subtree_control", "cpuset cpu io memory pids\n");
      file("cgroup/" + cgroup + "/cpu.weight", "100\n");
    }
    return this;
  }

  /** Sets the page size that the kernel reports to this process. */
  public FakeMachine pageBytes(long bytes) {
    long[] vector = {33, 0, 6, bytes, 0, 0}; // type and value, see getauxval(3)
    ByteBuffer content =
        ByteBuffer.allocate(vector.length * Long.BYTES).order(ByteOrder.nativeOrder());
    content.asLongBuffer().put(vector);
    try {
      Files.write(
          Files.createDirectories(root.resolve("proc/self")).resolve("auxv"), content.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public CgroupLayout detect(String nodePath) throws CgroupException {
    file("proc/self/mountinfo", mountinfo.toString()).file("proc/self/cgroup", selfCgroup);
    return CgroupLayout.detect(root.resolve("proc"), nodePath);
  }

  public Path path(String path) {
    return root.resolve(path);
  }

  public String read(String path) throws IOException {
    return Files.readString(root.resolve(path)).strip();
  }
}
