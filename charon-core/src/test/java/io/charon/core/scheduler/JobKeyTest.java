/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeyTest {
  private static final JobKey KNOWN_BY_USER = JobKey.of("alice", "20", 2048);

  @ParameterizedTest
  @CsvSource({
    "Spark Pi, Spark Pi",
    "word count 3, word count #",
    "etl-daily-2026-11-23, etl-daily-#",
    "etl-daily-20261123T0415, etl-daily-#",
    "report_v1.2.3 of 04:15:00, report_v# of #",
    "job_1763000000000_0042, job_#",
    "HIVE-3f2c8a10-9b7e-4c1d-8f00-0123456789ab, HIVE-#",
    "build deadbeef01 of master, build # of master",
    "facade of cafebabe, facade of cafebabe",
    "select * from visits where day=20261122, select * from visits where day=#",
  })
  void whatChangesFromRunToRunDoesNotCount(String name, String pattern) {
    assertThat(NamePattern.of(name)).isEqualTo(pattern);
  }

  @Test
  void aJobThatRunsAgainHasTheSameKeyInItsQueueOnly() {
    JobKey monday = KNOWN_BY_USER.narrowed("root.batch", "etl 2026-11-23");

    assertThat(monday).isEqualTo(KNOWN_BY_USER.narrowed("root.batch", "etl 2026-11-24"));
    assertThat(monday).isNotEqualTo(KNOWN_BY_USER.narrowed("root.other", "etl 2026-11-23"));
    assertThat(monday).isNotEqualTo(KNOWN_BY_USER.narrowed("root.batch", "sort 2026-11-23"));
    assertThat(monday.wider()).isEqualTo(KNOWN_BY_USER.value());
    assertThat(KNOWN_BY_USER.wider()).isEmpty();
  }

  @Test
  void namesThatUsersMakeUpNeitherBreakLinesNorGrow() {
    assertThat(NamePattern.of(" a\nb\u0007\u202e c\t")).isEqualTo("a b c");
    assertThat(KNOWN_BY_USER.narrowed("q".repeat(10_000), "n".repeat(1 << 20)).value())
        .hasSizeLessThan(500);
    assertThat(NamePattern.of("7".repeat(1 << 20))).isEqualTo("#");
    assertThat(NamePattern.of("f".repeat(1 << 20))).hasSize(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva"})
  void nodesWithOtherLanguagesShareTheirPeaks(String language) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(language));
      assertThat(JobKey.of("alice", "20", 2048)).isEqualTo(KNOWN_BY_USER);
    } finally {
      Locale.setDefault(before);
    }
  }
}
