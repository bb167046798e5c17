/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.authentication.server.PseudoAuthenticationHandler;

/**
 * Checks that a request comes from a user authenticated by Hadoop's authentication filter, if the
 * cluster demands that. The filter comes before the pages; this check fails closed if the filter is
 * missing, or if it accepts any claimed identity. A user name alone proves nothing, because the
 * static user of Hadoop's web pages has one, too. Only the filter sets the type of authentication.
 */
public final class PageAccess {
  static final String TYPE_KEY = "hadoop.http.authentication.type";
  static final String ANONYMOUS_KEY = "hadoop.http.authentication.simple.anonymous.allowed";

  private PageAccess() {}

  /**
   * Returns why a request must not be answered.
   *
   * @param configuration the daemon's configuration
   * @param kerberos whether Hadoop's security is on
   * @return the reason and the cure; empty if it may be answered
   */
  public static Optional<String> refusal(
      Configuration configuration, boolean kerberos, HttpServletRequest request) {
    String type = configuration.getTrimmed(TYPE_KEY, "simple");
    if (isUnchecked(type) && kerberos) {
      return Optional.of(
          TYPE_KEY
              + " is "
              + type
              + " although "
              + CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION
              + " is not: any client could claim any identity. Set it to kerberos, as "
              + "docs/web-page.md describes");
    }
    if (isUnchecked(type) && configuration.getBoolean(ANONYMOUS_KEY, true)) {
      return Optional.empty();
    }
    String way = request.getAuthType();
    if (request.getRemoteUser() == null
        || way == null
        || (isUnchecked(way) && !isUnchecked(type))) {
      return Optional.of(
          "this request is not authenticated, although "
              + TYPE_KEY
              + " is "
              + type
              + ". Name org.apache.hadoop.security.AuthenticationFilterInitializer first in "
              + "hadoop.http.filter.initializers, as docs/web-page.md describes");
    }
    return Optional.empty();
  }

  /** Whether users state their names without any check. */
  private static boolean isUnchecked(String type) {
    return type.equals("simple")
        || type.equals("simple-dt")
        || type.equals(PseudoAuthenticationHandler.class.getName());
  }
}
