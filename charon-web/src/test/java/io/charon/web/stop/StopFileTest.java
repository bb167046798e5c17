/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopKeys;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopFileTest {
  private static final StopKeys KEYS =
      new StopKeys("a.stop.action", "a.stop.by", "a.stop.since", "a.stop.reason");

  @TempDir private Path directory;
  private Path parent;
  private Path path;
  private long modifiedMillis = 1_000_000;
  private StopFile file;

  @BeforeEach
  void name() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    parent = directory.resolve("charon");
    path = parent.resolve("overrides.properties");
    file = file(Map.of());
  }

  @Test
  void theFileMayComeAndGo() throws IOException {
    assertThat(file.check().order().stops()).as("not even a directory").isFalse();
    makeParent();
    write("a.stop.action=freeze\na.stop.by=alice\na.other=1\n");
    assertThat(file.check().order().action()).isEqualTo(StopAction.FREEZE);
    assertThat(file.check().readMillis()).isEqualTo(modifiedMillis);
    write("a.stop.action=none\n");
    assertThat(file.check().order().stops()).isFalse();
    write("a.stop.action=kill\n");
    assertThat(file.check().order().action()).isEqualTo(StopAction.KILL);
    Files.delete(path);
    assertThat(file.check().order().stops()).as("who may remove it may resume").isFalse();
    assertThat(file.check().problem()).isEmpty();
  }

  @Test
  void aBrokenFileDoesNotResume() throws IOException {
    makeParent();
    write("a.stop.action=leave\na.stop.by=alice\n");
    assertThat(file.check().order().by()).isEqualTo("alice");

    write("a.stop.action=perhaps\n");
    holdsBecause("a.stop.action is 'perhaps'");
    write("a.stop.action=none\nb=\\u12\n");
    holdsBecause("is not a properties file");
    write("a.stop.action=none\nb=1\n");
    holdsBecause("'b' is not a key of Charon");

    Path elsewhere = directory.resolve("elsewhere");
    Files.writeString(elsewhere, "a.stop.action=none\n");
    Files.delete(path);
    Files.createSymbolicLink(path, elsewhere);
    holdsBecause(path + " is not trusted");
    Files.delete(path);
    Files.createSymbolicLink(path, directory.resolve("nothing"));
    holdsBecause(path + " is not trusted");
    Files.delete(path);
    Files.createDirectory(path);
    holdsBecause(path + " is not trusted");
    Files.delete(path);

    write("a.stop.action=none\n");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
    holdsBecause("be writable for its owner only");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(file.check().order().stops()).as("believed now, though not written since").isFalse();
    assertThat(file.check().problem()).isEmpty();
  }

  @Test
  void aDirectoryThatIsNoneAnyMoreResumesNothing() throws IOException {
    makeParent();
    write("a.stop.action=leave\na.stop.by=alice\n");
    assertThat(file.check().order().stops()).isTrue();
    Files.delete(path);
    Files.delete(parent);
    Files.createFile(parent);
    holdsBecause("overrides.properties");
  }

  @Test
  void whatWasOrderedIsUnknownUntilTheFileCouldBeReadOnce() throws IOException {
    assertThat(file.check().known()).as("there is no file, so there is no order").isTrue();
    makeParent();
    write("a.stop.action=leave\na.stop.by=alice\n");
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxr-x"));
    StopFile later = file(Map.of());
    assertThat(later.check().known()).isFalse();
    assertThat(later.check().problem()).isPresent();
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(later.check().order().action()).isEqualTo(StopAction.LEAVE);
    write("a.stop.action=perhaps\n");
    assertThat(later.check().problem()).isPresent();
    assertThat(later.check().known()).as("the last order").isTrue();
  }

  @Test
  void withoutAFileTheConfigurationIsKnown() {
    assertThat(new StopFile(Optional.empty(), KEYS, Map.of()).check().known()).isTrue();
  }

  @Test
  void theFileStandsAboveTheConfiguration() throws IOException {
    StopFile configured = file(Map.of("a.stop.action", "leave"));
    assertThat(configured.check().order().stops()).isTrue();
    makeParent();
    write("a.stop.action=none\n");
    assertThat(configured.check().order().stops()).isFalse();
  }

  private StopFile file(Map<String, String> configured) {
    return new StopFile(
        Optional.of(new TrustedProperties(path, System.getProperty("user.name"), "a.")),
        KEYS,
        configured);
  }

  private void holdsBecause(String problem) {
    StopFile.State state = file.check();
    assertThat(state.order().by()).isEqualTo("alice");
    assertThat(state.order().action()).isEqualTo(StopAction.LEAVE);
    assertThat(state.problem()).get().asString().contains(problem);
  }

  private void makeParent() throws IOException {
    Files.createDirectory(parent);
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void write(String content) throws IOException {
    Files.writeString(path, content);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    modifiedMillis += 1000;
    Files.setLastModifiedTime(path, FileTime.fromMillis(modifiedMillis));
  }
}
