/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** Tells this machine from others by host names and addresses. */
public final class ThisMachine {
  private ThisMachine() {}

  /**
   * Returns whether a host is this machine.
   *
   * @param host name or address; an IPv6 address may be in brackets
   * @throws IOException if the name is unknown
   */
  public static boolean is(String host) throws IOException {
    for (InetAddress address : InetAddress.getAllByName(host)) {
      if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a host is the wildcard address, on which a daemon listens everywhere. */
  public static boolean isAnyAddress(String host) {
    return host.equals("0.0.0.0") || host.equals("[::]");
  }
}
