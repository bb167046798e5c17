/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.TypeConversionException;

/**
 * The address of a NodeManager's web server.
 *
 * @param host name or address; an IPv6 address in brackets
 * @param port TCP port, 1 to 65535
 */
public record NodeAddress(String host, int port) {
  /**
   * Parses {@code HOST:PORT}.
   *
   * @param text what the user typed
   * @return the address
   * @throws TypeConversionException if it is anything else, so that picocli explains the usage
   */
  public static NodeAddress parse(String text) {
    try {
      URI uri = new URI("http://" + text);
      boolean bare =
          uri.getRawPath().isEmpty()
              && uri.getRawQuery() == null
              && uri.getRawUserInfo() == null
              && uri.getRawFragment() == null;
      if (bare && uri.getHost() != null && uri.getPort() >= 1 && uri.getPort() <= 65535) {
        return new NodeAddress(uri.getHost(), uri.getPort());
      }
    } catch (URISyntaxException e) {
      // Reported below, in the user's terms.
    }
    throw new TypeConversionException("'" + text + "' is not HOST:PORT, such as node1:8042");
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
