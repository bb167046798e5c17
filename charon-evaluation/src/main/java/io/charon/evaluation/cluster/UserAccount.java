/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Another account of this machine; requires that this process is root. Root writes nothing in a
 * directory that the user can already change, so that the user's symbolic links cannot redirect a
 * write. A job is therefore staged in a directory of its own, which is given to the user as a whole
 * right before the job is submitted.
 *
 * @param name name of the user
 */
record UserAccount(String name) implements JobAccount {
  @Override
  public Job job(Configuration configuration, String jobName) throws IOException {
    Path all = Files.createDirectories(Path.of(configuration.get(MRJobConfig.MR_AM_STAGING_DIR)));
    configuration.set(
        MRJobConfig.MR_AM_STAGING_DIR, Files.createTempDirectory(all, "job-").toString());
    configuration.set(MRConfig.FRAMEWORK_NAME, UserJobProvider.FRAMEWORK);
    // A job stores the user that created it.
    return run(() -> Job.getInstance(configuration, jobName));
  }

  @Override
  public void makeWritable(Path directory) throws IOException {
    if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      FileOwner.of(name).chownTree(directory);
    }
  }

  @Override
  public <T> T run(Action<T> action) throws IOException {
    try {
      return UserGroupInformation.createRemoteUser(name)
          .doAs((PrivilegedExceptionAction<T>) action::run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while acting as " + name).initCause(e);
    }
  }
}
