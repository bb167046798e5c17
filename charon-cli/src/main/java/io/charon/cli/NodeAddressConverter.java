/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.status.NodeAddress;
import picocli.CommandLine.ITypeConverter;

/** Lets picocli read a {@link NodeAddress}. */
public final class NodeAddressConverter implements ITypeConverter<NodeAddress> {
  @Override
  public NodeAddress convert(String value) {
    return NodeAddress.parse(value);
  }
}
