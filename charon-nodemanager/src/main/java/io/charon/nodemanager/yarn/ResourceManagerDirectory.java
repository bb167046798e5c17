/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationClientProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationReportRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Looks up applications at the ResourceManager like any YARN client, with the NodeManager's own
 * identity. This also works in a secured cluster and when the ResourceManager fails over.
 */
final class ResourceManagerDirectory implements ApplicationDirectory {
  /** Time limit of connecting to the ResourceManager (YARN's own default is 15 minutes). */
  private static final long MAX_WAIT_MILLIS = 10_000;

  private static final long RETRY_MILLIS = 1000;

  private final Configuration configuration;
  private ApplicationClientProtocol resourceManager;
  private boolean closed;

  /**
   * Creates a directory that is not connected.
   *
   * @param configuration the NodeManager's configuration
   */
  ResourceManagerDirectory(Configuration configuration) {
    this.configuration = new YarnConfiguration(configuration);
    this.configuration.setLong(
        YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, MAX_WAIT_MILLIS);
    this.configuration.setLong(
        YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
  }

  @Override
  public Optional<Entry> find(String applicationId) throws IOException {
    try {
      ApplicationReport report =
          connected()
              .getApplicationReport(
                  GetApplicationReportRequest.newInstance(ApplicationId.fromString(applicationId)))
              .getApplicationReport();
      return report == null || report.getQueue() == null || report.getName() == null
          ? Optional.empty()
          : Optional.of(new Entry(report.getQueue(), report.getName(), tags(report)));
    } catch (ApplicationNotFoundException e) {
      return Optional.empty();
    } catch (YarnException e) {
      throw new IOException("the ResourceManager refused the request: " + e.getMessage(), e);
    }
  }

  private static Set<String> tags(ApplicationReport report) {
    return report.getApplicationTags() == null ? Set.of() : report.getApplicationTags();
  }

  private synchronized ApplicationClientProtocol connected() throws IOException {
    if (closed) {
      throw new IOException("the NodeManager is stopping");
    }
    if (resourceManager == null) {
      try {
        resourceManager =
            UserGroupInformation.getLoginUser()
                .doAs(
                    (PrivilegedExceptionAction<ApplicationClientProtocol>)
                        () ->
                            ClientRMProxy.createRMProxy(
                                configuration, ApplicationClientProtocol.class));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    return resourceManager;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (resourceManager != null) {
      RPC.stopProxy(resourceManager);
      resourceManager = null;
    }
  }
}
