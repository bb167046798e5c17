/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.machine.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks, before anything is started, whether a {@link LinuxExecutor} can work on this machine. */
public final class LinuxExecutorCheck {
  /** Command of the program that lists a directory as a user. */
  private static final String LIST_AS_USER = "5";

  /** Permission bits that users need: to read files and to enter directories. */
  private static final int READ_AND_ENTER = 0055;

  /** Lines that the program prints on every failure: its command and user, and the exit code. */
  private static final Pattern BOILERPLATE = Pattern.compile("^(main : |Nonzero exit code)");

  private final Path proc;

  /**
   * Creates a check.
   *
   * @param proc the {@code /proc} file system
   */
  public LinuxExecutorCheck(Path proc) {
    this.proc = proc;
  }

  /**
   * Checks that containers can run.
   *
   * @param cgroupRoot cgroup of all nodes; empty if this machine has no writable cgroups
   * @param input directory of the input that containers read
   * @throws IOException if containers could not be run; the message says what to do
   */
  public void require(
      LinuxExecutor executor, Optional<String> cgroupRoot, Installation installation, Path input)
      throws IOException, InterruptedException {
    requireProcess();
    if (cgroupRoot.isEmpty()) {
      throw new IOException(
          "--executor linux needs memory cgroups for its nodes: run it where they can be created; "
              + "charon doctor shows what is missing");
    }
    requireProgram(executor.program());
    List<Path> directories =
        List.of(input, installation.lib(), Path.of(System.getProperty("java.home"), "bin"));
    for (String user : executor.users()) {
      requireUser(executor.program(), user);
      for (Path directory : directories) {
        requireReadable(executor.program(), user, directory);
      }
    }
  }

  /**
   * Checks that this process can act for containers' users.
   *
   * @throws IOException if it is not root, or these users could not read the files that it writes;
   *     the message says what to do
   */
  public void requireProcess() throws IOException {
    if (!field("Uid").split("\\s+", -1)[1].equals("0")) {
      throw new IOException(
          "--executor linux starts containers as other users, in cgroups of their own, which "
              + "needs root: run the command with sudo");
    }
    if ((Integer.parseInt(field("Umask"), 8) & READ_AND_ENTER) != 0) {
      throw new IOException(
          "the umask is "
              + field("Umask")
              + ", so the users of containers could not read the files that this command writes: "
              + "run it after 'umask 022'");
    }
  }

  /** Returns a field of this process's status without its name. */
  private String field(String name) throws IOException {
    return Files.readAllLines(proc.resolve("self/status")).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElseThrow(() -> new IOException("no field " + name + " in " + proc + "/self/status"));
  }

  private static void requireProgram(Path program) throws IOException, InterruptedException {
    if (!Files.isExecutable(program)) {
      throw new IOException(
          program
              + " is not an executable program: set --container-executor to bin/container-executor "
              + "of Hadoop's binary distribution");
    }
    try {
      Programs.run(List.of(program.toString(), "--checksetup"));
    } catch (IOException e) {
      throw new IOException(
          "%s refuses its own setup: it must belong to root and to the group that its container-executor.cfg names, with mode"
                  .formatted(program)
              + " 6050 (chown root:GROUP, then chmod 6050), and that file and the directories "
              + "above it must belong to root only: "
              + failureText(e),
          e);
    }
  }

  private static void requireUser(Path program, String user)
      throws IOException, InterruptedException {
    try {
      FileOwner.of(user);
    } catch (UserPrincipalNotFoundException e) {
      throw new IOException(
          "there is no user " + user + " on this machine: name existing users with --run-as", e);
    }
    try {
      list(program, user, Path.of("/"));
    } catch (IOException e) {
      throw new IOException(
          "%s does not run containers as %s: allow that user in its container-executor.cfg (min.user.id,"
                  .formatted(program, user)
              + " allowed.system.users, banned.users), or name other users with --run-as: "
              + failureText(e),
          e);
    }
  }

  private static void requireReadable(Path program, String user, Path directory)
      throws IOException, InterruptedException {
    try {
      list(program, user, directory);
    } catch (IOException e) {
      throw new IOException(
          "user %s cannot read %s, which containers need: make it readable and every directory above it accessible for other users, or move it elsewhere: %s"
              .formatted(user, directory, failureText(e)),
          e);
    }
  }

  private static void list(Path program, String user, Path directory)
      throws IOException, InterruptedException {
    Programs.run(List.of(program.toString(), user, user, LIST_AS_USER, directory.toString()));
  }

  /**
   * Returns the output of a failed program as one line, without the lines that it prints on every
   * failure.
   */
  private static String failureText(IOException failure) {
    return failure
        .getMessage()
        .lines()
        .filter(line -> !line.isBlank() && !BOILERPLATE.matcher(line).find())
        .collect(Collectors.joining("; "));
  }
}
