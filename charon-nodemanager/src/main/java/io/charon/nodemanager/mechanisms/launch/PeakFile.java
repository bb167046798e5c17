/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.LearnedState;
import io.charon.core.scheduler.PeakSample;
import io.charon.nodemanager.files.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/**
 * The file that keeps what a node has learned while the NodeManager is down: JSON, accessible to
 * its owner only. It is replaced as a whole, so that a reader finds either the old or the new
 * content, whenever the machine stops.
 */
final class PeakFile {
  /** The current format, which has the safety margin. */
  static final int FORMAT = 3;

  /** The first format, in which peaks were numbers of bytes; read, but not written any more. */
  private static final int FORMAT_WITHOUT_TIMES = 1;

  /** Number of jobs in a file: 1,000 of the node, and as many that only other nodes have told. */
  private static final int MAX_JOBS = 2000;

  /** Upper limit of the size of one peak, in bytes. */
  private static final int MAX_PEAK_BYTES = 128;

  private static final int MAX_NAME_CHARACTERS = 4096;

  /**
   * Upper limit of the size of a job without its peaks, in bytes: JSON may escape every character
   * of its name.
   */
  private static final int MAX_JOB_BYTES = 6 * MAX_NAME_CHARACTERS + 64;

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Content(int format, Double marginShare, List<Job> jobs) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Job(String job, List<Long> peakBytes, List<PeakSample> samples) {}

  /**
   * Thrown for content that is unusable here, but that another version of this program may need.
   */
  static final class UnusableException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableException(String message) {
      super(message);
    }
  }

  private final ObjectMapper mapper =
      new ObjectMapper()
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Path file;
  private final int maxBytes;

  /**
   * Creates an instance for a file that need not exist.
   *
   * @param peaksPerJob number of peaks that a node keeps of each job; a larger file than these need
   *     is not read, to protect the NodeManager's heap
   */
  PeakFile(Path file, int peaksPerJob) {
    this.file = file;
    this.maxBytes = MAX_JOBS * (MAX_JOB_BYTES + peaksPerJob * MAX_PEAK_BYTES);
  }

  /**
   * Returns the content of the file; empty if there is no file.
   *
   * @param nowMillis the time assigned to peaks that were kept without one
   * @throws UnusableException if the file is damaged, too large or of an unknown format
   * @throws IOException naming the file if it cannot be read
   */
  LearnedState read(long nowMillis) throws IOException {
    try {
      return checked(mapper.readValue(content(), Content.class), nowMillis);
    } catch (NoSuchFileException e) {
      return LearnedState.NOTHING;
    } catch (JsonProcessingException e) {
      throw new UnusableException(file + ": " + e.getOriginalMessage());
    }
  }

  private byte[] content() throws IOException {
    try (InputStream in = Channels.newInputStream(OwnerOnly.open(file, StandardOpenOption.READ))) {
      byte[] content = in.readNBytes(maxBytes + 1);
      if (content.length > maxBytes) {
        throw new UnusableException(file + " has more than " + maxBytes + " bytes");
      }
      return content;
    }
  }

  private LearnedState checked(Content content, long nowMillis) throws UnusableException {
    if (content == null || content.format() < FORMAT_WITHOUT_TIMES || content.format() > FORMAT) {
      throw new UnusableException(
          "%s has format %s, this version reads %d to %d"
              .formatted(
                  file, content == null ? "null" : content.format(), FORMAT_WITHOUT_TIMES, FORMAT));
    }
    boolean hasTimes = content.format() > FORMAT_WITHOUT_TIMES;
    if (content.jobs() == null
        || !content.jobs().stream().allMatch(job -> isSound(job, hasTimes))) {
      throw new UnusableException(
          file + ": each job needs a name of at most 4096 characters and peaks above 0");
    }
    List<JobPeaks> peaks =
        content.jobs().stream()
            .map(
                job ->
                    new JobPeaks(
                        new JobKey(job.job()),
                        hasTimes ? job.samples() : dated(job.peakBytes(), nowMillis)))
            .toList();
    return LearnedState.of(peaks, content.marginShare());
  }

  private static List<PeakSample> dated(List<Long> peakBytes, long nowMillis) {
    return peakBytes.stream().map(peak -> new PeakSample(peak, 0, nowMillis, true)).toList();
  }

  private static boolean isSound(Job job, boolean hasTimes) {
    return job != null
        && job.job() != null
        && job.job().length() <= MAX_NAME_CHARACTERS
        && (hasTimes
            ? job.samples() != null && job.samples().stream().allMatch(Objects::nonNull)
            : job.peakBytes() != null
                && job.peakBytes().stream().allMatch(peak -> peak != null && peak > 0));
  }

  /**
   * Replaces the content.
   *
   * @throws IOException naming the file; the old content is kept
   */
  void write(LearnedState learned) throws IOException {
    byte[] content =
        mapper.writeValueAsBytes(
            new Content(
                FORMAT,
                learned.marginOrNull(),
                learned.peaks().stream()
                    .map(known -> new Job(known.job().value(), null, known.samples()))
                    .toList()));
    OwnerOnly.replace(
        file,
        channel -> {
          Channels.newOutputStream(channel).write(content);
          channel.force(true);
        });
  }

  /**
   * Moves an unusable file out of the way, so that its content is not lost.
   *
   * @return the new path
   */
  Path setAside() throws IOException {
    return OwnerOnly.setAside(file);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
