/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.recording;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakSample;
import io.charon.nodemanager.SmallDisk;
import io.charon.nodemanager.container.ContainerInfos;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
  private static final LaunchRequest REQUEST = ContainerInfos.bestEffort("c1", 100).launchRequest();

  @TempDir private Path directory;
  private final Counter failures = new Counter();

  @Test
  void everyLineIsReadAsItWasWritten() throws Exception {
    List<Recorded> known =
        List.of(
            new Recorded.Learned(
                5,
                List.of(new JobPeaks(new JobKey("sort"), List.of(new PeakSample(7, 8, 9, true)))),
                0.07,
                10,
                true),
            new Recorded.Processors(5, 8, 1.25),
            new Recorded.Adopted(5, REQUEST, null),
            new Recorded.Adopted(5, REQUEST, 3L));
    List<Recorded> lines =
        List.of(
            new Recorded.Asked(11, REQUEST, Outcome.QUEUED, Reason.MEMORY),
            new Recorded.Observed(12, new NodeMemory(1000, 10), Map.of("c1", 3L)),
            new Recorded.Unobserved(13),
            new Recorded.Bound(14, 40L),
            new Recorded.Bound(15, null),
            new Recorded.Held(16, true),
            new Recorded.Killed(17),
            new Recorded.SideBySide(17, 1_000_000, 30, 2.5, 0.5, 1.25, null),
            new Recorded.Ended(18, "c1", 50, 1_000_000, true));
    RecordingWriter writer = writer(1 << 20);
    writer.add(new Recorded.Killed(4)); // part of the checkpoint, so it gets no line
    writer.start(() -> new RecordingWriter.Checkpoint(5, known));
    lines.forEach(writer::add);
    writer.close();

    List<Recorded> read = read(directory.resolve(RecordingWriter.NEWEST));
    assertThat(read.get(0)).isInstanceOf(Recorded.Begun.class);
    assertThat(((Recorded.Begun) read.get(0)).keys()).containsEntry("key", "value");
    assertThat(read.subList(1, 5)).isEqualTo(known);
    assertThat(read.subList(5, read.size())).isEqualTo(lines);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve(RecordingWriter.NEWEST))))
        .isEqualTo("rw-------");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void aFullDiskEndsTheRecordingAndNothingElse() throws Exception {
    try (SmallDisk disk = SmallDisk.mountOn(directory)) {
      disk.fill();
      RecordingWriter writer = writer(1 << 20);
      writer.start(() -> new RecordingWriter.Checkpoint(0, List.of()));
      Random random = new Random(1);
      await(
          () -> {
            for (int line = 0; line < 1000; line++) {
              writer.add(
                  new Recorded.Observed(
                      System.nanoTime(),
                      new NodeMemory(Long.MAX_VALUE, random.nextLong(1, Long.MAX_VALUE)),
                      Map.of()));
            }
            return failures.getCount() == 1;
          });
      writer.add(new Recorded.Killed(System.nanoTime())); // must not wait for room
      writer.close();
      assertThat(failures.getCount()).isEqualTo(1);
    }
  }

  @Test
  void twoFilesAreKeptAndEachBeginsWithWhatIsKnown() throws Exception {
    RecordingWriter writer = writer(16 << 10);
    writer.start(
        () -> {
          long now = System.nanoTime();
          return new RecordingWriter.Checkpoint(
              now, List.of(new Recorded.Adopted(now, REQUEST, null)));
        });
    Random random = new Random(1);
    await(
        () -> {
          for (int line = 0; line < 50; line++) {
            writer.add(
                new Recorded.Observed(
                    System.nanoTime(),
                    new NodeMemory(Long.MAX_VALUE, random.nextLong(1, Long.MAX_VALUE)),
                    Map.of()));
          }
          return RecordingWriter.files(directory).size() == 2;
        });
    writer.close();

    for (Path file : RecordingWriter.files(directory)) {
      List<Recorded> read = read(file);
      assertThat(read.get(0)).isInstanceOf(Recorded.Begun.class);
      assertThat(read.get(1)).isInstanceOf(Recorded.Adopted.class);
      assertThat(read)
          .isSortedAccordingTo((one, other) -> Long.compare(one.nanos(), other.nanos()));
    }
  }

  @Test
  void theNextNodeManagersKeepTheRecordingsOfThoseBefore() throws Exception {
    for (int life = 0; life < 3; life++) {
      live(new Recorded.Killed(2 + life));
    }
    List<Path> files = RecordingWriter.files(directory);
    assertThat(files).hasSize(3).endsWith(directory.resolve(RecordingWriter.NEWEST));
    for (int life = 0; life < 3; life++) {
      assertThat(read(files.get(life))).contains(new Recorded.Killed(2 + life));
    }
  }

  @Test
  void manyShortLivesKeepTheRecordingOfALongOne() throws Exception {
    Recorded[] longLife = new Recorded[200];
    Random random = new Random(1);
    for (int line = 0; line < longLife.length; line++) {
      long available = random.nextLong(1, Long.MAX_VALUE);
      longLife[line] =
          new Recorded.Observed(2 + line, new NodeMemory(Long.MAX_VALUE, available), Map.of());
    }
    live(longLife);
    for (int life = 0; life < 20; life++) {
      live(new Recorded.Killed(2 + life));
    }
    List<Path> files = RecordingWriter.files(directory);
    assertThat(files).hasSize(8);
    assertThat(read(files.get(0))).contains(longLife);
    assertThat(read(files.get(7))).contains(new Recorded.Killed(21));
  }

  /** Records as one NodeManager from its start to its end. */
  private void live(Recorded... lines) {
    RecordingWriter writer = writer(1 << 20);
    writer.start(() -> new RecordingWriter.Checkpoint(1, List.of()));
    Stream.of(lines).forEach(writer::add);
    writer.close();
  }

  @Test
  void whatANodeManagerWroteThatWasKilledIsReadUpToThere() throws Exception {
    Path whole = directory.resolve("whole.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole), 512, true)) {
      out.write(line("{\"what\":\"begun\",\"nanos\":1,\"format\":1,\"time\":\"t\",\"keys\":{}}"));
      out.write(line("{\"what\":\"killed\",\"nanos\":2}"));
      out.flush();
      Files.copy(whole, directory.resolve("cut.gz"));
    }
    assertThat(read(directory.resolve("cut.gz"))).hasSize(2).contains(new Recorded.Killed(2));
  }

  @Test
  void aFileThatHasJustBegunHasNoLines() throws Exception {
    Path begun = directory.resolve("begun.gz");
    OutputStream still = new GZIPOutputStream(Files.newOutputStream(begun));
    still.write(line("{\"what\":\"begun\",\"nanos\":1,\"format\":1}"));
    assertThat(Files.size(begun)).isEqualTo(10);
    assertThat(read(begun)).isEmpty();
    assertThat(read(Files.createFile(directory.resolve("nothing.gz")))).isEmpty();
  }

  @Test
  void whatIsNoRecordingIsNamed() throws Exception {
    assertThatThrownBy(
            () -> read(Files.writeString(directory.resolve("text"), "a text of 20 bytes.")))
        .hasMessageContaining(directory.resolve("text") + " is not a recording");
    assertThatThrownBy(() -> read(directory.resolve("absent")))
        .hasMessage(directory.resolve("absent") + " does not exist");
    assertThatThrownBy(() -> read(compressed("{\"what\":\"killed\",\"nanos\":2}")))
        .hasMessageContaining("is not a recording");
    assertThatThrownBy(
            () ->
                read(
                    compressed(
                        "{\"what\":\"begun\",\"nanos\":1,\"format\":9,\"time\":\"t\",\"keys\":{}}")))
        .hasMessageContaining("has format 9, this version reads 1");
    assertThatThrownBy(() -> read(compressed("{\"what\":\"other\"}")))
        .hasMessageContaining("line 1 is not a line of a recording");
    assertThatThrownBy(() -> read(compressed("x".repeat(5 << 20))))
        .hasMessageContaining("a line has more than");
  }

  @Test
  void aDirectoryThatCannotBeWrittenCostsTheRecordingOnly() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    RecordingWriter writer =
        new RecordingWriter(file, 1 << 20, Map.of(), failures, System::nanoTime, Clock.systemUTC());
    writer.start(() -> new RecordingWriter.Checkpoint(1, List.of()));
    writer.add(new Recorded.Killed(2));
    await(() -> failures.getCount() == 1);
    writer.add(new Recorded.Killed(3));
    writer.close();
    assertThat(failures.getCount()).isEqualTo(1);
  }

  @Test
  void whatIsKnownMayFailAndEndsTheRecordingOnly() throws Exception {
    try (RecordingWriter writer = writer(1 << 20)) {
      writer.start(
          () -> {
            throw new IllegalStateException("expected by this test");
          });
      await(() -> failures.getCount() == 1);
    }
    assertThat(RecordingWriter.files(directory)).isEmpty();
  }

  private RecordingWriter writer(long mostBytes) {
    return new RecordingWriter(
        directory,
        mostBytes,
        Map.of("key", "value"),
        failures,
        System::nanoTime,
        Clock.systemUTC());
  }

  private Path compressed(String content) throws IOException {
    Path file = directory.resolve("compressed.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(line(content));
    }
    return file;
  }

  private static byte[] line(String content) {
    return (content + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static List<Recorded> read(Path file) throws IOException {
    List<Recorded> lines = new ArrayList<>();
    assertThat(new RecordingReader(file).read(lines::add)).isEqualTo(lines.size());
    return lines;
  }
}
