/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.agent.MechanismList;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
@Tag("long")
class SettingsSourceTest {
  private static final String PREFIX = SettingsReader.PREFIX;
  private static final String CPU_MODE = PREFIX + "regulator.cpu.mode";

  @TempDir private Path directory;
  private Path file;
  private Configuration configuration;
  private long written = 1_000_000_000_000L;

  @BeforeEach
  void file() throws IOException {
    Path safe = Files.createDirectory(directory.resolve("charon"));
    Files.setPosixFilePermissions(safe, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = safe.resolve("overrides.properties");
    configuration = TestSettings.configuration("overrides-file", file.toString());
  }

  @Test
  void withoutAFileTheConfigurationAloneCounts() throws Exception {
    SettingsSource.Opened opened = open();
    assertThat(opened.settings().regulators().cpu().mode()).isEqualTo(RegulatorMode.OFF);
    assertThat(opened.source().changed()).isEmpty();
    assertThat(opened.source().state())
        .isEqualTo(
            new SettingsSource.State(
                Optional.of(file.toString()), Map.of(), 0, List.of(), Optional.empty()));
  }

  @Test
  void whatStandsInTheFileAtTheStartCounts() throws Exception {
    write(CPU_MODE + "=observe");
    SettingsSource.Opened opened = open();
    assertThat(opened.settings().regulators().cpu().mode()).isEqualTo(RegulatorMode.OBSERVE);
    assertThat(opened.source().state().overrides()).containsEntry(CPU_MODE, "observe");
    assertThat(opened.source().changed()).as("it was read already").isEmpty();
  }

  @Test
  void aWriteIsReadOnce() throws Exception {
    SettingsSource source = open().source();
    write(CPU_MODE + "=enforce");
    assertThat(source.changed().orElseThrow().regulators().cpu().mode())
        .isEqualTo(RegulatorMode.ENFORCE);
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().readMillis()).isEqualTo(written);
    assertThat(source.state().needRestart()).isEmpty();

    Files.delete(file);
    assertThat(source.changed().orElseThrow().regulators().cpu().mode())
        .isEqualTo(RegulatorMode.OFF);
  }

  @Test
  void keysThatWaitForTheNextStartAreNamed() throws Exception {
    SettingsSource source = open().source();
    write(
        """
        %1$smode=off
        %1$skiller.poll-ms=7
        %1$skiller.cgth-time-ms=1
        %1$sevict-line.line-percent=90
        %1$sstop.cluster.period-ms=2000
        """
            .formatted(PREFIX));
    assertThat(source.changed().orElseThrow().mode()).isEqualTo(Mode.OFF);
    assertThat(source.state().needRestart())
        .containsExactly(PREFIX + "killer.poll-ms", PREFIX + "stop.cluster.period-ms");

    write("");
    assertThat(source.changed()).isPresent();
    assertThat(source.state().needRestart()).as("back as it was").isEmpty();
  }

  @Test
  void whatIsWrongIsNamedAndChangesNothing() throws Exception {
    write(CPU_MODE + "=observe");
    SettingsSource source = open().source();

    write(CPU_MODE + "=observ");
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem()).get().asString().contains(CPU_MODE + " is 'observ'");
    assertThat(source.state().overrides()).containsEntry(CPU_MODE, "observe");

