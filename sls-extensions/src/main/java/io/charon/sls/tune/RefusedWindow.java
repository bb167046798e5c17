/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A window that cannot be used with the series.
 *
 * @param windowSeconds the window
 * @param reason the reason
 */
public record RefusedWindow(double windowSeconds, String reason) {

  /** Returns one line for each reason, with the windows that it applies to. */
  public static List<String> lines(List<RefusedWindow> refused) {
    Map<String, List<RefusedWindow>> byReason =
        refused.stream()
            .collect(
                Collectors.groupingBy(
                    RefusedWindow::reason, LinkedHashMap::new, Collectors.toList()));
    return byReason.entrySet().stream()
        .map(
            entry ->
                entry.getValue().stream()
                        .map(window -> Numbers.seconds(window.windowSeconds()))
                        .collect(Collectors.joining(", "))
                    + " refused: "
                    + entry.getKey())
        .toList();
  }
}
