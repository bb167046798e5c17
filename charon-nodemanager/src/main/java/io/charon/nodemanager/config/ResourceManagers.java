/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Locates the web servers of the ResourceManagers by YARN's own keys. */
public final class ResourceManagers {
  private ResourceManagers() {}

  /** Returns whether the web servers of all YARN daemons use https. */
  public static boolean useHttps(Configuration configuration) {
    return YarnConfiguration.useHttps(configuration);
  }

  /**
   * Returns the web servers, including all of a highly available group.
   *
   * @param configuration the configuration of a daemon or a client
   * @throws IllegalArgumentException naming the key whose value is not an address
   */
  public static List<URI> webServers(Configuration configuration) {
    boolean https = useHttps(configuration);
    List<URI> servers = new ArrayList<>();
    if (HAUtil.isHAEnabled(configuration)) {
      for (String id : HAUtil.getRMHAIds(configuration)) {
        servers.add(server(configuration, https, Optional.of(id)));
      }
    } else {
      servers.add(server(configuration, https, Optional.empty()));
    }
    return servers;
  }

  /**
   * Returns whether the configuration says where a ResourceManager is. Without, YARN's default is
   * port 8088 or 8090 of the machine itself.
   */
  public static boolean areConfigured(Configuration configuration) {
    return HAUtil.isHAEnabled(configuration)
        || !configuration.getTrimmed(YarnConfiguration.RM_HOSTNAME, "").isEmpty()
        || !configuration
            .getTrimmed(webKey(useHttps(configuration), Optional.empty()), "")
            .isEmpty();
  }

  private static String webKey(boolean https, Optional<String> id) {
    return withId(
        https ? YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS : YarnConfiguration.RM_WEBAPP_ADDRESS,
        id);
  }

  private static URI server(Configuration configuration, boolean https, Optional<String> id) {
    String key = webKey(https, id);
    int port =
        https
            ? YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_PORT
            : YarnConfiguration.DEFAULT_RM_WEBAPP_PORT;
    String host = configuration.getTrimmed(withId(YarnConfiguration.RM_HOSTNAME, id), "");
    // yarn-default.xml derives the address from the host name only for a single ResourceManager.
    String address = configuration.getTrimmed(key, host.isEmpty() ? "" : host + ":" + port);
    String full = address.contains(":") ? address : address + ":" + port;
    try {
      URI uri = URI.create((https ? "https://" : "http://") + full);
      if (uri.getHost() != null && uri.getPort() > 0) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the exception that names the allowed value.
    }
    throw new IllegalArgumentException(
        key + " is '" + address + "'; it must be the host and port of a ResourceManager");
  }

  private static String withId(String key, Optional<String> id) {
    return id.map(name -> key + "." + name).orElse(key);
  }
}
