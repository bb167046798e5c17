/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What the XML reports say that Maven's Surefire (unit tests) and Failsafe (integration tests)
 * write. Counted by what became of each test, because the sums in a report leave out tests that
 * passed at a second attempt.
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
   * Reads all reports.
   *
   * @return how often each outcome came
   * @throws IOException if a report cannot be read, as after a crash of Maven; the message names it
   */
  TestOutcomes read() throws IOException {
    List<TestOutcomes.Test> tests = new ArrayList<>();
    for (Path report : find()) {
      NodeList cases = parse(report).getElementsByTagName("testcase");
      for (int i = 0; i < cases.getLength(); i++) {
        tests.add(test((Element) cases.item(i)));
      }
    }
    return new TestOutcomes(tests);
  }

  private List<Path> find() throws IOException {
    try (Stream<Path> files = Files.walk(root, REPORT_DEPTH)) {
      return files.filter(REPORT::matches).sorted().toList();
    }
  }

  private static Element parse(Path report) throws IOException {
    try {
      return newBuilder().parse(report.toFile()).getDocumentElement();
    } catch (SAXException e) {
      throw new IOException("test report " + report + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static TestOutcomes.Test test(Element one) {
    TestOutcomes.Outcome outcome = TestOutcomes.Outcome.PASSED;
    if (has(one, "failure", "error")) {
      outcome = TestOutcomes.Outcome.FAILED;
    } else if (has(one, "skipped")) {
      outcome = TestOutcomes.Outcome.SKIPPED;
    } else if (has(one, "flakyFailure", "flakyError")) {
      outcome = TestOutcomes.Outcome.PASSED_AT_SECOND_ATTEMPT;
    }
    return new TestOutcomes.Test(
        one.getAttribute("classname") + "." + one.getAttribute("name"), outcome);
  }

  private static boolean has(Element one, String... children) {
    return Stream.of(children).anyMatch(name -> one.getElementsByTagName(name).getLength() > 0);
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
