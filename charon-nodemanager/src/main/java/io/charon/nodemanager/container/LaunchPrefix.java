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
 * What the first process of a container does to itself before any user code runs: takes its OOM
 * score, enters its cgroups, and takes its I/O class. The whole process tree inherits these, so
 * there is no race and no page is charged elsewhere. A step that fails is skipped: the container
 * runs in any case.
 *
 * @param oomScoreAdj the score, -1000 to 1000
 * @param cgroupProcs files that take a process id
 * @param last a command that runs the words after it in its own process; empty for none
 */
public record LaunchPrefix(int oomScoreAdj, List<Path> cgroupProcs, List<String> last) {
  // $1 is the score, then the files up to "--", then the container's own command. The redirection
  // of errors stands first because the one after it is what may fail.
  private static final String SCRIPT =
      "echo \"$1\" 2>/dev/null >/proc/self/oom_score_adj; shift; "
          + "while [ \"$1\" != -- ]; do echo $$ 2>/dev/null >\"$1\"; shift; done; "
          + "shift; exec \"$@\"";

  /** The same without the cgroups, for who has the process put there by somebody else. */
  public LaunchPrefix withoutCgroups() {
    return new LaunchPrefix(oomScoreAdj, List.of(), last);
  }

  /** The prefix as words of a command; the container's own command follows. */
  public String[] command() {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("/bin/sh", "-c", SCRIPT, "charon", Integer.toString(oomScoreAdj)));
    cgroupProcs.forEach(file -> words.add(file.toString()));
    words.add("--");
    words.addAll(last);
    return words.toArray(String[]::new);
  }
}
