/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.it.SharedNode.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Lends the node of {@link SharedNode} to one test after the other and closes it after the last.
 */
final class NodeLender implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(NodeLender.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestNode.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    try {
      return running(context).lend(settings(context.getRequiredTestClass()).orElseThrow());
    } catch (IOException e) {
      throw new ParameterResolutionException("no node", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ParameterResolutionException("interrupted", e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    running(context).takeBack(context.getExecutionException().isPresent());
  }

  private static Running running(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Running.class, type -> new Running(), Running.class);
  }

  private static Optional<Settings> settings(Class<?> test) {
    return AnnotationSupport.findAnnotation(test, SharedNode.class).map(SharedNode::value);
  }

  /** The single running node; a second one would disturb the measurements on this one. */
  private static final class Running implements CloseableResource {
    private Optional<TestNode> node = Optional.empty();
    private Optional<Settings> settings = Optional.empty();

    TestNode lend(Settings wanted) throws IOException, InterruptedException {
      if (!settings.equals(Optional.of(wanted)) || !node.orElseThrow().isAlive()) {
        close();
        node = Optional.of(start(wanted));
        settings = Optional.of(wanted);
      }
      node.orElseThrow().begin();
      return node.orElseThrow();
    }

    private static TestNode start(Settings wanted) throws IOException, InterruptedException {
      Path state = Files.createTempDirectory("charon-it-state-");
      try {
        return wanted.start(state);
      } catch (IOException | InterruptedException e) {
        TemporaryDirectory.delete(state);
        throw e;
      }
    }

    void takeBack(boolean failed) throws Exception {
      boolean clean = false;
      try {
        if (!failed && node.isPresent()) {
          node.get().revertChanges();
          node.get().awaitNothingLeft();
          clean = true;
        }
      } finally {
        if (!clean) {
          close();
        }
      }
    }

    @Override
    public void close() {
      node.ifPresent(TestNode::close);
      node = Optional.empty();
      settings = Optional.empty();
    }
  }

  /** Orders test classes so that those that share a node run one after the other. */
  static final class Order implements ClassOrderer {
    @Override
    public void orderClasses(ClassOrdererContext context) {
      context
          .getClassDescriptors()
          .sort(
              Comparator.comparing(
                  type -> settings(type.getTestClass()).map(Settings::ordinal).orElse(-1)));
    }
  }
}
