/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The working set of every container that has a memory cgroup on this node. */
public final class ContainerMemorySensor {
  private final CgroupLayout layout;

  public ContainerMemorySensor(CgroupLayout layout) {
    this.layout = layout;
  }

  /**
   * One read of one file per container. A container whose cgroup vanishes meanwhile is absent.
   *
   * @return by container id; empty if the node's cgroup does not exist
   * @throws IOException naming the file if an existing cgroup cannot be read
   */
  public Map<String, ContainerMemory> read() throws IOException {
    Map<String, ContainerMemory> containers = new TreeMap<>();
    CgroupHierarchy memory = layout.memory();
    for (ContainerClass containerClass : ContainerClass.values()) {
      Path parent = layout.classDirectory(memory, containerClass);
      try (DirectoryStream<Path> entries =
          Files.newDirectoryStream(
              parent, entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))) {
        for (Path cgroup : entries) {
          read(cgroup, containerClass, containers);
        }
      } catch (NoSuchFileException e) {
        // No container of this class can be there.
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    return containers;
  }

  private void read(
      Path cgroup, ContainerClass containerClass, Map<String, ContainerMemory> containers)
      throws IOException {
    String id = cgroup.getFileName().toString();
    if (!CgroupLayout.isContainerId(id)) {
      return; // not made by Charon
    }
    try (MemoryStat stat = new MemoryStat(cgroup, layout.version())) {
      stat.read();
      containers.put(id, new ContainerMemory(id, containerClass, stat.workingSetBytes()));
    } catch (IOException e) {
      if (Files.exists(cgroup)) {
        throw e;
      }
    }
  }
}
