/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that the list of the Hadoop members that the processor uses matches its classes; {@code
 * -Dcharon.signatures.list=write} writes the list again.
 */
@Tag("hadoop")
class UsedSignaturesTest {
  private static final Path LIST =
      Path.of("src/main/resources/io/charon/scheduler/resourcemanager", UsedSignatures.LIST);

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.scheduler.resourcemanager");

  @Test
  void theListIsWhatTheProcessorUses() throws Exception {
    Set<String> used = new TreeSet<>();
    for (JavaClass ours : reachable()) {
      targets(ours).filter(UsedSignaturesTest::isHadoops).forEach(it -> used.add(signature(it)));
    }
    if (System.getProperty("charon.signatures.list", "").equals("write")) {
      Files.createDirectories(LIST.getParent());
      Files.writeString(LIST, used.stream().map(line -> line + "\n").collect(Collectors.joining()));
      return;
    }
    assertThat(used).hasSizeGreaterThan(20);
    assertThat(UsedSignatures.list())
        .as(LIST + ": -Dcharon.signatures.list=write makes it anew")
        .containsExactlyElementsOf(used);
  }

  @Test
  void thisHadoopHasThemAll() {
    assertThat(UsedSignatures.missing()).isEmpty();
  }

  private Set<JavaClass> reachable() {
    Set<JavaClass> found = new TreeSet<>((one, other) -> one.getName().compareTo(other.getName()));
    List<JavaClass> open = new ArrayList<>(List.of(classes.get(BestEffortProcessor.class)));
    while (!open.isEmpty()) {
      JavaClass next = open.remove(0);
      if (classes.contain(next.getName()) && found.add(next)) {
        next.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .forEach(open::add);
      }
    }
    return found;
  }

  private static Stream<CodeUnitAccessTarget> targets(JavaClass ours) {
    return Stream.concat(
            ours.getCodeUnitCallsFromSelf().stream(), ours.getCodeUnitReferencesFromSelf().stream())
        .map(access -> (CodeUnitAccessTarget) access.getTarget());
  }

  private static boolean isHadoops(CodeUnitAccessTarget target) {
    return target.getOwner().getPackageName().startsWith("org.apache.hadoop");
  }

  private static String signature(CodeUnitAccessTarget target) {
    Class<?> owner = target.getOwner().reflect();
    MethodType type =
        MethodType.methodType(
            target.getRawReturnType().reflect(),
            target.getRawParameterTypes().stream().map(JavaClass::reflect).toList());
    return "%s %s %s %s"
        .formatted(
            owner.isInterface() ? "interface" : "class",
            owner.getName(),
            target.getName(),
            type.toMethodDescriptorString());
  }
}
