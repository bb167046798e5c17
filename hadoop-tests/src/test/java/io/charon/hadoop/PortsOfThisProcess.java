/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import org.apache.hadoop.conf.Configuration;

/**
 * Hadoop's tests listen on ports that they choose themselves; so that several processes can run
 * them side by side, each process has a range of its own and finds the same ports in there.
 */
final class PortsOfThisProcess extends Configuration {
  private static final String LISTENING = "yarn\\.nodemanager\\.(localizer\\.)?address";
  private static final int FIRST = 20_000;
  private static final int EACH = 1_000;

  PortsOfThisProcess(Configuration configuration) {
    super(configuration);
  }

  @Override
  public void set(String name, String value) {
    super.set(name, name.matches(LISTENING) ? shifted(value) : value);
  }

  private static String shifted(String address) {
    int colon = address.lastIndexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    int process = Integer.getInteger("charon.hadoop-tests.process", 0);
    return address.substring(0, colon + 1) + (FIRST + EACH * process + port % EACH);
  }
}
