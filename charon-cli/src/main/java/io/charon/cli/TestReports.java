/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Sums up the XML reports that Maven's Surefire (unit tests) and Failsafe (integration tests)
 * write.
 */
final class TestReports {
  /** module/target/hadoop-VERSION/surefire-reports/TEST-CLASS.xml. */
  private static final PathMatcher REPORT =
      FileSystems.getDefault()
          .getPathMatcher("glob:**/target/*/{surefire,failsafe}-reports/TEST-*.xml");

  private static final int REPORT_DEPTH = 5;

  private final Path root;

  /**
   * Reads below one directory.
   *
   * @param root the repository
   */
  TestReports(Path root) {
    this.root = root;
  }

  /**
   * Deletes the reports of earlier runs.
   *
   * @throws IOException if one cannot be deleted
   */
  void clear() throws IOException {
    for (Path report : find()) {
      Files.delete(report);
    }
  }

  /**
   * Sums up all reports.
   *
   * @return the sum
   * @throws IOException if a report cannot be read, as after a crash of Maven; the message names it
   */
  TestTotals totals() throws IOException {
    TestTotals totals = TestTotals.NONE;
    for (Path report : find()) {
      totals = totals.plus(read(report));
    }
    return totals;
  }

  private List<Path> find() throws IOException {
    try (Stream<Path> files = Files.walk(root, REPORT_DEPTH)) {
      return files.filter(REPORT::matches).sorted().toList();
    }
  }

  private static TestTotals read(Path report) throws IOException {
    try {
      Element suite = newBuilder().parse(report.toFile()).getDocumentElement();
      long failed = count(suite, "failures") + count(suite, "errors");
      long skipped = count(suite, "skipped");
      return new TestTotals(count(suite, "tests") - failed - skipped, failed, skipped);
    } catch (SAXException | NumberFormatException e) {
      throw new IOException("test report " + report + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static long count(Element suite, String attribute) {
    return Long.parseLong(suite.getAttribute(attribute));
  }

  private static DocumentBuilder newBuilder() {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null); // Errors come as exceptions; do not print them as well.
      return builder;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK's XML parser knows these features", e);
    }
  }
}
