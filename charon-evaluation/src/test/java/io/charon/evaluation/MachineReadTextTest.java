/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Formatter;
import org.junit.jupiter.api.Test;

/** Checks how text is written that programs read, in this module and in those below it. */
class MachineReadTextTest {
  private static final String WRITERS = ".*(Json|ResultTables|WorkloadWriter|RecordingWriter)";

  @Test
  void isFormattedWithAnExplicitLocale() {
    noClasses()
        .that()
        .haveNameMatching(WRITERS)
        .should()
        .callMethod(String.class, "formatted", Object[].class)
        .orShould()
        .callMethod(String.class, "format", String.class, Object[].class)
        .orShould()
        .callMethod(String.class, "toLowerCase")
        .orShould()
        .callMethod(String.class, "toUpperCase")
        .orShould()
        .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
        .orShould()
        .callMethod(PrintWriter.class, "format", String.class, Object[].class)
        .orShould()
        .callMethod(PrintStream.class, "printf", String.class, Object[].class)
        .orShould()
        .callMethod(Formatter.class, "format", String.class, Object[].class)
        .because("a decimal comma, or digits of another script, would break the reader")
        .check(
            new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("io.charon"));
  }
}
