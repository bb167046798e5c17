/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A picture of a result.
 *
 * @param name name of its files, without extension
 * @param caption one sentence that explains the picture
 * @param chart the chart
 */
record Picture(String name, String caption, Chart<?, ?> chart) {
  /**
   * Text is drawn as outlines; more than two decimals of a pixel would only make the file larger.
   */
  private static final Pattern DECIMALS = Pattern.compile("(\\.\\d\\d)\\d+");

  /** Writes NAME.svg and NAME.png, each completely or not at all. */
  void write(Path folder) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    BitmapEncoder.saveBitmap(chart, png, BitmapFormat.PNG);
    write(folder, name + ".svg", svg().getBytes(StandardCharsets.UTF_8));
    write(folder, name + ".png", png.toByteArray());
  }

  private static void write(Path folder, String file, byte[] content) throws IOException {
    Path written = Files.write(folder.resolve("." + file + ".part"), content);
    Files.move(written, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns the picture as a {@code data:} address, which needs no file. */
  String dataAddress() throws IOException {
    return "data:image/svg+xml;base64,"
        + Base64.getEncoder().encodeToString(svg().getBytes(StandardCharsets.UTF_8));
  }

  private String svg() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
    return DECIMALS.matcher(bytes.toString(StandardCharsets.UTF_8)).replaceAll("$1");
  }
}
