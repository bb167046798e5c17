/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.core.law.RangeSettings;
import io.charon.core.law.ReserveRegulator;
import java.util.List;
import java.util.Locale;

/** The regulators that can be tuned. */
public enum TunedRegulator {
  /** Memory of the foreground. */
  MEMORY,
  /**
   * Traffic of the foreground, by default what it sends, because best-effort is limited in sending.
   */
  NETWORK;

  /** Returns the paper's window and std-factor. */
  public RangeSettings defaults() {
    return switch (this) {
      case MEMORY -> ReserveRegulator.memoryDefaults();
      case NETWORK -> ReserveRegulator.networkDefaults();
    };
  }

  /** Returns the columns that hold the usage if the user names none, best first. */
  List<String> valueColumns() {
    return switch (this) {
      case MEMORY ->
          List.of("mem_util_percent", "mem_util", "mem_used_mb", "mem_used", "memory", "value");
      case NETWORK -> List.of("net_out", "net_tx_kbs", "OutRatio", "tx_bytes", "traffic", "value");
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
