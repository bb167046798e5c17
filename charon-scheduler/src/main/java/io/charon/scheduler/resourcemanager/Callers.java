/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.web.PageAccess;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Identifies the callers of the ResourceManager's web server in a secured cluster. */
final class Callers {
  private Callers() {}

  /**
   * Returns the reason to refuse every request, from any caller: the filter that authenticates
   * callers is missing.
   *
   * @return the reason and the cure; empty without Kerberos
   */
  static Optional<String> refusal(HttpServletRequest request) {
    return UserGroupInformation.isSecurityEnabled()
        ? PageAccess.refusal(configuration(request), true, request)
        : Optional.empty();
  }

  /**
   * Returns whether the caller is the user of this daemon or of NodeManagers. Without Kerberos this
   * is not checked and always true.
   */
  static boolean isDaemon(HttpServletRequest request) throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return true;
    }
    String asking = shortName(request.getRemoteUser());
    // Principals of daemons are NAME/_HOST@REALM; for every host they map to the same Hadoop user.
    String nodeManager = configuration(request).getTrimmed(YarnConfiguration.NM_PRINCIPAL, "");
    return asking.equals(UserGroupInformation.getLoginUser().getShortUserName())
        || (!nodeManager.isEmpty() && asking.equals(shortName(nodeManager)));
  }

  /** Maps a principal by the cluster's rules ({@code hadoop.security.auth_to_local}). */
  private static String shortName(String principal) {
    return UserGroupInformation.createRemoteUser(principal).getShortUserName();
  }

  private static Configuration configuration(HttpServletRequest request) {
    return (Configuration)
        request.getServletContext().getAttribute(HttpServer2.CONF_CONTEXT_ATTRIBUTE);
  }
}
