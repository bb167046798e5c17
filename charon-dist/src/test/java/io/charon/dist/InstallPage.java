/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The labelled blocks of docs/install.md. */
final class InstallPage {
  private InstallPage() {}

  /**
   * Returns the first block with a label.
   *
   * @param label what follows the three backquotes, such as {@code bash undelegate}
   */
  static String block(String label) throws IOException {
    Matcher block =
        Pattern.compile("```" + label + "\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/install.md")));
    assertThat(block.find()).as(label).isTrue();
    return block.group(1);
  }
}
