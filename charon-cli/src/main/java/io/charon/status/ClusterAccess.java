/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import io.charon.nodemanager.config.ResourceManagers;
import io.charon.web.http.BoundedClient;
import io.charon.web.http.WebAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import picocli.CommandLine.TypeConversionException;

/**
 * How a command reaches a cluster's web servers, according to Hadoop's own configuration: http or
 * https by {@code yarn.http.policy}, trusted certificates by {@code ssl-client.xml}, and the
 * Kerberos ticket of the user of the command if a server asks for one.
 */
public final class ClusterAccess {
  private static final List<String> FILES =
      List.of("core-site.xml", "yarn-site.xml", "ssl-client.xml");

  private static final String NODE_HOSTNAME = "yarn.nodemanager.hostname";
  private static final String SECURITY = "hadoop.security.authentication";

  private final Configuration configuration;
  private final WebAccess web;
  private final boolean https;

  private ClusterAccess(Configuration configuration) {
    this.configuration = configuration;
    this.web = WebAccess.of(configuration);
    this.https = ResourceManagers.useHttps(configuration);
  }

  /**
   * Reads the configuration files of a directory.
   *
   * @param directory such as {@code HADOOP_CONF_DIR}; without one everything is http
   * @throws IllegalArgumentException if a file is not a configuration; the message names it
   */
  public static ClusterAccess of(Optional<Path> directory) {
    Configuration configuration = new Configuration(false);
    for (String name : FILES) {
      directory
          .map(path -> path.resolve(name))
          .filter(Files::isReadable)
          .ifPresent(file -> add(configuration, file));
    }
    // As in yarn-default.xml, which is not read here: addresses may refer to this key.
    configuration.setIfUnset(NODE_HOSTNAME, "0.0.0.0");
    return new ClusterAccess(configuration);
  }

  private static void add(Configuration configuration, Path file) {
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    try {
      configuration.size(); // reads the file
    } catch (RuntimeException e) {
      // Configuration wraps every parse error into a plain RuntimeException.
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns an address on a server.
   *
   * @param path path with its query, if any
   */
  public URI uri(NodeAddress server, String path) {
    return URI.create((https ? "https://" : "http://") + server + path);
  }

  /**
   * Returns a client that is bounded in time and memory.
   *
   * @param connecting how long connecting may take
   * @param answering how long the complete reply may take
   * @param mostBytes maximum size of a reply
   */
  public BoundedClient client(Duration connecting, Duration answering, int mostBytes) {
    return web.client(connecting, answering, mostBytes);
  }

  /**
   * The NodeManager of this machine, at the address of the configuration, else at YARN's default
   * port.
   *
   * @throws IllegalArgumentException if the configured address cannot be used; the message names
   *     its key
   */
  public NodeAddress nodeManagerHere() {
    String key =
        https ? YarnConfiguration.NM_WEBAPP_HTTPS_ADDRESS : YarnConfiguration.NM_WEBAPP_ADDRESS;
    String standard = // yarn-default.xml derives only the one for http from the host name
        https
            ? YarnConfiguration.DEFAULT_NM_WEBAPP_HTTPS_ADDRESS
            : configuration.getTrimmed(NODE_HOSTNAME)
                + ":"
                + YarnConfiguration.DEFAULT_NM_WEBAPP_PORT;
    try {
      NodeAddress node = NodeAddress.parse(configuration.getTrimmed(key, standard));
      return ThisMachine.isAnyAddress(node.host()) ? here(node.port()) : node;
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException(
          "%s: %s; correct yarn-site.xml, or name the NodeManager with --node"
              .formatted(key, e.getMessage()),
          e);
    }
  }

  /**
   * The ResourceManager of this machine. A configured one listens only at the host of its address,
   * so that localhost may not reach it; without any, it is at YARN's default port.
   *
   * @throws IllegalArgumentException if ResourceManagers are configured, and none on this machine;
   *     or if the address of one cannot be used; the message names it
   */
  public NodeAddress resourceManagerHere() {
    if (!ResourceManagers.areConfigured(configuration)) {
      return here(
          https
              ? YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_PORT
              : YarnConfiguration.DEFAULT_RM_WEBAPP_PORT);
    }
    List<URI> all = resourceManagers();
    for (URI one : all) {
      if (ThisMachine.isAnyAddress(one.getHost())) {
        return here(one.getPort());
      }
      if (isHere(one.getHost())) {
        return new NodeAddress(one.getHost(), one.getPort());
      }
    }
    throw new IllegalArgumentException(
        "yarn-site.xml names no ResourceManager on this machine (%s): run this on the host of one"
                .formatted(all.stream().map(URI::getAuthority).collect(Collectors.joining(", ")))
            + ", or name it with --resourcemanager");
  }

  private static boolean isHere(String host) {
    try {
      return ThisMachine.is(host);
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Certificates and principals are issued for host names, and localhost is not one. */
  private NodeAddress here(int port) {
    boolean named = https || "kerberos".equalsIgnoreCase(configuration.getTrimmed(SECURITY));
    try {
      return new NodeAddress(
          named ? InetAddress.getLocalHost().getCanonicalHostName() : "localhost", port);
    } catch (UnknownHostException e) {
      return new NodeAddress("localhost", port);
    }
  }

  /**
   * Returns the web servers of all ResourceManagers.
   *
   * @throws IllegalArgumentException if none is configured; the message names the key
   */
  public List<URI> resourceManagers() {
    return ResourceManagers.webServers(configuration);
  }
}
