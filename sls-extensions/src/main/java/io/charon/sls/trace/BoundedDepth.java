/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;

/**
 * Rejects JSON that is nested deeper than a limit. Some versions of Jackson build trees by
 * recursion without a limit, which overflows the stack.
 */
final class BoundedDepth extends JsonParserDelegate {
  private final int limit;
  private int depth;

  BoundedDepth(JsonParser parser, int limit) {
    super(parser);
    this.limit = limit;
  }

  @Override
  public JsonToken nextToken() throws IOException {
    JsonToken token = super.nextToken();
    if (token != null && token.isStructStart() && ++depth > limit) {
      throw new JsonParseException(
          this, "objects and arrays within one another, more than " + limit + " deep");
    }
    if (token != null && token.isStructEnd()) {
      depth--;
    }
    return token;
  }
}
