/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;

/** Converts the messages to and from JSON. Both directions have the same maximum size. */
public final class PeakMessages {
  /** The path at which the ResourceManager's web server receives the nodes' messages. */
  public static final String PATH = "/charon/peaks";

  /** Maximum size of a message in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  /**
   * A message filled up to this size stays below the maximum, even though each character of a name
   * may take six bytes.
   */
  private static final int FILLED_BYTES = 3 * MAX_BYTES / 4;

  private static final int BYTES_PER_CHARACTER = 6;
  private static final int BYTES_PER_JOB = 32;
  private static final int BYTES_PER_SAMPLE = 100;

  private final ObjectMapper mapper =
      new ObjectMapper()
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** A malformed message; the exception's message gives the reason in one line. */
  public static final class MalformedException extends IOException {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** Counts how much fits into a message. */
  static final class Room {
    private int bytes;

    /** Whether there is room for another sample, in the worst case of another job. */
    boolean isLeft() {
      return bytes < FILLED_BYTES;
    }

    void takeJob(String job) {
      bytes += BYTES_PER_JOB + BYTES_PER_CHARACTER * job.length();
    }

    void takeSamples(int samples) {
      bytes += BYTES_PER_SAMPLE * samples;
    }
  }

  /**
   * Returns as many of the first jobs as fit into one message.
   *
   * @param jobs all jobs to report
   */
  public static List<SharedJob> firstOf(List<SharedJob> jobs) {
    Room room = new Room();
    int taken = 0;
    while (taken < jobs.size() && room.isLeft()) {
      room.takeJob(jobs.get(taken).job());
      room.takeSamples(jobs.get(taken).samples().size());
      taken++;
    }
    return jobs.subList(0, taken);
  }

  /** Serializes a message. */
  public byte[] write(Object message) throws IOException {
    return mapper.writeValueAsBytes(message);
  }

  /**
   * Reads the report of a node.
   *
   * @throws MalformedException if it is malformed
   */
  public PeakReport report(byte[] message) throws IOException {
    return read(message, PeakReport.class);
  }

  /**
   * Reads the news for a node.
   *
   * @throws MalformedException if it is malformed
   */
  public PeakNews news(byte[] message) throws IOException {
    return read(message, PeakNews.class);
  }

  private <T> T read(byte[] message, Class<T> type) throws IOException {
    try {
      T value = mapper.readValue(message, type);
      if (value == null) {
        throw new MalformedException("the message is null");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new MalformedException(oneLine(e.getOriginalMessage()));
    }
  }

  private static String oneLine(String text) {
    String line = text.replaceAll("[^ -~]+", " ");
    return line.length() > 200 ? line.substring(0, 200) : line;
  }
}
