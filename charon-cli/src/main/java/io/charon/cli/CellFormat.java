/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Formats fields of a status document for people. A missing field is a dash, never zero. */
final class CellFormat {
  private static final String ABSENT = "-";

  private CellFormat() {}

  static String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull() || value.asText(value.toString()).isEmpty()) {
      return ABSENT;
    }
    return PlainText.escape(value.isValueNode() ? value.asText() : value.toString());
  }

  static String bytes(JsonNode value) {
    return value.isNumber() ? PlainText.bytes(value.asLong()) : ABSENT;
  }

  static String seconds(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%.1f s", value.asDouble()) : ABSENT;
  }

  /** A short duration: kills are decided and carried out within milliseconds. */
  static String millis(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%.2f ms", value.asDouble()) : ABSENT;
  }
}
