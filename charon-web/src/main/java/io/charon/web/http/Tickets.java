/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates this process to web servers by SPNEGO: a daemon with the login from its keytab, a
 * command with its user's ticket from kinit.
 */
final class Tickets {
  private static final Logger LOG = LoggerFactory.getLogger(Tickets.class);

  private final Trust trust;

  /**
   * Why the last renewal failed, until an authentication succeeds. Hadoop tries only now and then;
   * in between, the error is just a missing ticket, which says less.
   */
  private volatile Optional<Exception> lapsed = Optional.empty();

  Tickets(Trust trust) {
    this.trust = trust;
  }

  /**
   * Authenticates this process to one server, which remembers it for a while (10 hours, unless its
   * configuration differs). krb5.conf sets how long to wait for a KDC.
   *
   * @param asked address that was refused; the server gets an OPTIONS request
   * @param timeout for each connection, and again for each response
   * @return the value of the server's cookie {@code hadoop.auth}
   * @throws IOException if it fails; the message contains the cure
   */
  String session(URI asked, Duration timeout) throws IOException, InterruptedException {
    AuthenticatedURL.Token session = new AuthenticatedURL.Token();
    try {
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      renew(user);
      user.doAs(
          (PrivilegedExceptionAction<HttpURLConnection>)
              () ->
                  new AuthenticatedURL(new KerberosAuthenticator(), configurator(timeout))
                      .openConnection(asked.toURL(), session));
    } catch (IOException | RuntimeException e) {
      throw Failures.unauthenticated(asked, Failures.lacksTicket(e) ? lapsed.orElse(e) : e);
    }
    if (!session.isSet()) {
      throw Failures.unauthenticated(
          asked, new AuthenticationException("the server gave no session (cookie hadoop.auth)"));
    }
    lapsed = Optional.empty();
    return session.toString();
  }

  /** Renews only a login from a keytab. If that fails, a ticket that is still valid can be used. */
  private synchronized void renew(UserGroupInformation user) {
    try {
      user.checkTGTAndReloginFromKeytab();
    } catch (IOException e) {
      lapsed = Optional.of(e);
      LOG.debug("the login from the keytab is not renewed", e);
    }
  }

  private ConnectionConfigurator configurator(Duration timeout) {
    return connection -> {
      connection.setConnectTimeout((int) timeout.toMillis());
      connection.setReadTimeout((int) timeout.toMillis());
      connection.setInstanceFollowRedirects(false);
      if (connection instanceof HttpsURLConnection secure) {
        secure.setSSLSocketFactory(trust.context().getSocketFactory());
      }
      return connection;
    };
  }
}
