/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Files;
import java.util.Optional;

/**
 * Checks whether BPF programs with kernel type information can be loaded, which the in-kernel
 * killer needs.
 */
final class BpfCheck implements Check {
  private static final String NAME = "BPF";

  private final KernelFiles kernel;

  BpfCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    boolean typeInformation = Files.isReadable(kernel.sys().resolve("kernel/btf/vmlinux"));
    boolean mayLoad =
        kernel.hasCapability(KernelFiles.CAP_SYS_ADMIN)
            || (kernel.hasCapability(KernelFiles.CAP_BPF)
                && kernel.hasCapability(KernelFiles.CAP_PERFMON));
    Optional<Mount> mount =
        kernel.mounts().stream().filter(candidate -> candidate.type().equals("bpf")).findFirst();
    String detail =
        "kernel types (BTF) %s, loading %s by capabilities, bpffs %s, kernel.unprivileged_bpf_disabled=%s"
            .formatted(
                typeInformation ? "there" : "absent",
                mayLoad ? "permitted" : "not permitted",
                mount.map(found -> "at " + found.point()).orElse("not mounted"),
                kernel
                    .read(kernel.proc().resolve("sys/kernel/unprivileged_bpf_disabled"))
                    .orElse("?"));
    if (!typeInformation) {
      return CheckResult.missing(NAME, detail, "use a kernel built with CONFIG_DEBUG_INFO_BTF=y");
    }
    if (!mayLoad) {
      return CheckResult.missing(NAME, detail, "run as root, or grant CAP_BPF and CAP_PERFMON");
    }
    return mount.isPresent()
        ? CheckResult.ok(NAME, detail)
        : CheckResult.degraded(NAME, detail, "mount -t bpf bpf /sys/fs/bpf");
  }
}
