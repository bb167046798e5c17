/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code blocks of a page of the documentation, by the words after their fence. */
record DocumentedCommands(List<Block> blocks) {
  private static final Pattern FENCED =
      Pattern.compile("^```([^\\n]*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /**
   * One block.
   *
   * @param label words after the fence, such as {@code bash install}
   */
  record Block(String label, String code) {}

  static DocumentedCommands of(Path page) throws IOException {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = FENCED.matcher(Files.readString(page));
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1).strip(), matcher.group(2)));
    }
    return new DocumentedCommands(blocks);
  }

  /** Returns all blocks with a label, joined in the order of the page. */
  String labelled(String label) {
    List<String> found =
        blocks.stream().filter(block -> block.label().equals(label)).map(Block::code).toList();
    if (found.isEmpty()) {
      throw new AssertionError("the page has no block of code that is labelled '" + label + "'");
    }
    return String.join("", found);
  }
}
