/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The order to run a service as a child process of a production task, as a line of the job's input.
 * The service belongs to the task's container, with its reservation and its cgroup.
 *
 * @param command file with the words of the command, one per line
 * @param stop file whose existence ends the service
 * @param log file that receives the service's output
 */
record ServiceTask(Path command, Path stop, Path log) {
  private static final String WORD = "service";
  private static final long POLL_MILLIS = 200;
  private static final long END_SECONDS = 30;

  /**
   * Returns the line that {@link #parse} reads; the paths are those of this program and hold no
   * blanks.
   */
  String line() {
    return String.join(" ", WORD, command.toString(), stop.toString(), log.toString());
  }

  static ServiceTask parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != 4 || !fields[0].equals(WORD)) {
      throw new IllegalArgumentException("not an order for a production task: " + line);
    }
    return new ServiceTask(Path.of(fields[1]), Path.of(fields[2]), Path.of(fields[3]));
  }

  /**
   * Runs the service until the stop file exists.
   *
   * @param alive called continually, so that the task is not considered dead
   * @throws IOException if the service cannot be started, or ends by itself
   */
  void run(Runnable alive) throws IOException, InterruptedException {
    List<String> words = Files.readAllLines(command);
    Process service =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      while (!Files.exists(stop)) {
        if (!service.isAlive()) {
          throw new IOException(
              words.get(0) + " has ended with exit code " + service.exitValue() + "; see " + log);
        }
        alive.run();
        Thread.sleep(POLL_MILLIS);
      }
    } finally {
      service.destroy();
      if (!service.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        service.destroyForcibly();
      }
    }
  }
}
