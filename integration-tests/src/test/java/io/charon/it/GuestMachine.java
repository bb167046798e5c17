/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** An emulated machine with a Debian on it, in which commands run as root. */
final class GuestMachine implements AutoCloseable {
  /** Exit code of the script if no guest can be run. */
  private static final int NO_GUEST = 3;

  private static final Duration BOOT = Duration.ofMinutes(6);
  private static final Duration ANSWER = Duration.ofMinutes(5);

  private final Process qemu;
  private final Path console;
  private final Socket agent;
  private final BufferedReader answers;

  /**
   * The result of commands.
   *
   * @param exitCode their exit code
   * @param said standard output and standard error
   */
  record CommandResult(int exitCode, String said) {}

  private GuestMachine(Process qemu, Path console, Socket agent) throws IOException {
    this.qemu = qemu;
    this.console = console;
    this.agent = agent;
    this.answers =
        new BufferedReader(
            new InputStreamReader(agent.getInputStream(), StandardCharsets.US_ASCII));
  }

  /**
   * Boots a guest, or skips the test and prints the reason.
   *
   * @param root root directory of the project
   * @param work empty directory
   * @param files files that are laid over the guest's root
   * @param ports ports of this machine's loopback that lead to the same ports of the guest
   */
  static GuestMachine boot(Path root, Path work, Path files, List<Integer> ports)
      throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path guests = root.resolve("kernel-ua-killer/src/test/native/guest");
      List<String> command = new ArrayList<>();
      command.add(guests.resolve("boot-node.sh").toString());
      command.add(
          System.getenv()
              .getOrDefault(
                  "UA_GUEST_CACHE", root.resolve("kernel-ua-killer/target/guests").toString()));
      command.add(work.toString());
      command.add(files.toString());
      command.add(Integer.toString(server.getLocalPort()));
      ports.forEach(port -> command.add(port.toString()));
      Path console = work.resolve("console");
      Process qemu =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(console.toFile())
              .start();
      boolean booted = false;
      try {
        GuestMachine guest = new GuestMachine(qemu, console, connected(server, qemu, console));
        guest.expect("ready");
        booted = true;
        return guest;
      } finally {
        if (!booted) {
          TimedProgram.end(qemu);
        }
      }
    }
  }

  private static Socket connected(ServerSocket server, Process qemu, Path console)
      throws IOException, InterruptedException {
    server.setSoTimeout(1000);
    long end = System.nanoTime() + BOOT.toNanos();
    while (System.nanoTime() < end) {
      try {
        return server.accept();
      } catch (SocketTimeoutException notYet) {
        if (qemu.waitFor(0, TimeUnit.SECONDS)) {
          String said = Files.readString(console).strip();
          if (qemu.exitValue() == NO_GUEST) {
            System.out.println("SKIPPED guest: " + said);
            Assumptions.abort(said);
          }
          throw new AssertionError("the guest ended: " + said);
        }
      }
    }
    throw new AssertionError("the guest has not booted: " + Files.readString(console));
  }

  private String expect(String word) throws IOException {
    agent.setSoTimeout((int) ANSWER.toMillis());
    String line = answers.readLine();
    if (line == null || (!word.isEmpty() && !line.equals(word))) {
      throw new AssertionError("the guest says " + line + "; " + Files.readString(console));
    }
    return line;
  }

  /** Runs commands of bash, which must succeed, and returns their output. */
  String run(String commands) throws IOException {
    CommandResult said = attempt(commands);
    if (said.exitCode() != 0) {
      throw new AssertionError("exit code " + said.exitCode() + " of: " + commands + said.said());
    }
    return said.said();
  }

  /** Runs commands of bash and returns their result. */
  synchronized CommandResult attempt(String commands) throws IOException {
    String request =
        Base64.getEncoder().encodeToString(commands.getBytes(StandardCharsets.UTF_8)) + "\n";
    agent.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    String[] answer = expect("").split(" ", -1);
    return new CommandResult(
        Integer.parseInt(answer[1]),
        new String(Base64.getDecoder().decode(answer[0]), StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    try {
      agent.close();
    } finally {
      TimedProgram.end(qemu);
    }
  }
}
