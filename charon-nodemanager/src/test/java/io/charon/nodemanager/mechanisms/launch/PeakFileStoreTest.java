/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static io.charon.nodemanager.Await.await;
import static io.charon.nodemanager.mechanisms.launch.LearningGate.learn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.spy;

import com.codahale.metrics.Counter;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.LearnedState;
import io.charon.core.scheduler.PeakSample;
import io.charon.nodemanager.container.ContainerInfos;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeakFileStoreTest {
  private static final int PEAKS = 20;
  private static final Duration NEVER = Duration.ofDays(1);

  private static final long NOW = 1_700_000_000_000L;
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);

  @TempDir private Path directory;
  private final Counter failures = new Counter();
  private Path file;

  @BeforeEach
  void file() {
    file = directory.resolve("peaks.json");
  }

  @Test
  void theNextNodeManagerKnowsWhatThisOneLearned() throws Exception {
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        NEVER,
        () -> {
          assertThat(gate.learned().peaks()).isEmpty();
          learn(gate, 10, 30, 20);
        });
    LaunchGate next = LearningGate.create(CLOCK);
    keep(
        next,
        NEVER,
        () -> {
          assertThat(next.learned().peaks()).isEqualTo(learned(10, 30, 20));
          learn(next, 40);
        });
    LaunchGate third = LearningGate.create(CLOCK);
    keep(
        third,
        NEVER,
        () -> {
          assertThat(third.learned().peaks()).isEqualTo(learned(10, 30, 20, 40));
        });
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(files()).containsExactly("peaks.json");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void peaksThatAnEarlierVersionKeptAreAsOldAsTheirReading() throws Exception {
    Files.writeString(file, content("10,20"));
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        NEVER,
        () -> {
          assertThat(gate.learned().peaks())
              .containsExactly(
                  new JobPeaks(
                      new JobKey("sort"),
                      List.of(new PeakSample(10, 0, NOW, true), new PeakSample(20, 0, NOW, true))));
          learn(gate, 30);
        });
    assertThat(Files.readString(file)).startsWith("{\"format\":3,");
    assertThat(new PeakFile(file, PEAKS).read(0).peaks()).isEqualTo(gate.learned().peaks());
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void theNextNodeManagerContinuesWithTheSafetyMargin() throws Exception {
    LaunchGate gate = LearningGate.withMargin(CLOCK);
    keep(gate, NEVER, () -> gate.restore(LearnedState.of(List.of(), 0.2)));
    assertThat(marginAfterReading()).isEqualTo(0.2);
  }

  @ParameterizedTest
  @CsvSource({"7.0, 0.3", "-1.0, 0", "'\"NaN\"', 0.05", "null, 0.05"})
  void aWrongSafetyMarginIsBounded(String kept, double restored) throws Exception {
    Files.writeString(file, "{\"format\":3,\"marginShare\":" + kept + ",\"jobs\":[]}");
    assertThat(marginAfterReading()).isEqualTo(restored);
    assertThat(failures.getCount()).isZero();
  }

  private double marginAfterReading() throws Exception {
    LaunchGate next = LearningGate.withMargin(CLOCK);
    keep(next, NEVER, () -> {});
    return next.learned().marginShare().orElseThrow();
  }

  @Test
  void aCrashLosesOnePeriodAtMost() throws Exception {
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        Duration.ofMillis(20),
        () -> {
          learn(gate, 10);
          await(
              () ->
                  Files.exists(file)
                      && new PeakFile(file, PEAKS).read(NOW).peaks().equals(learned(10)));
          learn(gate, 20);
          await(() -> new PeakFile(file, PEAKS).read(NOW).peaks().equals(learned(10, 20)));
        });
  }

  @Test
  void whatIsNotNewIsNotWritten() throws Exception {
    Files.writeString(file, content("10"));
    keep(
        LearningGate.create(CLOCK),
        NEVER,
        () -> {
          Files.delete(file);
        });
    assertThat(file).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "{}",
        "{\"format\":1}",
        "{\"format\":1,\"jobs\":[null]}",
        "{\"format\":1,\"jobs\":[{\"job\":null,\"peakBytes\":[1]}]}",
        "{\"format\":1,\"jobs\":[{\"job\":\"a\"}]}",
        "{\"format\":1,\"jobs\":[{\"job\":\"a\",\"peakBytes\":[null]}]}",
        "{\"format\":1,\"jobs\":[{\"job\":\"a\",\"peakBytes\":[0]}]}",
        "{\"format\":1,\"jobs\":[{\"job\":\"a\",\"peakBytes\":[1.5]}]}",
        "{\"format\":1,\"jobs\":[{\"job\":\"a\",\"peakBytes\":[99999999999999999999]}]}",
        "{\"format\":1,\"jobs\":[]} more",
        "{\"format\":2,\"jobs\":[{\"job\":\"a\",\"peakBytes\":[1]}]}",
        "{\"format\":2,\"jobs\":[{\"job\":\"a\",\"samples\":[null]}]}",
        "{\"format\":2,\"jobs\":[{\"job\":\"a\",\"samples\":[{\"peakBytes\":0,\"requestedBytes\":1,"
            + "\"atMillis\":1,\"own\":true}]}]}",
        "{\"format\":2,\"jobs\":[{\"job\":\"a\",\"samples\":[{\"peakBytes\":1,\"requestedBytes\":1,"
            + "\"atMillis\":-1,\"own\":true}]}]}",
        "{\"format\":2,\"jobs\":[{\"job\":\"a\",\"samples\":[{\"peakBytes\":1}]}]}",
        "{\"format\":3,\"jobs\":[],\"more\":true}",
        "{\"format\":3,\"marginShare\":\"wide\",\"jobs\":[]}",
        "{\"format\":4,\"jobs\":[]}",
      })
  void anUnusableFileIsSetAsideWhole(String content) throws Exception {
    Files.writeString(file, content);
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        NEVER,
        () -> {
          assertThat(gate.learned().peaks()).isEmpty();
          learn(gate, 10);
        });
    assertThat(directory.resolve("peaks.json.unusable")).hasContent(content);
    assertThat(new PeakFile(file, PEAKS).read(NOW).peaks()).isEqualTo(learned(10));
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  void aFileLargerThanWhatANodeKeepsIsNotRead() throws Exception {
    // A sparse file, which takes no space on the disk and must not be read into the heap.
    try (FileChannel large =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      large.write(ByteBuffer.wrap(new byte[1]), 100L << 20);
    }
    keep(LearningGate.create(CLOCK), NEVER, () -> assertThat(file).doesNotExist());
    assertThat(directory.resolve("peaks.json.unusable")).hasSize((100L << 20) + 1);
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  void aLongNameIsNotBelieved() throws Exception {
    Files.writeString(file, content("10").replace("sort", "a".repeat(5000)));
    keep(
        LearningGate.create(CLOCK),
        NEVER,
        () -> {
          assertThat(file).doesNotExist();
        });
  }

  @Test
  void aDirectoryNamedByMistakeStaysWhereItIs() throws Exception {
    Path inside = Files.createDirectory(file).resolve("somebody's");
    Files.writeString(inside, "data");
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        NEVER,
        () -> {
          learn(gate, 10);
        });
    assertThat(inside).hasContent("data");
    assertThat(files()).containsExactly("peaks.json");
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  void aMissingDirectoryCostsTheKeepingOnly() throws Exception {
    file = directory.resolve("missing/peaks.json");
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        Duration.ofMillis(20),
        () -> {
          learn(gate, 10);
          await(() -> failures.getCount() >= 2);
          Files.createDirectory(file.getParent()); // the operator's fix needs no restart
          await(() -> Files.exists(file));
        });
    assertThat(new PeakFile(file, PEAKS).read(NOW).peaks()).isEqualTo(learned(10));
  }

  @Test
  void anErrorInOneWriteDoesNotEndTheKeeping() throws Exception {
    LaunchGate gate = spy(LearningGate.create(CLOCK));
    AtomicBoolean broken = new AtomicBoolean();
    doAnswer(
            call -> {
              if (broken.getAndSet(false)) {
                throw new NoClassDefFoundError("wanted by the test");
              }
              return call.callRealMethod();
            })
        .when(gate)
        .learned();
    keep(
        gate,
        Duration.ofMillis(20),
        () -> {
          learn(gate, 10);
          broken.set(true);
          await(() -> failures.getCount() == 1);
          learn(gate, 20);
          await(
              () ->
                  Files.exists(file)
                      && new PeakFile(file, PEAKS).read(NOW).peaks().equals(learned(10, 20)));
        });
  }

  @Test
  void whatAKilledWriterLeftBehindDoesNotMatter() throws Exception {
    Files.writeString(directory.resolve("peaks.json.new"), "{\"for");
    LaunchGate gate = LearningGate.create(CLOCK);
    keep(
        gate,
        NEVER,
        () -> {
          learn(gate, 10);
        });
    assertThat(files()).containsExactly("peaks.json");
    assertThat(new PeakFile(file, PEAKS).read(NOW).peaks()).isEqualTo(learned(10));
  }

  private interface Life {
    void live() throws Exception;
  }

  private void keep(LaunchGate gate, Duration period, Life life) throws Exception {
    try (PeakFileStore keeper = new PeakFileStore(file, PEAKS, gate, period, CLOCK, failures)) {
      keeper.start();
      life.live();
    }
  }

  private static List<JobPeaks> learned(long... peaks) {
    JobKey job = ContainerInfos.bestEffort("container", 1).job();
    return List.of(
        new JobPeaks(
            job,
            Arrays.stream(peaks).mapToObj(peak -> new PeakSample(peak, 1, NOW, true)).toList()));
  }

  private static String content(String peaks) {
    return "{\"format\":1,\"jobs\":[{\"job\":\"sort\",\"peakBytes\":[" + peaks + "]}]}";
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return new ArrayList<>(files.map(path -> path.getFileName().toString()).toList());
    }
  }
}
