/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Programs;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A production container that answers requests from a working set that grows in steps. */
final class GrowingService implements Scenario.Foreground {
  private static final Duration PERIOD = Duration.ofMillis(10);

  /** Pages touched per request; with the computation, a request takes about 2 ms of CPU. */
  private static final int TOUCHES = 400;

  private static final int STEPS = 2000;
  private static final Pattern LINE = Pattern.compile("due (\\d+) late (\\d+) value \\d+");

  private final ColocatedContainer container;
  private final Path answers;
  private final long startNanos;

  private GrowingService(ColocatedContainer container, Path answers, long startNanos) {
    this.container = container;
    this.answers = answers;
    this.startNanos = startNanos;
  }

  /**
   * Starts the service and waits until it has filled its first size.
   *
   * @param directory directory for its answers
   * @param step time for which each size lasts
   * @param megabytes sizes, one after the other
   */
  static GrowingService start(
      NativeTools tools, ColocatedNode node, Path directory, Duration step, List<Integer> megabytes)
      throws IOException, InterruptedException {
    Path answers = Files.createTempFile(directory, "service-", ".out");
    List<String> command =
        new ArrayList<>(
            List.of(
                tools.workload().toString(),
                "respond",
                Long.toString(PERIOD.toNanos() / 1000),
                Integer.toString(TOUCHES),
                Integer.toString(STEPS),
                Long.toString(step.toMillis())));
    megabytes.forEach(size -> command.add(size.toString()));
    ColocatedContainer container =
        node.start(
            ContainerClass.PRODUCTION, Redirect.to(answers.toFile()), Redirect.INHERIT, command);
    while (Files.size(answers) == 0) {
      if (!container.process().isAlive()) {
        container.end();
        throw new IOException("the service has ended before its first answer");
      }
      Thread.sleep(20);
    }
    return new GrowingService(container, answers, read(answers).get(0).dueNanos());
  }

  @Override
  public long startNanos() {
    return startNanos;
  }

  @Override
  public Requests finish() throws IOException, InterruptedException {
    int code = Programs.await(container.process(), "the service", Programs.LIMIT);
    container.end();
    List<Requests.Answer> all = read(answers);
    Files.delete(answers);
    if (code != 0) {
      throw new IOException("the service has ended with exit code " + code);
    }
    return new Requests(all, List.of());
  }

  private static List<Requests.Answer> read(Path file) throws IOException {
    List<Requests.Answer> answers = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      Matcher matcher = LINE.matcher(line);
      // The last line may be incomplete.
      if (matcher.matches()) {
        answers.add(
            new Requests.Answer(
                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
      }
    }
    return answers;
  }
}
