/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.regulation;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Limits what best-effort sends through one network device, by a token bucket. The helper {@code
 * ua-killer network} does the work, because this process holds no privilege.
 */
public final class TrafficShaper implements LimitActuator {
  /**
   * A limit below this, 1 Mbit/s, means this. Ours: a token bucket cannot give nothing, and
   * containers that cannot even send a heartbeat lose the work they have done.
   */
  public static final long LEAST_BYTES_PER_SECOND = 125_000;

  private static final double MOST_BYTES_PER_SECOND = 1e12;
  private static final String CAPABILITY = "CAP_NET_ADMIN";
  private static final int SHOWN_BYTES = 2000;

  private final List<String> helper;
  private final NetworkDevice device;
  private final Optional<Path> bestEffort;
  private final Duration patience;

  /**
   * Nothing is installed yet.
   *
   * @param helper the command that is ua-killer, its program as an absolute path
   * @param device through which best-effort sends
   * @param bestEffort the common parent of best-effort in the unified hierarchy; empty where that
   *     is not mounted
   * @param patience how long one call of the helper may take
   */
  public TrafficShaper(
      List<String> helper, NetworkDevice device, Optional<Path> bestEffort, Duration patience) {
    this.helper = List.copyOf(helper);
    this.device = device;
    this.bestEffort = bestEffort;
    this.patience = patience;
  }

  /** The common parent of best-effort in the hierarchy by which the kernel knows senders. */
  public static Optional<Path> bestEffortIn(CgroupLayout layout) {
    return layout.hierarchies().stream()
        .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
        .findFirst()
        .map(hierarchy -> layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT));
  }

  @Override
  public Optional<String> unavailable() {
    Path program = Path.of(helper.get(0));
    if (bestEffort.isEmpty()) {
      return Optional.of("cgroup v2, by which the kernel knows who sends, is not mounted");
    }
    if (!program.isAbsolute() || !Files.isExecutable(program)) {
      return Optional.of(
          program + " is no program that may be run: install ua-killer, and name its whole path");
    }
    try {
      Answer answer = run("self-test");
      return answer.code() == 0 ? Optional.empty() : Optional.of(explain(answer));
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public String apply(double limit) throws IOException {
    long rate = (long) Math.min(MOST_BYTES_PER_SECOND, Math.max(LEAST_BYTES_PER_SECOND, limit));
    Path cgroup =
        bestEffort.orElseThrow(() -> new IOException("cgroup v2 is not mounted, nothing is done"));
    Answer answer = run("limit", "--cgroup", cgroup.toString(), "--rate", Long.toString(rate));
    if (answer.code() != 0) {
      throw new IOException(explain(answer));
    }
    return "%s: best-effort may send %d bytes/s".formatted(device.name(), rate);
  }

  @Override
  public void undo() throws IOException {
    if (!Files.isExecutable(Path.of(helper.get(0))) && !device.isAnyShaped()) {
      return; // never installed: nothing can be left
    }
    Optional<String> failure;
    try {
      Answer answer = run("clear");
      failure = answer.code() == 0 ? Optional.empty() : Optional.of(explain(answer));
    } catch (IOException e) {
      failure = Optional.of(e.getMessage());
    }
    if (failure.isPresent()) {
      throw new IOException(
          "best-effort may still be limited on %s: %s; by hand, as root: ua-killer network clear --device %1$s"
              .formatted(device.name(), failure.get()));
    }
  }

  private record Answer(int code, String text) {}

  private String explain(Answer answer) {
    return answer.text().contains(CAPABILITY)
        ? "%s; as root: setcap cap_net_admin,cap_bpf=p %s".formatted(answer.text(), helper.get(0))
        : answer.text();
  }

  /** Without a shell, and without this process's environment. */
  private Answer run(String command, String... options) throws IOException {
    List<String> words = new ArrayList<>(helper);
    words.addAll(List.of("network", command, "--device", device.name()));
    words.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().clear();
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "%s network %s has not ended after %d ms"
                .formatted(helper.get(0), command, patience.toMillis()));
      }
      return new Answer(process.exitValue(), said(process));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while " + helper.get(0) + " ran").initCause(e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** What it wrote is in the pipe by now; to wait for more could be to wait for ever. */
  private static String said(Process process) throws IOException {
    InputStream output = process.getInputStream();
    byte[] text = output.readNBytes(Math.min(output.available(), SHOWN_BYTES));
    String said = new String(text, StandardCharsets.UTF_8).strip();
    return said.isEmpty() ? "exit code " + process.exitValue() : said;
  }
}
