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
 * Whether a request comes from somebody whom Hadoop's authentication filter knows, where the
 * cluster wants that. The filter stands before the pages; this fails closed if it does not, or if
 * it believes what anybody claims. A user name alone proves nothing: the static user of Hadoop's
 * web pages is one, too. Only the filter sets the way in which a user was authenticated.
 */
public final class PageAccess {
  static final String TYPE_KEY = "hadoop.http.authentication.type";
  static final String ANONYMOUS_KEY = "hadoop.http.authentication.simple.anonymous.allowed";

  private PageAccess() {}

  /**
   * Why a request must not be answered.
   *
   * @param configuration the daemon's
   * @param kerberos whether Hadoop's security is on
   * @return the reason and the cure; nothing if it may be answered
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

  /** Whether users say who they are and nobody checks. */
  private static boolean isUnchecked(String type) {
    return type.equals("simple")
        || type.equals("simple-dt")
        || type.equals(PseudoAuthenticationHandler.class.getName());
  }
}
