/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.ApplicationClientProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationReportResponse;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsResponse;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationResponse;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationResourceUsageReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.ipc.YarnRPC;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
@Tag("long")
class ClusterDemoTest {
  private static final ApplicationId PRODUCTION = ApplicationId.newInstance(1, 1);

  @TempDir private Path directory;
  private final CountDownLatch submitted = new CountDownLatch(1);
  private final CountDownLatch killed = new CountDownLatch(1);
  private Server resourceManager;

  @BeforeEach
  void aResourceManagerAcceptsJobsAndRunsNone() throws Exception {
    ApplicationClientProtocol protocol = mock();
    when(protocol.getNewApplication(any()))
        .thenReturn(
            GetNewApplicationResponse.newInstance(
                PRODUCTION, Resource.newInstance(1, 1), Resource.newInstance(8192, 8)));
    when(protocol.submitApplication(any()))
        .thenAnswer(
            call -> {
              submitted.countDown();
              return SubmitApplicationResponse.newInstance();
            });
    when(protocol.getApplicationReport(any()))
        .thenAnswer(call -> GetApplicationReportResponse.newInstance(report()));
    when(protocol.getApplications(any()))
        .thenAnswer(call -> GetApplicationsResponse.newInstance(List.of(report())));
    when(protocol.forceKillApplication(any()))
        .thenAnswer(
            call -> {
              killed.countDown();
              return KillApplicationResponse.newInstance(true);
            });
    Configuration configuration = new YarnConfiguration();
    resourceManager =
        YarnRPC.create(configuration)
            .getServer(
                ApplicationClientProtocol.class,
                protocol,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                configuration,
                null,
                1);
    resourceManager.start();
  }

  private static ApplicationReport report() {
    ApplicationReport report = Records.newRecord(ApplicationReport.class);
    report.setApplicationId(PRODUCTION);
    report.setUser("someone");
    report.setName("production");
    report.setYarnApplicationState(YarnApplicationState.ACCEPTED);
    report.setFinalApplicationStatus(FinalApplicationStatus.UNDEFINED);
    report.setApplicationResourceUsageReport(
        Records.newRecord(ApplicationResourceUsageReport.class));
    return report;
  }

  @AfterEach
  void end() {
    resourceManager.stop();
  }

  @Test
  void aSignalLeavesNeitherJobsNorFilesBehind() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Path staging = Files.createDirectory(directory.resolve("staging"));
    Path output = directory.resolve("output");
    Process process = demo(temporary, staging, output);
    try {
      assertThat(submitted.await(2, TimeUnit.MINUTES)).as(Files.readString(output)).isTrue();
      // As kill does.
      process.toHandle().destroy();
      assertThat(process.waitFor()).as(Files.readString(output)).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }

    assertThat(killed.getCount()).as(Files.readString(output)).isZero();
    assertThat(staging).isDirectoryNotContaining("glob:**/charon-demo-*");
    assertThat(staging.resolve(System.getProperty("user.name")))
        .isDirectoryNotContaining("glob:**/charon-demo-*");
    assertThat(temporary).isDirectoryNotContaining("glob:**/charon-input-*");
  }

  private Process demo(Path temporary, Path staging, Path output) throws Exception {
    Path configuration = Files.createDirectory(directory.resolve("conf"));
    InetSocketAddress address = NetUtils.getConnectAddress(resourceManager);
    Files.writeString(
        configuration.resolve("yarn-site.xml"),
        site("yarn.resourcemanager.address", "127.0.0.1:" + address.getPort()));
    Files.writeString(
        configuration.resolve("mapred-site.xml"),
        site("yarn.app.mapreduce.am.staging-dir", staging.toString()));
    Path lib = Files.createDirectories(directory.resolve("home").resolve("lib"));
    Files.createFile(lib.resolve("hadoop-common-3.4.2.jar"));
    Files.createFile(lib.resolve("charon-evaluation-1.jar"));
    Path text = Files.writeString(directory.resolve("text"), "some words\n");
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx400m",
            "-XX:TieredStopAtLevel=1",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + temporary,
            "-Dcharon.home=" + lib.getParent(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.charon.cli.Charon",
            "demo",
            "--cluster",
            configuration.toString(),
            "--nodes",
            "127.0.0.1:1",
            "--input",
            text.toString(),
            "--input-mb",
            "16")
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static String site(String name, String value) {
    return "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
        .formatted(name, value);
  }
}
