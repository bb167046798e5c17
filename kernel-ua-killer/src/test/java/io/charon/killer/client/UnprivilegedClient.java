/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Registers a container, in a process of its own, once a line on its standard input tells it to;
 * its arguments are socket, domain and container.
 */
final class UnprivilegedClient {
  private UnprivilegedClient() {}

  public static void main(String[] arguments) throws IOException {
    System.in.read();
    try (KernelKiller killer = KernelKiller.open(Path.of(arguments[0]), Duration.ofSeconds(10))) {
      Map<Long, String> refused =
          killer.update(
              CgroupId.of(Path.of(arguments[1])),
              Map.of(CgroupId.of(Path.of(arguments[2])), new ContainerRegistration(0, 500)),
              Set.of());
      System.out.println("registered in tier " + killer.tier() + refused);
    } catch (KernelKillerException e) {
      System.out.println("refused " + e.refused() + ": " + e.getMessage());
    }
  }
}
