/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.web.sharing.SharedJob.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedPeaksTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final int MANY = 30_000;

  private final SharedPeaks peaks = new SharedPeaks("run-1", 100, 3);

  @Test
  void aNewNodeHearsWhatAllOthersMeasured() throws Exception {
    tell("a", job("sort", 1, 2));
    tell("b", job("sort", 3), job("grep", 4));

    PeakNews news = hear("c", 0);

    assertThat(news.jobs()).containsExactly(job("sort", 1, 2, 3), job("grep", 4));
    assertThat(news.more()).isFalse();
    assertThat(hear("c", news.sequence()).jobs()).isEmpty();
  }

  @Test
  void aNodeDoesNotHearItself() {
    tell("a", job("sort", 1));
    assertThat(hear("a", 0).jobs()).isEmpty();
  }

  @Test
  void onlyWhatIsNewIsHeard() {
    tell("a", job("sort", 1));
    long sequence = hear("b", 0).sequence();
    tell("a", job("sort", 2));
    assertThat(hear("b", sequence).jobs()).containsExactly(job("sort", 2));
  }

  @Test
  void whatIsToldTwiceCountsOnce() {
    tell("a", job("sort", 1, 2));
    tell("a-restarted", job("sort", 1, 2));
    assertThat(peaks.size()).isEqualTo(2);
    assertThat(hear("b", 0).jobs()).containsExactly(job("sort", 1, 2));
  }

  @Test
  void theNewestOfAJobAreKept() {
    tell("a", job("sort", 5, 6, 7));
    tell("b", job("sort", 1, 8));
    assertThat(hear("c", 0).jobs()).containsExactly(job("sort", 6, 7, 8));
  }

  @Test
  void theJobThatWasNotToldOfForLongestIsForgottenFirst() {
    SharedPeaks small = new SharedPeaks("run-1", 2, 3);
    for (String name : List.of("first", "second", "first", "third")) {
      small.exchange(new PeakReport("a", "", 0, List.of(job(name, name.length()))), NOW);
    }
    assertThat(small.exchange(new PeakReport("b", "", 0, List.of()), NOW).jobs())
        .containsExactly(job("first", 5), job("third", 5));
    assertThat(small.size()).isEqualTo(2);
  }

  @Test
  void anotherRunStartsAnew() {
    tell("a", job("sort", 1));
    PeakReport toAnother = new PeakReport("b", "run-0", 1_000, List.of());
    PeakNews news = peaks.exchange(toAnother, NOW);
    assertThat(news.run()).isEqualTo("run-1");
    assertThat(news.jobs()).containsExactly(job("sort", 1));
  }

  @Test
  void aPeakOfTheFutureIsNotTaken() {
    Sample future = new Sample(1, 1, NOW + 3_600_001);
    peaks.exchange(
        new PeakReport("a", "", 0, List.of(new SharedJob("sort", List.of(future)))), NOW);
    assertThat(peaks.size()).isZero();
  }

  @Test
  void muchNewsComesInBoundedMessages() throws Exception {
    SharedPeaks large = new SharedPeaks("run-1", MANY, 3);
    List<SharedJob> all = IntStream.range(0, MANY).mapToObj(i -> job("job " + i, i + 1)).toList();
    PeakMessages messages = new PeakMessages();
    List<SharedJob> left = all;
    while (!left.isEmpty()) {
      List<SharedJob> first = PeakMessages.firstOf(left);
      PeakReport report = new PeakReport("a", "run-1", 0, first);
      byte[] bytes = messages.write(report);
      assertThat(bytes).hasSizeLessThanOrEqualTo(PeakMessages.MAX_BYTES);
      large.exchange(messages.report(bytes), NOW);
      left = left.subList(first.size(), left.size());
    }

    List<SharedJob> heard = new ArrayList<>();
    PeakNews news = large.exchange(new PeakReport("b", "", 0, List.of()), NOW);
    int answers = 1;
    heard.addAll(news.jobs());
    while (news.more()) {
      assertThat(messages.write(news)).hasSizeLessThanOrEqualTo(PeakMessages.MAX_BYTES);
      news = large.exchange(new PeakReport("b", "run-1", news.sequence(), List.of()), NOW);
      heard.addAll(news.jobs());
      answers++;
    }
    assertThat(heard).isEqualTo(all);
    assertThat(answers).isGreaterThan(3);
  }

  private void tell(String sender, SharedJob... jobs) {
    peaks.exchange(new PeakReport(sender, "run-1", 0, List.of(jobs)), NOW);
  }

  private PeakNews hear(String node, long sequence) {
    return peaks.exchange(new PeakReport(node, "run-1", sequence, List.of()), NOW);
  }

  /** Each peak has a time of its own. */
  private static SharedJob job(String name, long... peakBytes) {
    List<Sample> samples = new ArrayList<>();
    for (long peak : peakBytes) {
      samples.add(new Sample(peak, 1, NOW - MANY + peak - 1));
    }
    return new SharedJob(name, samples);
  }
}