    write("yarn.nodemanager.aux-services=none");
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem()).get().asString().contains("not a key of Charon");

    write("a=\\u12");
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem()).get().asString().contains("not a properties file");

    write("#" + "x".repeat(70_000));
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem()).get().asString().contains("more than 65536 bytes");

    write(CPU_MODE + "=enforce");
    assertThat(source.changed()).isPresent();
    assertThat(source.state().problem()).isEmpty();
  }

  @Test
  void aFileThatOthersCanWriteIsNotBelieved() throws Exception {
    SettingsSource source = open().source();
    write(CPU_MODE + "=enforce");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem()).get().asString().contains(file + " is not trusted");
    assertThatThrownBy(this::open).hasMessageContaining("is not trusted");

    write(CPU_MODE + "=enforce");
    Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem())
        .get()
        .asString()
        .contains(file.getParent() + " is not trusted");
  }

  @Test
  void aFileThatOthersCanNoLongerWriteIsReadWithoutAnotherWrite() throws Exception {
    SettingsSource source = open().source();
    write(CPU_MODE + "=enforce");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().readMillis()).isEqualTo(written);

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(source.changed().orElseThrow().regulators().cpu().mode())
        .isEqualTo(RegulatorMode.ENFORCE);
    assertThat(source.state().problem()).isEmpty();
    assertThat(source.state().readMillis()).isEqualTo(written);
    assertThat(source.changed()).as("it was read already").isEmpty();
  }

  @Test
  void aLinkIsNotBelieved() throws Exception {
    SettingsSource source = open().source();
    Path elsewhere = Files.writeString(directory.resolve("elsewhere"), CPU_MODE + "=enforce");
    Files.createSymbolicLink(file, elsewhere);
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem())
        .get()
        .asString()
        .contains("must be no link but a regular file");
  }

  @Test
  void onlyWhatMayChangeAtRunTimeIsTakenOver() throws Exception {
    CharonSettings running = TestSettings.of("killer.cgth-time-ms", "3000");
    CharonSettings later =
        TestSettings.of(
            "mode",
            "threshold",
            "regulator.cpu.mode",
            "enforce",
            "freeze.threshold-percent",
            "30",
            "freeze.thaw-percent",
            "40",
            "killer.threshold-percent",
            "20");
    CharonSettings now = running.withLivePartsOf(later);
    assertThat(now.mode()).isEqualTo(Mode.THRESHOLD);
    assertThat(now.killers().thresholdPercent()).isEqualTo(10);
    assertThat(now.killers().kernel()).isPresent().isEqualTo(running.killers().kernel());
    assertThat(now.regulators()).isEqualTo(later.regulators());
    assertThat(now.freeze()).isEqualTo(later.freeze());
    assertThat(
            running
                .withLivePartsOf(TestSettings.of("killer.cgth-time-ms", "500"))
                .killers()
                .kernel()
                .orElseThrow()
                .thrashingTolerance())
        .isEqualTo(Duration.ofMillis(500));
  }

  /** Adds keys as a yarn-site.xml of an earlier version does. */
  private Path site(String key, String value) throws IOException {
    Path site = directory.resolve("yarn-site.xml");
    Files.writeString(
        site,
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(PREFIX + key, value));
    configuration.addResource(site.toUri().toURL());
    return site;
  }

  @Test
  void aFormerKeyLetsTheNodeOnlyObserveAndNamesItsFileAndItsNewName() throws Exception {
    Path site = site("pause.mode", "enforce");
    StringWriter log = new StringWriter();
    WriterAppender appender = new WriterAppender(new PatternLayout("%p %m%n"), log);
    Logger logger = Logger.getLogger(SettingsSource.class);
    logger.addAppender(appender);
    logger.setLevel(Level.ERROR);
    SettingsSource.Opened opened;
    try {
      opened = open();
    } finally {
      logger.removeAppender(appender);
    }
    assertThat(opened.settings().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(opened.settings().freeze().mode()).isEqualTo(RegulatorMode.OFF);
    String problem = opened.source().state().problem().orElseThrow();
    assertThat(problem)
        .startsWith("Charon is in mode observe, because its configuration is older")
        .contains("yarn.nodemanager.charon.pause.mode (value 'enforce' in ", site.toString())
        .contains("is now named yarn.nodemanager.charon.freeze.mode: set that key instead")
        .endsWith("and restart the NodeManager");
    assertThat(log.toString().lines()).containsExactly("ERROR " + problem);
  }

  @Test
  void aFormerKeyInTheOverridesFileIsReplacedWhileTheNodeRuns() throws Exception {
    write(PREFIX + "pause.mode=enforce");
    SettingsSource.Opened opened = open();
    assertThat(opened.settings().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(opened.source().state().problem().orElseThrow()).contains("in " + file);

    write(PREFIX + "freeze.mode=enforce");
    CharonSettings now = opened.source().changed().orElseThrow();
    assertThat(now.mode()).isEqualTo(Mode.ENFORCE);
    assertThat(now.freeze().mode()).isEqualTo(RegulatorMode.ENFORCE);
    assertThat(opened.source().state().problem()).isEmpty();
  }

  @Test
  void theFormerNameOfEnforceLetsTheNodeOnlyObserve() throws Exception {
    configuration.set(SettingsReader.MODE, "charon");
    SettingsSource.Opened opened = open();
    assertThat(opened.settings().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(opened.source().state().problem().orElseThrow()).contains("now named enforce");
  }

  @Test
  void aFormerKeyDoesNotTurnOnANodeThatIsOff() throws Exception {
    configuration.set(SettingsReader.MODE, "off");
    configuration.set(PREFIX + "pause.mode", "enforce");
    assertThat(open().settings().mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void aFormerKeyBesideAnotherFaultOrWithFailFastIsRefused() {
    configuration.set(PREFIX + "pause.mode", "enforce");
    configuration.set(CPU_MODE, "observ");
    assertThatThrownBy(this::open)
        .hasMessageContaining("regulator.cpu.mode is 'observ'")
        .hasMessageContaining("is now named yarn.nodemanager.charon.freeze.mode");

    configuration.unset(CPU_MODE);
    configuration.set(SettingsReader.FAIL_FAST, "true");
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            SettingsException.class, refused -> assertThat(refused.failFast()).isTrue())
        .hasMessageContaining("is now named yarn.nodemanager.charon.freeze.mode");
  }

  @Test
  void aFormerKeyWrittenWhileTheNodeRunsChangesNothing() throws Exception {
    SettingsSource source = open().source();
    write(PREFIX + "pause.mode=enforce");
    assertThat(source.changed()).isEmpty();
    assertThat(source.state().problem().orElseThrow()).contains("is now named");
  }

  private SettingsSource.Opened open() throws SettingsException {
    return SettingsSource.open(
        configuration, System.getProperty("user.name"), MechanismList.keys());
  }

  /** Writes the file with a new modification time each time, as {@code bin/charon} does. */
  private void write(String content) throws IOException {
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(++written));
  }
}
