/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.machine.UaKiller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The kernel UA killer of a test's node. */
final class KernelKillerOfNode implements AutoCloseable {
  private static final String NAME = "charon-it-" + ProcessHandle.current().pid();

  private final KernelProtection protection;

  private KernelKillerOfNode(KernelProtection protection) {
    this.protection = protection;
  }

  static KernelKillerOfNode load() throws IOException, InterruptedException {
    return new KernelKillerOfNode(
        KernelProtection.load(Path.of("").toAbsolutePath().getParent(), NAME));
  }

  static KernelKillerOfNode loadWithoutSwap() throws IOException, InterruptedException {
    return new KernelKillerOfNode(
        KernelProtection.loadWithoutSwap(Path.of("").toAbsolutePath().getParent(), NAME));
  }

  /** Returns the properties by which the NodeManager finds it. */
  Map<String, String> properties() {
    return protection.nodeManagerProperties();
  }

  void protect(TestNode node) throws IOException, InterruptedException {
    protection.protect(node.cluster());
  }

  /** Protects the node with the services beside it, which are registered with the same domain. */
  void protectWithServices(TestNode node) throws IOException, InterruptedException {
    protection.protectWithServices(node.cluster());
  }

  void unload() throws IOException, InterruptedException {
    killer().unload();
  }

  void loadAgain(TestNode node) throws IOException, InterruptedException {
    killer().load();
    killer().startHelper();
    protect(node);
  }

  /** Ends the helper with SIGKILL; the programs in the kernel stay. */
  void killHelper() {
    String own = UaKiller.bpffs(NAME).toString();
    List<ProcessHandle> helpers =
        ProcessHandle.allProcesses()
            .filter(process -> arguments(process).containsAll(List.of(own, "reap")))
            .toList();
    assertThat(helpers).hasSize(1);
    helpers.forEach(ProcessHandle::destroyForcibly);
    helpers.forEach(process -> process.onExit().join());
  }

  private static List<String> arguments(ProcessHandle process) {
    return process.info().arguments().map(List::of).orElseGet(List::of);
  }

  void startHelper() throws IOException, InterruptedException {
    killer().startHelper();
  }

  /** Returns the names of the killable containers as the kernel has them. */
  Set<String> killable() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    for (JsonNode container : containers()) {
      if (container.path("killable").asBoolean()) {
        names.add(name(container));
      }
    }
    return names;
  }

  /**
   * Returns the entitlement of a watched cgroup as the kernel has it, bytes; -1 if there is none.
   */
  long entitledBytes(String name) throws IOException, InterruptedException {
    for (JsonNode container : containers()) {
      if (name(container).equals(name)) {
        return container.path("entitledBytes").asLong();
      }
    }
    return -1;
  }

  private JsonNode containers() throws IOException, InterruptedException {
    return killer().status().path("domains").path(0).path("containers");
  }

  private static String name(JsonNode container) {
    return Path.of(container.path("path").asText()).getFileName().toString();
  }

  private UaKiller killer() {
    return protection.killer();
  }

  @Override
  public void close() {
    protection.close();
  }
}
