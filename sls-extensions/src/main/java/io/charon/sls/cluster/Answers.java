/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Implements YARN's large interfaces for the few methods that the scheduler calls. Any other method
 * throws, so that no call is answered by accident.
 */
final class Answers {
  private final String name;
  private final Map<String, Supplier<?>> answers = new HashMap<>();

  Answers(String name) {
    this.name = name;
  }

  Answers with(String method, Supplier<?> answer) {
    answers.put(method, answer);
    return this;
  }

  <T> T as(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "toString" -> name;
                  case "hashCode" -> name.hashCode();
                  case "equals" -> proxy == arguments[0];
                  default -> answer(type, method.getName());
                }));
  }

  private Object answer(Class<?> type, String method) {
    Supplier<?> answer = answers.get(method);
    if (answer == null) {
      throw new UnsupportedOperationException(type.getSimpleName() + "." + method + " of " + name);
    }
    return answer.get();
  }
}
