/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.io.IOException;
import java.nio.file.Path;

/** Registers a container, in a process of its own: arguments bpffs, domain, container. */
final class UnprivilegedClient {
  private UnprivilegedClient() {}

  public static void main(String[] arguments) throws IOException {
    try (KernelKiller killer = KernelKiller.open(Path.of(arguments[0]))) {
      killer.register(
          CgroupId.of(Path.of(arguments[2])),
          new ContainerRegistration(CgroupId.of(Path.of(arguments[1])), 0, 500));
      System.out.println("registered in tier " + killer.tier());
    } catch (KernelKillerException e) {
      System.out.println(e.getMessage());
    }
  }
}
