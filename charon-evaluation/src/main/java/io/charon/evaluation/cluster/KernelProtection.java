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
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.RegulatorKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel UA killer, loaded for the nodes of a {@link YarnCluster}, optionally with swap for
 * them; closing it removes both.
 */
public final class KernelProtection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KernelProtection.class);

  /**
   * Size of the compressed swap of all nodes, as an operator would configure it, MiB; holds the
   * memory that exceeds the nodes.
   */
  private static final int SWAP_MB = 8192;

  private final Cleanup cleanup;
  private final UaKiller killer;

  private KernelProtection(Cleanup cleanup, UaKiller killer) {
    this.cleanup = cleanup;
    this.killer = killer;
  }

  /**
   * Loads the killer and creates swap.
   *
   * @param root the repository, where the killer is built
   * @param name name of the killer's bpffs below /run, unique on this machine
   * @throws IOException if this machine does not allow it; the message says what is missing
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
   * Loads the killer if this machine allows it.
   *
   * @param swap whether swap is created too
   * @param missing receives a line for the user that says why there is no killer
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

  /**
   * Returns whether this machine allows the killer, which is loaded and unloaded.
   *
   * @param swap whether swap has to be possible too
   */
  public static boolean canLoad(Path root, String name, boolean swap) throws InterruptedException {
    Optional<KernelProtection> loaded = tryLoad(root, name, swap, why -> {});
    loaded.ifPresent(KernelProtection::close);
    return loaded.isPresent();
  }

  /** Does the same as {@link #load}, but creates no swap. */
  public static KernelProtection loadWithoutSwap(Path root, String name)
      throws IOException, InterruptedException {
    Path program = NativeTools.of(root).killer();
    UaKiller.removeLeftovers(program);
    Cleanup cleanup = new Cleanup();
    try {
      UaKiller killer = UaKiller.of(program, name, cleanup);
      killer.load();
      killer.startHelper();
      return new KernelProtection(cleanup, killer);
    } catch (IOException e) {
      cleanup.close();
      throw e;
    }
  }

  /**
   * Unloads a killer that a killed process has left behind; does nothing if there is none.
   *
   * @param root the repository, where the killer is built
   * @param name name of the killer's bpffs below /run
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

  /** Returns the killer. */
  public UaKiller killer() {
    return killer;
  }

  /**
   * Returns the NodeManager properties that name the killer's socket and the tool that sets
   * best-effort's memory limit.
   */
  public Map<String, String> nodeManagerProperties() {
    return Map.of(
        KernelKillerSettings.SOCKET,
        killer.socket().toString(),
        RegulatorKeys.HELPER,
        killer.program().toString());
  }

  /**
   * Makes every node of a cluster a domain in which best-effort containers may be killed. The
   * killer is unloaded before the cluster removes its cgroups, because its helper would create the
   * killable roots again.
   */
  public void protect(YarnCluster cluster) throws IOException, InterruptedException {
    cluster.beforeRemoval(this::unload);
    for (ClusterNode node : cluster.nodes()) {
      if (node.cgroup().isPresent()) {
        Path directory = node.cgroup().get().directory();
        addDomain(directory, directory);
      }
    }
  }

  /**
   * Does the same for a cluster of one node, whose domain also holds the cgroups beside the node's,
   * such as those of services.
   */
  public void protectWithServices(YarnCluster cluster) throws IOException, InterruptedException {
    cluster.beforeRemoval(this::unload);
    Path directory = cluster.nodes().get(0).cgroup().orElseThrow().directory();
    addDomain(directory.getParent(), directory);
  }

  private void addDomain(Path domain, Path node) throws IOException, InterruptedException {
    killer.run(
        "domain",
        "add",
        domain.toString(),
        "--killable-below",
        node.resolve(ContainerClass.BEST_EFFORT.directoryName()).toString());
  }

  private void unload() {
    try {
      killer.unload();
    } catch (IOException e) {
      LOG.warn("The kernel UA killer stays loaded until the command ends", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    cleanup.close();
  }
}
