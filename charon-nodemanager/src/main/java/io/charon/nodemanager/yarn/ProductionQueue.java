/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.util.LinkedHashMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;

/**
 * YARN's queue of guaranteed containers. YARN puts each of them into it and starts it at once, but
 * the state store says that it waits until its launch has been prepared. A NodeManager that ends
 * meanwhile finds it there after the restart; while Charon is in charge it is localized again, like
 * a best-effort container that waited.
 */
final class ProductionQueue extends LinkedHashMap<ContainerId, Container> {
  private static final long serialVersionUID = 1L;

  private final transient RecoveredStatus recoveredStatus;
  private final transient BooleanSupplier charonInCharge;

  ProductionQueue(RecoveredStatus recoveredStatus, BooleanSupplier charonInCharge) {
    this.recoveredStatus = recoveredStatus;
    this.charonInCharge = charonInCharge;
  }

  /** Adds a container, except one that waited before the restart: YARN adds that one again. */
  @Override
  public Container put(ContainerId containerId, Container container) {
    return charonInCharge.getAsBoolean() && recoveredStatus.startAgain(container)
        ? null
        : super.put(containerId, container);
  }
}
