/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import java.util.List;
import java.util.Optional;

/**
 * The workload of an experiment.
 *
 * @param names one workload file for all seeds or one for each, or {@link #EMBEDDED} alone; empty
 *     if the user has to name one
 * @param importCommand command that creates the workload from a trace, shown to users
 * @param embedded the workload that is generated if it is embedded
 */
public record PlannedWorkload(
    List<String> names, Optional<String> importCommand, EmbeddedWorkload embedded) {
  /** The name of the workload that needs no file. */
  public static final String EMBEDDED = "embedded";

  /** Copies the list. */
  public PlannedWorkload {
    names = List.copyOf(names);
  }

  /** Returns whether the workload is generated. */
  public boolean isEmbedded() {
    return names.equals(List.of(EMBEDDED));
  }
}
