/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.CompositeService.CompositeServiceShutdownHook;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.GenericOptionsParser;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DeletionService;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * YARN's NodeManager with {@link CharonContainerScheduler} in it. Everything else is as in the
 * drop-in installation, with the same keys. The shellprofile {@code charon.sh} makes it the main
 * class of {@code yarn --daemon start nodemanager}.
 */
public class CharonNodeManager extends NodeManager {
  private static final Logger LOG = LoggerFactory.getLogger(CharonNodeManager.class);

  private boolean exitsAtShutDown;

  @Override
  protected ContainerManagerImpl createContainerManager(
      Context context,
      ContainerExecutor executor,
      DeletionService deletion,
      NodeStatusUpdater updater,
      ApplicationACLsManager acls,
      LocalDirsHandlerService dirs) {
    return new ContainerManagerImpl(context, executor, deletion, updater, metrics, dirs) {
      // Set by the super constructor, through the method below: an initializer would reset it.
      private AsyncDispatcher managersDispatcher;

      @Override
      protected AsyncDispatcher createContainerManagerDispatcher() {
        managersDispatcher = super.createContainerManagerDispatcher();
        return managersDispatcher;
      }

      @Override
      protected ContainerScheduler createContainerScheduler(Context contextOfScheduler) {
        return new CharonContainerScheduler(
            contextOfScheduler, managersDispatcher, CharonNodeManager.this.metrics);
      }
    };
  }

  /**
   * Shuts down like NodeManager, whose own record of having been started by {@code main} is
   * private.
   */
  @Override
  protected void shutDown(int exitCode) {
    new Thread(
            () -> {
              try {
                stop();
              } catch (RuntimeException e) {
                LOG.error("The NodeManager could not be stopped cleanly", e);
              } finally {
                if (exitsAtShutDown && !ShutdownHookManager.get().isShutdownInProgress()) {
                  ExitUtil.terminate(exitCode);
                }
              }
            },
            "charon-shutdown")
        .start();
  }

  /**
   * Starts a NodeManager, and returns while it runs.
   *
   * @param arguments Hadoop's generic options
   * @throws IOException if they cannot be read
   */
  public static void main(String[] arguments) throws IOException {
    Thread.setDefaultUncaughtExceptionHandler(new YarnUncaughtExceptionHandler());
    StringUtils.startupShutdownMessage(CharonNodeManager.class, arguments, LOG);
    Configuration configuration = new YarnConfiguration();
    new GenericOptionsParser(configuration, arguments);
    new CharonNodeManager().run(configuration);
  }

  private void run(Configuration configuration) {
    try {
      ShutdownHookManager.get()
          .addShutdownHook(new CompositeServiceShutdownHook(this), SHUTDOWN_HOOK_PRIORITY);
      exitsAtShutDown = true;
      init(configuration);
      start();
    } catch (RuntimeException e) {
      LOG.error("The NodeManager cannot start", e);
      ExitUtil.terminate(-1);
    }
  }
}
