/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.YARNRunner;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Submits MapReduce jobs of a {@link UserAccount} to YARN. On this machine's file system, files
 * that root writes belong to root, whichever user it acts for. This class gives a job's files to
 * the user after all of them are written and before anything of the job runs. MapReduce finds it
 * through its service file.
 */
public final class UserJobProvider extends ClientProtocolProvider {
  /** Value of {@link MRConfig#FRAMEWORK_NAME} for such jobs. */
  static final String FRAMEWORK = "yarn-as-user";

  /** Called by MapReduce. */
  public UserJobProvider() {}

  @Override
  public ClientProtocol create(Configuration configuration) {
    return FRAMEWORK.equals(configuration.get(MRConfig.FRAMEWORK_NAME))
        ? new Runner(configuration)
        : null;
  }

  @Override
  public ClientProtocol create(InetSocketAddress address, Configuration configuration) {
    return create(configuration);
  }

  @Override
  public void close(ClientProtocol protocol) throws IOException {
    if (protocol instanceof Runner runner) {
      runner.close();
    }
  }

  private static final class Runner extends YARNRunner {
    private final Path staging;

    Runner(Configuration configuration) {
      super(configuration);
      this.staging = Path.of(configuration.get(MRJobConfig.MR_AM_STAGING_DIR));
    }

    @Override
    public JobStatus submitJob(JobID job, String directory, Credentials credentials)
        throws IOException, InterruptedException {
      FileOwner.of(UserGroupInformation.getCurrentUser().getShortUserName()).chownTree(staging);
      return super.submitJob(job, directory, credentials);
    }
  }
}
