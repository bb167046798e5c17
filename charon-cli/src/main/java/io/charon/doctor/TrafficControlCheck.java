/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Checks for iproute2's {@code tc} and the permission to use it, for limits on network traffic. */
final class TrafficControlCheck implements Check {
  private static final String NAME = "tc";

  private final KernelFiles kernel;
  private final ProgramFinder finder;

  TrafficControlCheck(KernelFiles kernel, ProgramFinder finder) {
    this.kernel = kernel;
    this.finder = finder;
  }

  @Override
  public CheckResult run() {
    var program = finder.find("tc");
    if (program.isEmpty()) {
      return CheckResult.missing(NAME, "no tc on PATH", "apt-get install -y iproute2");
    }
    boolean configure = kernel.hasCapability(KernelFiles.CAP_NET_ADMIN);
    boolean namespaces = kernel.hasCapability(KernelFiles.CAP_SYS_ADMIN);
    String detail =
        "%s, may %sconfigure interfaces, may %screate network namespaces"
            .formatted(program.get(), configure ? "" : "not ", namespaces ? "" : "not ");
    return configure && namespaces
        ? CheckResult.ok(NAME, detail)
        : CheckResult.degraded(
            NAME, detail, "run as root, or grant CAP_NET_ADMIN and CAP_SYS_ADMIN");
  }
}
