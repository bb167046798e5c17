/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Allocates ports that nothing listens on. They lie below the kernel's ephemeral range (32768 and
 * above by default), so that no outgoing connection takes one between the probe and the daemon's
 * start.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int COUNT = 500;
  private static final int PROCESSES = 20;
  private static final int ATTEMPTS = 1_000;

  /**
   * Processes that run at the same time have ports of their own: a daemon's port is free while it
   * restarts, and another process would take it.
   */
  private final int first = FIRST + COUNT * (int) (ProcessHandle.current().pid() % PROCESSES);

  private final Random random = new Random();
  private final Set<Integer> given = new HashSet<>();

  /**
   * Returns a port that is free on an address and that this object has not returned before.
   *
   * @throws IOException if no port was found
   */
  public int next(String address) throws IOException {
    InetAddress host = InetAddress.getByName(address);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = first + random.nextInt(COUNT);
      if (!given.contains(port) && isFree(host, port)) {
        given.add(port);
        return port;
      }
    }
    throw new IOException(
        "No free port on " + address + " from " + first + " to " + (first + COUNT - 1));
  }

  private static boolean isFree(InetAddress host, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }
}
