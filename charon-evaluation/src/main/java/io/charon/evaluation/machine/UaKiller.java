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

/** The kernel UA killer with pins and a socket of its own, beside any other on this machine. */
public final class UaKiller {
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
   * Prepares a killer; nothing is loaded yet.
   *
   * @param program ua-killer
   * @param name of its bpffs below /run, unique on this machine
   * @param cleanup learns how to unload it
   */
  public static UaKiller of(Path program, String name, Cleanup cleanup) {
    UaKiller killer = new UaKiller(program, bpffs(name));
    cleanup.add(killer::discard);
    return killer;
  }

  /**
   * Where the maps of a killer are pinned.
   *
   * @param name as given to {@link #of}
   */
  public static Path bpffs(String name) {
    return Path.of("/run", name);
  }

  /** The native tool itself, which moves limits, too. */
  public Path program() {
    return program;
  }

  /** Where its helper answers. */
  public Path socket() {
    return bpffs.resolveSibling(bpffs.getFileName() + ".sock");
  }

  /**
   * Loads it.
   *
   * @param arguments of {@code ua-killer load}
   * @throws IOException if it refuses; the message has what it said
   */
  public synchronized void load(String... arguments) throws IOException, InterruptedException {
    if (discarded) {
      throw new IOException("this command is being ended");
    }
    Files.createDirectories(bpffs);
    loaded = true;
    List<String> load = new ArrayList<>(List.of("load"));
    load.addAll(List.of(arguments));
    run(load.toArray(String[]::new));
  }

  /** Whether it is loaded. */
  public synchronized boolean isLoaded() {
    return loaded;
  }

  /** Starts the helper and waits until it works. */
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

  /** Its status, as {@code ua-killer --json status} prints it. */
  public JsonNode status() throws IOException, InterruptedException {
    return mapper.readTree(run("--json", "status"));
  }

  /**
   * Runs one command.
   *
   * @param words of {@code ua-killer}
   * @return what it printed
   * @throws IOException if it fails; the message has what it said
   */
  public String run(String... words) throws IOException, InterruptedException {
    return Programs.run(command(words));
  }

  /** Ends and unloads what a process left here that was killed. */
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

  /** Ends the helper and unloads. */
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
      run("unload");
    }
  }

  /** The last step: a command that is told to end may be about to load again. */
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
