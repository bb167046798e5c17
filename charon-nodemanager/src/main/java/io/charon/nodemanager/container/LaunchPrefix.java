/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps that the first process of a container takes before any user code runs: it sets its OOM
 * score, enters its cgroups, and sets its I/O class. The whole process tree inherits these, so
 * there is no race and no page is charged elsewhere. A step that fails is skipped, because the
 * container must run in any case.
 *
 * @param oomScoreAdj the score, -1000 to 1000
 * @param cgroupProcs files into which the process writes its id
 * @param last a command that runs the words after it in its own process; empty for none
 */
public record LaunchPrefix(int oomScoreAdj, List<Path> cgroupProcs, List<String> last) {
  // $1 is the score; then follow the files up to "--", then the container's own command. The
  // redirection of errors comes first because the redirection after it may fail.
  private static final String SCRIPT =
      "echo \"$1\" 2>/dev/null >/proc/self/oom_score_adj; shift; "
          + "while [ \"$1\" != -- ]; do echo $$ 2>/dev/null >\"$1\"; shift; done; "
          + "shift; exec \"$@\"";

  /**
   * Returns the same prefix without the cgroups, for launchers that move the process themselves.
   */
  public LaunchPrefix withoutCgroups() {
    return new LaunchPrefix(oomScoreAdj, List.of(), last);
  }

  /** Returns the prefix as words of a command, to be followed by the container's own command. */
  public String[] command() {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("/bin/sh", "-c", SCRIPT, "charon", Integer.toString(oomScoreAdj)));
    cgroupProcs.forEach(file -> words.add(file.toString()));
    words.add("--");
    words.addAll(last);
    return words.toArray(String[]::new);
  }
}
