/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An instance of the kernel UA killer with pins and a socket of its own, which coexists with other
 * instances on this machine.
 */
public final class UaKiller {
  private static final Path RUN = Path.of("/run");

  /** Directory of the pins in a killer's bpffs. */
  private static final String PINS = "charon";

  private final Path program;
  private final Path bpffs;
  private final ObjectMapper mapper = new ObjectMapper();
  private Optional<Process> helper = Optional.empty();
  private boolean loaded;
  private boolean discarded;

  private UaKiller(Path program, Path bpffs) {
    this.program = program;
    this.bpffs = bpffs;
  }

  /**
   * Creates a killer that is not loaded.
   *
   * @param program the program ua-killer
   * @param name name of the killer's bpffs below /run, unique on this machine
   * @param cleanup receives the step that unloads the killer
   */
  public static UaKiller of(Path program, String name, Cleanup cleanup) {
    UaKiller killer = new UaKiller(program, bpffs(name));
    cleanup.add(killer::discard);
    return killer;
  }

  /**
   * Returns the directory in which the maps of a killer are pinned.
   *
   * @param name as given to {@link #of}
   */
  public static Path bpffs(String name) {
    return RUN.resolve(name);
  }

  /** Returns the program ua-killer, which also sets limits. */
  public Path program() {
    return program;
  }

  /** Returns the socket of the helper. */
  public Path socket() {
    return bpffs.resolveSibling(bpffs.getFileName() + ".sock");
  }

  /**
   * Loads the killer.
   *
   * @param arguments arguments of {@code ua-killer load}
   * @throws IOException if loading fails; the message has the program's output
   */
  public synchronized void load(String... arguments) throws IOException, InterruptedException {
    if (discarded) {
      throw new IOException("this command is ending");
    }
    Files.createDirectories(bpffs);
    loaded = true;
    List<String> load = new ArrayList<>(List.of("load"));
    load.addAll(List.of(arguments));
    run(load.toArray(String[]::new));
  }

  /** Returns whether the killer is loaded. */
  public synchronized boolean isLoaded() {
    return loaded;
  }

  /** Starts the helper and waits until it is ready. */
  public synchronized void startHelper() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command("reap", "--socket", socket().toString()))
            .redirectError(Redirect.INHERIT)
            .start();
    helper = Optional.of(process);
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (line == null || !line.endsWith("is ready")) {
      throw new IOException("the helper of the kernel UA killer does not start: " + line);
    }
  }

  /** Returns the status, as printed by {@code ua-killer --json status}. */
  public JsonNode status() throws IOException, InterruptedException {
    return mapper.readTree(run("--json", "status"));
  }

  /**
   * Runs a command of {@code ua-killer}.
   *
   * @param words command and arguments
   * @return the program's output
   * @throws IOException if it fails; the message has the program's output
   */
  public String run(String... words) throws IOException, InterruptedException {
    return Programs.run(command(words));
  }

  /**
   * Ends the helpers and unloads the killers of all demos, benchmarks, tests and clusters that were
   * killed before they could do it themselves.
   *
   * @param program the program ua-killer
   * @throws IOException if one cannot be unloaded; the message says why
   */
  public static void removeLeftovers(Path program) throws IOException, InterruptedException {
    try (Stream<Path> found = Files.list(RUN)) {
      for (Path bpffs : found.filter(Files::isDirectory).toList()) {
        if (ProcessNames.isLeftover(bpffs.getFileName().toString())) {
          new UaKiller(program, bpffs).removeLeftover();
        }
      }
    }
  }

  /** Ends the helper and unloads the killer that a killed process has left behind. */
  public synchronized void removeLeftover() throws IOException, InterruptedException {
    ProcessHandle.allProcesses().filter(this::isHelper).forEach(ProcessHandle::destroyForcibly);
    loaded = true;
    discard();
  }

  private boolean isHelper(ProcessHandle process) {
    return process
        .info()
        .arguments()
        .filter(arguments -> List.of(arguments).contains(bpffs.toString()))
        .isPresent();
  }

  /** Ends the helper and unloads the killer. */
  public synchronized void unload() throws IOException, InterruptedException {
    if (helper.isPresent()) {
      Process process = helper.get();
      process.destroy();
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      helper = Optional.empty();
    }
    if (loaded) {
      loaded = false;
      if (Files.exists(bpffs.resolve(PINS))) { // unless loading failed, or its process was killed
        run("unload");
      }
    }
  }

  /** Unloads the killer for good: a command that is being ended must not load it again. */
  private synchronized void discard() throws IOException, InterruptedException {
    discarded = true;
    unload();
    Files.deleteIfExists(socket());
    if (Files.exists(bpffs)) {
      if (Files.readString(Path.of("/proc/self/mounts")).contains(" " + bpffs + " ")) {
        Programs.run(List.of("umount", bpffs.toString()));
      }
      Files.delete(bpffs);
    }
  }

  private List<String> command(String... words) {
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "--bpffs", bpffs.toString()));
    command.addAll(List.of(words));
    return command;
  }
}
