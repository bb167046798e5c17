/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.sls.workload.MemoryCurve;
import java.util.Arrays;
import java.util.List;

/** A memory curve with its running integral, so that a long step costs no more than a short one. */
public final class UsageCurve {
  private final double[] progress;
  private final double[] anonymous;
  private final double[] file;
  private final double[] streaming;
  private final Piece first;

  /** Prepares a curve, which identical tasks share. */
  public UsageCurve(MemoryCurve curve) {
    List<MemoryCurve.Point> points = curve.points();
    int n = points.size();
    progress = new double[n];
    anonymous = new double[n];
    file = new double[n];
    streaming = new double[n];
    double[] integral = new double[n];
    for (int i = 0; i < n; i++) {
      progress[i] = points.get(i).progress();
      anonymous[i] = points.get(i).anonymousBytes();
      file[i] = points.get(i).fileBytes();
      streaming[i] = points.get(i).streamingBytes();
      // Before the first point the curve is flat.
      integral[i] =
          i == 0
              ? progress[0] * (anonymous[0] + file[0])
              : integral[i - 1]
                  + (progress[i] - progress[i - 1])
                      * (anonymous[i - 1] + file[i - 1] + anonymous[i] + file[i])
                      / 2;
    }
    Piece next = null;
    for (int i = n - 1; i >= 0; i--) {
      next = new Piece(this, i, integral[i], next);
    }
    first = new Piece(this, next);
  }

  /**
   * The linear part of a curve between two of its points. All values that a step of a container
   * reads are in this one object, because a cluster takes hundreds of millions of such steps.
   */
  static final class Piece {
    private final double from;
    private final double width;
    private final double anonymous;
    private final double anonymousRise;
    private final double file;
    private final double fileRise;
    private final double streaming;
    private final double streamingRise;
    private final double integral;
    private final double slope;
    private final double streamingSlope;
    private final Piece next;
    private final double end; // Start of the next piece, copied because it is rarely in a cache.
    private final double highestAfter;

    /** Creates the piece from a point to the next one; the last piece is flat. */
    private Piece(UsageCurve curve, int i, double integral, Piece next) {
      boolean last = next == null;
      this.from = curve.progress[i];
      this.anonymous = curve.anonymous[i];
      this.file = curve.file[i];
      this.streaming = curve.streaming[i];
      this.width = last ? 1 : curve.progress[i + 1] - from;
      this.anonymousRise = last ? 0 : curve.anonymous[i + 1] - anonymous;
      this.fileRise = last ? 0 : curve.file[i + 1] - file;
      this.streamingRise = last ? 0 : curve.streaming[i + 1] - streaming;
      this.slope =
          last ? 0 : (curve.anonymous[i + 1] + curve.file[i + 1] - anonymous - file) / width;
      this.streamingSlope = streamingRise / width;
      this.integral = integral;
      this.next = next;
      this.end = endBefore(next);
      this.highestAfter = highestFrom(next);
    }

    /** Creates the flat piece from the beginning to the first point. */
    private Piece(UsageCurve curve, Piece next) {
      this.from = 0;
      this.anonymous = curve.anonymous[0];
      this.file = curve.file[0];
      this.streaming = curve.streaming[0];
      this.width = 1;
      this.anonymousRise = 0;
      this.fileRise = 0;
      this.streamingRise = 0;
      this.slope = 0;
      this.streamingSlope = 0;
      this.integral = 0;
      this.next = next;
      this.end = endBefore(next);
      this.highestAfter = highestFrom(next);
    }

    private static double endBefore(Piece next) {
      return next == null ? Double.POSITIVE_INFINITY : next.from;
    }

    private static double highestFrom(Piece piece) {
      return piece == null
          ? Double.NEGATIVE_INFINITY
          : Math.max(piece.anonymous + piece.file, piece.highestAfter);
    }

    /** Returns the piece that holds a progress, which must not be before this piece. */
    Piece at(double progress) {
      Piece piece = this;
      while (piece.end <= progress) {
        piece = piece.next;
      }
      return piece;
    }

    double anonymousAt(double progress) {
      return anonymous + anonymousRise * ((progress - from) / width);
    }

    double fileAt(double progress) {
      return file + fileRise * ((progress - from) / width);
    }

    double streamingAt(double progress) {
      return streaming + streamingRise * ((progress - from) / width);
    }

    /** Returns the progress at which the piece ends; infinite for the last one. */
    double end() {
      return end;
    }

    /** Returns the growth of all memory per unit of progress. */
    double slope() {
      return slope;
    }

    /** Returns the growth of the pages that are read once, per unit of progress. */
    double streamingSlope() {
      return streamingSlope;
    }

    /**
     * Returns the integral of bytes over progress from 0 to a point at which {@code here} bytes are
     * in use.
     */
    double integralAt(double progress, double here) {
      return integral + (progress - from) * (anonymous + file + here) / 2;
    }

    /**
     * Returns the highest sum of both kinds between two future times; 0 if the work will have
     * ended.
     *
     * @param progress present progress, within this piece or after it
     * @param workNanos undisturbed duration of all the work
     */
    double peakWithin(double progress, double workNanos, double fromNanos, double toNanos) {
      double from = progress + fromNanos / workNanos;
      if (from >= 1) {
        return 0;
      }
      double to = Math.min(1, progress + toNanos / workNanos);
      Piece piece = at(from);
      double peak = piece.anonymousAt(from) + piece.fileAt(from);
      while (piece.end() < to) {
        piece = piece.next;
        peak = Math.max(peak, piece.anonymous + piece.file);
      }
      piece = piece.at(to);
      return Math.max(peak, piece.anonymousAt(to) + piece.fileAt(to));
    }

    /** Returns the highest sum of both kinds from now on, if {@code here} bytes are in use now. */
    double highestFrom(double here) {
      return Math.max(here, highestAfter);
    }
  }

  /** Returns the first piece, which starts at progress 0. */
  Piece first() {
    return first;
  }

  /**
   * Returns the highest memory that the whole run needs, in bytes, without pages that are read
   * once.
   */
  double neededPeak() {
    return first.highestFrom(0);
  }

  /** Returns the largest amount of pages that are read once, in bytes. */
  double streamingPeak() {
    return Arrays.stream(streaming).max().orElseThrow();
  }
}
