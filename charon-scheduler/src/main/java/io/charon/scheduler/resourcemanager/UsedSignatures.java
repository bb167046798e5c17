/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Checks, before the first ApplicationMaster calls, whether this Hadoop has everything that the
 * processor uses; the JVM itself would only detect this in the middle of a call. The list is
 * generated from the compiled classes, and a test compares the two.
 */
final class UsedSignatures {
  /** One signature per line: the owner's kind and name, the member's name, its descriptor. */
  static final String LIST = "used-signatures.txt";

  private static final String CONSTRUCTOR = "<init>";
  private static final String INTERFACE = "interface";

  private UsedSignatures() {}

  /** Returns the lines of the list that this Hadoop lacks. */
  static List<String> missing() {
    return missing(list());
  }

  static List<String> missing(List<String> signatures) {
    return signatures.stream().filter(signature -> !isThere(signature)).toList();
  }

  static List<String> list() {
    try (InputStream in = UsedSignatures.class.getResourceAsStream(LIST);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isThere(String signature) {
    String[] words = signature.split(" ", 4);
    ClassLoader loader = UsedSignatures.class.getClassLoader();
    try {
      Class<?> owner = Class.forName(words[1], false, loader);
      return owner.isInterface() == words[0].equals(INTERFACE)
          && has(owner, words[2], MethodType.fromMethodDescriptorString(words[3], loader));
    } catch (ClassNotFoundException | LinkageError | TypeNotPresentException e) {
      return false;
    }
  }

  private static boolean has(Class<?> owner, String name, MethodType type) {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    try {
      if (name.equals(CONSTRUCTOR)) {
        lookup.findConstructor(owner, type);
      } else {
        lookup.findVirtual(owner, name, type);
      }
      return true;
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return !name.equals(CONSTRUCTOR) && hasStatic(lookup, owner, name, type);
    }
  }

  private static boolean hasStatic(
      MethodHandles.Lookup lookup, Class<?> owner, String name, MethodType type) {
    try {
      lookup.findStatic(owner, name, type);
      return true;
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return false;
    }
  }
}
