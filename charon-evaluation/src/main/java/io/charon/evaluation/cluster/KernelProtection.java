/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.UaKiller;
import io.charon.evaluation.machine.ZramSwap;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel UA killer, loaded for the nodes of a {@link YarnCluster}, with swap for them; both go
 * when it is closed.
 */
public final class KernelProtection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KernelProtection.class);

  /** Compressed swap for all nodes, as an operator would give them; holds what outgrows them. */
  private static final int SWAP_MB = 8192;

  private final Cleanup cleanup;
  private final UaKiller killer;

  private KernelProtection(Cleanup cleanup, UaKiller killer) {
    this.cleanup = cleanup;
    this.killer = killer;
  }

  /**
   * Loads the killer and makes swap.
   *
   * @param root the repository, where the killer is built
   * @param name of its bpffs below /run, unique on this machine
   * @throws IOException with a word about what is missing, where this machine does not allow it
   */
  public static KernelProtection load(Path root, String name)
      throws IOException, InterruptedException {
    KernelProtection protection = loadWithoutSwap(root, name);
    try {
      ZramSwap.create(SWAP_MB, protection.cleanup);
      return protection;
    } catch (IOException e) {
      protection.close();
      throw e;
    }
  }

  /**
   * Loads the killer where this machine allows it.
   *
   * @param swap whether it makes swap, too
   * @param missing hears in one line for the user why there is none
   */
  public static Optional<KernelProtection> tryLoad(
      Path root, String name, boolean swap, Consumer<String> missing) throws InterruptedException {
    try {
      return Optional.of(swap ? load(root, name) : loadWithoutSwap(root, name));
    } catch (IOException e) {
      missing.accept(
          "Without the kernel UA killer; the user-space killer protects the nodes: "
              + e.getMessage().lines().findFirst().orElse("it cannot be loaded"));
      return Optional.empty();
    }
  }

  /** Like {@link #load}, where swap is somebody else's business. */
  public static KernelProtection loadWithoutSwap(Path root, String name)
      throws IOException, InterruptedException {
    Cleanup cleanup = new Cleanup();
    try {
      UaKiller killer = UaKiller.of(NativeTools.of(root).killer(), name, cleanup);
      killer.load();
      killer.startHelper();
      return new KernelProtection(cleanup, killer);
    } catch (IOException e) {
      cleanup.close();
      throw e;
    }
  }

  /**
   * Unloads the killer of a process that was killed; does nothing if there is none.
   *
   * @param root the repository, where the killer is built
   * @param name of its bpffs below /run
   * @throws IOException if it cannot be unloaded; the message says why
   */
  public static void removeLeftover(Path root, String name)
      throws IOException, InterruptedException {
    if (Files.exists(UaKiller.bpffs(name))) {
      try (Cleanup cleanup = new Cleanup()) {
        UaKiller.of(NativeTools.of(root).killer(), name, cleanup).removeLeftover();
      }
    }
  }

  /** The killer itself. */
  public UaKiller killer() {
    return killer;
  }

  /** What a NodeManager needs to find it, and the tool that moves best-effort's memory limit. */
  public Map<String, String> nodeManagerProperties() {
    return Map.of(
        "yarn.nodemanager.charon.killer.socket",
        killer.socket().toString(),
        "yarn.nodemanager.charon.regulator.helper",
        killer.program().toString());
  }

  /**
   * Makes every node of a cluster a domain, in which best-effort containers may be killed. It is
   * unloaded before the cluster removes its cgroups: its helper makes those anew below which
   * containers may be killed.
   */
  public void protect(YarnCluster cluster) throws IOException, InterruptedException {
    cluster.beforeRemoval(this::unload);
    for (ClusterNode node : cluster.nodes()) {
      if (node.cgroup().isPresent()) {
        Path directory = node.cgroup().get().directory();
        killer.run(
            "domain",
            "add",
            directory.toString(),
            "--killable-below",
            directory.resolve(ContainerClass.BEST_EFFORT.directoryName()).toString());
      }
    }
  }

  private void unload() {
    try {
      killer.unload();
    } catch (IOException e) {
      LOG.warn("The kernel UA killer stays loaded until the end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    cleanup.close();
  }
}
