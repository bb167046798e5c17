/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;

/**
 * How this process sends requests to the web servers of Hadoop's daemons, over http or https, with
 * a Kerberos ticket if they demand one. Each process has one instance, because the servers remember
 * it. Thread-safe.
 */
public final class WebAccess {
  private final Trust trust;
  private final Tickets tickets;
  private final Map<String, String> sessions = new ConcurrentHashMap<>();

  private WebAccess(Configuration configuration) {
    this.trust = new Trust(configuration);
    this.tickets = new Tickets(trust);
  }

  /**
   * Creates the access from the configuration of a daemon or a client.
   *
   * @param configuration names the {@code ssl-client.xml} with the truststore; or contains these
   *     keys itself, if no such file is on the class path
   */
  public static WebAccess of(Configuration configuration) {
    return new WebAccess(configuration);
  }

  /** Creates the access of a process without a configuration. */
  public static WebAccess unconfigured() {
    return of(new Configuration(false));
  }

  /**
   * Creates a client. It does not follow redirects, which a standby ResourceManager sends.
   *
   * @param connecting how long connecting may take
   * @param answering how long the complete response may take
   * @param mostBytes maximum size of a response
   */
  public BoundedClient client(Duration connecting, Duration answering, int mostBytes) {
    return new BoundedClient(this, connecting, answering, mostBytes);
  }

  SSLContext trust() throws IOException {
    return trust.context();
  }

  /** The session by which a server knows this process; empty if there is none. */
  Optional<String> session(URI server) {
    return Optional.ofNullable(sessions.get(server.getRawAuthority()));
  }

  /** Authenticates again and returns the new session. */
  String newSession(URI asked, Duration timeout) throws IOException, InterruptedException {
    sessions.remove(asked.getRawAuthority());
    String session = tickets.session(asked, timeout);
    sessions.put(asked.getRawAuthority(), session);
    return session;
  }
}
