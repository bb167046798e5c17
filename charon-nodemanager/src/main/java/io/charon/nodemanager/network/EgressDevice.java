/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.network;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The device through which best-effort sends, which may appear after the NodeManager has started.
 * The first one that is found stays, because its limit has to be removed. Thread-safe.
 */
public final class EgressDevice {
  /** Why there is none, with the cure. */
  public static final String MISSING =
      "this machine has no IPv4 default route: set"
          + " yarn.nodemanager.charon.regulator.network.device";

  private final Supplier<Optional<NetworkDevice>> search;
  private volatile Optional<NetworkDevice> known;

  /**
   * Searches for the device.
   *
   * @param search returns the device that is configured or has the default route
   */
  public EgressDevice(Supplier<Optional<NetworkDevice>> search) {
    this.search = search;
    this.known = search.get();
  }

  /** Returns the device; empty if none was found yet. */
  public Optional<NetworkDevice> known() {
    return known;
  }

  /** Returns the device, and searches for it unless it is known. */
  public Optional<NetworkDevice> find() {
    if (known.isEmpty()) {
      known = search.get();
    }
    return known;
  }
}
