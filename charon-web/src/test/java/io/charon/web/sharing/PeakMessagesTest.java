/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeakMessagesTest {
  private final PeakMessages messages = new PeakMessages();

  @Test
  void messagesArriveAsTheyWereSent() throws Exception {
    List<SharedJob> jobs =
        List.of(new SharedJob("a\"b\u00e9", List.of(new SharedJob.Sample(1, 0, 2))));
    PeakReport report = new PeakReport("node-1", "", 0, jobs);
    PeakNews news = new PeakNews("run", 7, true, jobs);
    assertThat(messages.report(messages.write(report))).isEqualTo(report);
    assertThat(messages.news(messages.write(news))).isEqualTo(news);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "{}",
        "{\"sender\":\"\",\"run\":\"\",\"sequence\":0,\"jobs\":[]}",
        "{\"sender\":\"a b\",\"run\":\"\",\"sequence\":0,\"jobs\":[]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":-1,\"jobs\":[]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":null}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[null]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[],\"more\":1}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[]} {}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"\",\"samples\":[]}]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"j\"}]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"j\",\"samples\":[null]}]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"j\",\"samples\":"
            + "[{\"peak\":0,\"requested\":1,\"at\":1}]}]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"j\",\"samples\":"
            + "[{\"peak\":1,\"requested\":1}]}]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"j\",\"samples\":"
            + "[{\"peak\":1.5,\"requested\":1,\"at\":1}]}]}",
        "{\"sender\":\"a\",\"run\":\"\",\"sequence\":0,\"jobs\":[{\"job\":\"j\",\"samples\":"
            + "[{\"peak\":9223372036854775807,\"requested\":1,\"at\":1}]}]}",
      })
  void whatIsNoReportIsRefusedWithAReasonOfOneLine(String message) {
    assertThatThrownBy(() -> messages.report(message.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(PeakMessages.MalformedException.class)
        .message()
        .isNotBlank()
        .hasSizeLessThanOrEqualTo(200)
        .doesNotContain("\n");
  }

  @Test
  void namesAndSamplesAreBounded() {
    SharedJob.Sample sample = new SharedJob.Sample(1, 1, 1);
    assertThatThrownBy(() -> new SharedJob("a".repeat(1025), List.of(sample)))
        .hasMessageContaining("1 to 1024 characters");
    assertThatThrownBy(() -> new SharedJob("a", Collections.nCopies(1001, sample)))
        .hasMessageContaining("at most 1000 samples");
  }

  @Test
  void theLongestNamesAndFullestJobsStayBelowTheBound() throws Exception {
    SharedJob.Sample sample = new SharedJob.Sample(1L << 50, 1L << 50, Long.MAX_VALUE);
    SharedJob full = new SharedJob("\u0001".repeat(1024), Collections.nCopies(1000, sample));
    List<SharedJob> first = PeakMessages.firstOf(Collections.nCopies(100, full));
    assertThat(first).hasSizeBetween(1, 99);
    PeakReport report = new PeakReport("a".repeat(64), "a".repeat(64), Long.MAX_VALUE, first);
    assertThat(messages.write(report)).hasSizeLessThanOrEqualTo(PeakMessages.MAX_BYTES);
  }
}
