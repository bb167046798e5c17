/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/**
 * Explains why an application waits, as text or as JSON.
 *
 * @param id id of the application
 * @param application element {@code app} of the ResourceManager's web service
 * @param story what it means
 */
record ApplicationExplanation(String id, JsonNode application, ApplicationStory story) {
  /** Explains what the ResourceManager reports about an application. */
  static ApplicationExplanation of(String id, JsonNode application) {
    return new ApplicationExplanation(id, application, ApplicationStory.of(application));
  }

  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("applicationId", id)
        .put("state", application.path("state").asText())
        .put("queue", application.path("queue").asText())
        .put("reason", story.reason())
        .put("cure", story.cure())
        .put("saidByYarn", story.saidByYarn());
  }

  void print(PrintWriter out) {
    out.printf(
        "%s is %s in queue %s%n  %s%n",
        id,
        CellFormat.text(application.path("state")),
        CellFormat.text(application.path("queue")),
        PlainText.escape(story.reason()));
    if (!story.cure().isEmpty()) {
      out.printf("  cure: %s%n", PlainText.escape(story.cure()));
    }
    if (!story.saidByYarn().isEmpty()) {
      out.printf("  YARN says: %s%n", PlainText.escape(story.saidByYarn()));
    }
  }
}
