/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.CpuBurst;
import io.charon.core.law.CpuPool;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.bandwidth.BandwidthLimit;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.nodemanager.execution.MechanismRunner;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RegulatorDocumentsTest {
  private static final Availability HERE = Availability.available();

  @Test
  void aCapacityOrAUseWithoutALimitHasAUnit() {
    assertThat(limitUnit(new CpuPool(OptionalDouble.empty(), HERE).report())).isEqualTo("cores");
    assertThat(limitUnit(new CpuBurst(2, HERE).report())).isEqualTo("containers");
    BandwidthLimit bandwidth =
        new BandwidthLimit(
            CheckedAvailability.fixed(HERE), OptionalInt.empty(), OptionalDouble.empty());
    assertThat(limitUnit(bandwidth.report())).isEqualTo("bytes_per_second");
  }

  @Test
  void withoutLimitCapacityAndUseThereIsNoUnit() {
    Quantity value = new Quantity(MechanismReport.VALUE, "percent", OptionalDouble.of(3));
    assertThat(
            limitUnit(
                new MechanismReport(
                    "pressure",
                    Optional.empty(),
                    List.of(value),
                    Optional.empty(),
                    Optional.empty())))
        .isNull();
  }

  @Test
  void whatWasMeasuredTooLongAgoIsAbsentWithItsReasonAndTheLimitStillHolds() {
    MechanismReport report =
        new MechanismReport(
            "pressure",
            Optional.empty(),
            Stream.of(MechanismReport.VALUE, MechanismReport.BEST_EFFORT, MechanismReport.LIMIT)
                .map(name -> new Quantity(name, "bytes", OptionalDouble.of(3)))
                .toList(),
            Optional.of("0-2"),
            Optional.empty());
    RegulatorDocument outdated = regulator(report, Optional.of("no readings for 9 s"));
    assertThat(outdated.signal().value()).isNull();
    assertThat(outdated.limit().bestEffort()).isNull();
    assertThat(outdated.signal().missing()).isEqualTo("no readings for 9 s");
    assertThat(outdated.limit().limit()).isEqualTo(3);
    assertThat(outdated.limit().cores()).isEqualTo("0-2");
  }

  private static String limitUnit(MechanismReport report) {
    return regulator(report, Optional.empty()).limit().limitUnit();
  }

  private static RegulatorDocument regulator(MechanismReport report, Optional<String> outdated) {
    return RegulatorDocuments.regulator(
        new MechanismRunner.State(
            "mechanism", RegulatorMode.OBSERVE, Optional.empty(), report, "", outdated));
  }
}
