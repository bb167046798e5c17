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
 * How this process asks web servers of Hadoop's daemons, over http or https, with a Kerberos ticket
 * where they want one. One for a process: servers remember it. Thread-safe.
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
   * By a daemon's or a client's configuration.
   *
   * @param configuration whose {@code ssl-client.xml} says whom to trust; or these keys themselves,
   *     if no such file is on the class path
   */
  public static WebAccess of(Configuration configuration) {
    return new WebAccess(configuration);
  }

  /** Of a process that has no configuration. */
  public static WebAccess unconfigured() {
    return of(new Configuration(false));
  }

  /**
   * A client. Redirects are not followed: a ResourceManager that is not the active one sends them.
   *
   * @param connecting how long that may take
   * @param answering how long the whole answer may take
   * @param mostBytes of an answer
   */
  public BoundedClient client(Duration connecting, Duration answering, int mostBytes) {
    return new BoundedClient(this, connecting, answering, mostBytes);
  }

  SSLContext trust() throws IOException {
    return trust.context();
  }

  /** By what a server knows this process; empty if it has never asked. */
  Optional<String> session(URI server) {
    return Optional.ofNullable(sessions.get(server.getRawAuthority()));
  }

  /** The same after it was told anew. */
  String newSession(URI asked, Duration timeout) throws IOException, InterruptedException {
    sessions.remove(asked.getRawAuthority());
    String session = tickets.session(asked, timeout);
    sessions.put(asked.getRawAuthority(), session);
    return session;
  }
}
