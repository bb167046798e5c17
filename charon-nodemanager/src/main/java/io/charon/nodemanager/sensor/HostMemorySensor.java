/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;
import java.io.IOException;

/** Reads the node's memory if the node is the whole machine: MemTotal and MemAvailable. */
public final class HostMemorySensor implements NodeMemorySensor {
  private final MeminfoReader meminfo;

  /** Creates a sensor on a reader that the caller closes. */
  public HostMemorySensor(MeminfoReader meminfo) {
    this.meminfo = meminfo;
  }

  @Override
  public NodeMemory read() throws IOException {
    return meminfo.read();
  }

  @Override
  public MemoryReading readUse() throws IOException {
    return meminfo.readUse();
  }
}
