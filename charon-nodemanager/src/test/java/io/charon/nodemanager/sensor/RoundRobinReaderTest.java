/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no file of a cgroup stays open after its end, with readings that count. */
class RoundRobinReaderTest {
  @TempDir private Path root;
  private Path one;
  private Path other;
  private boolean fails;
  private final List<Path> opened = new ArrayList<>();
  private final List<Path> closed = new ArrayList<>();
  private final RoundRobinReader<String> reader = new RoundRobinReader<>(Counted::new, "nothing");

  private final class Counted implements RoundRobinReader.Reading<String> {
    private final Path cgroup;

    Counted(Path cgroup) {
      this.cgroup = cgroup;
      opened.add(cgroup);
    }

    @Override
    public String read() throws IOException {
      if (fails) {
        throw new IOException("cannot be read");
      }
      return cgroup.getFileName().toString();
    }

    @Override
    public void close() {
      closed.add(cgroup);
    }
  }

  @BeforeEach
  void cgroups() throws IOException {
    one = Files.createDirectory(root.resolve("one"));
    other = Files.createDirectory(root.resolve("other"));
  }

  @Test
  void whileTheSameCgroupsArePresentTheirFilesStayOpen() {
    for (int turn = 0; turn < 3; turn++) {
      // Each listing gives other objects.
      assertThat(reader.next(List.of(root.resolve("one"), root.resolve("other"))))
          .containsEntry(one, "one")
          .containsEntry(other, "other")
          .hasSize(2);
    }
    assertThat(opened).containsExactly(one, other);
    assertThat(closed).isEmpty();
  }

  @Test
  void theFilesOfACgroupThatIsNoLongerPresentAreClosed() {
    assertThat(reader.next(List.of(one, other))).hasSize(2);
    assertThat(reader.next(List.of(other))).containsOnlyKeys(other);
    assertThat(closed).containsExactly(one);

    Path another = root.resolve("another");
    assertThat(reader.next(Set.of(another))).as("as many, but another one").containsKey(another);
    assertThat(closed).containsExactly(one, other);

    reader.close();
    assertThat(closed).containsExactly(one, other, another);
  }

  @Test
  void theFilesOfACgroupThatVanishesDuringItsTurnAreClosedAtOnce() throws IOException {
    assertThat(reader.next(List.of(one))).hasSize(1);
    fails = true;
    Files.delete(one);

    assertThat(reader.next(List.of(one))).isEmpty();
    assertThat(closed).containsExactly(one);
    assertThat(reader.next(List.of())).isEmpty();
    assertThat(closed).containsExactly(one);
  }

  @Test
  void theFilesOfACgroupThatCannotBeReadStayOpenUntilItEnds() {
    fails = true;
    assertThat(reader.next(List.of(one))).isEmpty();
    assertThat(reader.unreadable()).containsOnlyKeys(one);
    assertThat(closed).isEmpty();

    assertThat(reader.next(List.of())).isEmpty();
    assertThat(closed).containsExactly(one);
    assertThat(reader.unreadable()).isEmpty();
  }
}
