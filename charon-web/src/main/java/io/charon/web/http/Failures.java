/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.ietf.jgss.GSSException;

/** Describes in words why there is no response and, if known, what to do about it. */
final class Failures {
  private static final int LONGEST_REASON = 200;

  /**
   * Messages of Java's Kerberos, some of them from the operating system, if no KDC can be reached.
   */
  private static final List<String> NO_KDC =
      List.of(
          "Cannot contact any KDC",
          "Cannot locate KDC",
          "Cannot locate default realm",
          "Cannot get kdc for realm",
          "ICMP Port Unreachable",
          "Receive timed out",
          "Connection refused");

  private Failures() {}

  /**
   * Explains a status that refuses a request.
   *
   * @param body body of the response, in which the server may have given a reason
   */
  static IOException status(int status, byte[] body) {
    String said = "status " + status + reason(body);
    return switch (status) {
      case 401 ->
          new AccessException(
              said
                  + ". The server requires authentication: hadoop.http.authentication.type there must "
                  + "be kerberos, and the client needs a ticket (kinit)",
              null);
      case 403 ->
          new AccessException(
              said
                  + ". The server knows the user and refuses the request: yarn.admin.acl and "
                  + "hadoop.security.instrumentation.requires.admin there say which users may",
              null);
      default -> new IOException(said);
    };
  }

  /** Extracts the reason: of an HTML page the title, in which Hadoop's servers put it. */
  private static String reason(byte[] body) {
    String text =
        new String(body, StandardCharsets.UTF_8)
            .replaceFirst("(?s)^.*<title>(.*?)</title>.*$", "$1")
            .replaceAll("<[^>]*>", " ")
            .replaceAll("[^ -~]+", " ")
            .replaceAll(" +", " ")
            .strip();
    return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), LONGEST_REASON));
  }

  /** Explains why a server did not respond; keeps the cause. */
  static IOException unanswered(URI server, Throwable failure) {
    if (has(failure, SSLException.class)) {
      return new AccessException(tls(server, failure), failure);
    }
    if (has(failure, HttpTimeoutException.class) || has(failure, TimeoutException.class)) {
      return new IOException("no answer in time", failure);
    }
    if (has(failure, UnresolvedAddressException.class)
        || has(failure, UnknownHostException.class)) {
      return new IOException("unknown host", failure);
    }
    if (has(failure, ConnectException.class)) {
      // The HTTP client omits the message if a connection is refused.
      return new IOException(
          failure.getMessage() == null ? "connection refused" : failure.getMessage(), failure);
    }
    if (says(failure, "header parser received no bytes")) {
      return new IOException(
          "the server closed the connection; if it uses https, set yarn.http.policy "
              + "accordingly in the configuration used here",
          failure);
    }
    return new IOException(
        failure.getMessage() == null ? failure.toString() : failure.getMessage(), failure);
  }

  private static String tls(URI server, Throwable failure) {
    if (says(failure, "certification path", "path building failed", "trust anchor")) {
      return "the server's certificate is not trusted: name a truststore that contains it, or "
          + "its authority, in ssl.client.truststore.location (ssl-client.xml beside yarn-site.xml)";
    }
    if (says(failure, "subject alternative", "No name matching")) {
      return "the server's certificate is not for "
          + server.getHost()
          + ": use a host name that is in the certificate";
    }
    if (says(failure, "nrecognized SSL message")) {
      return "the server does not use https, although yarn.http.policy is HTTPS_ONLY in the "
          + "configuration used here";
    }
    return "no secure connection: " + deepest(failure).getMessage();
  }

  /** Explains why this process could not be authenticated. */
  static IOException unauthenticated(URI server, Exception failure) {
    if (says(failure, "Server not found in Kerberos database")) {
      return new AccessException(
          "the KDC has no principal HTTP/"
              + server.getHost()
              + ": use the host name for which the server has its keytab",
          failure);
    }
    if (says(failure, "Clock skew too great")) {
      return new AccessException(
          "the clocks of this machine, the server and the KDC differ too much: synchronize them",
          failure);
    }
    if (says(failure, NO_KDC.toArray(String[]::new))) {
      return new AccessException(
          "no KDC can be reached: check /etc/krb5.conf (%s)"
              .formatted(deepest(failure).getMessage()),
          failure);
    }
    if (lacksTicket(failure)) {
      return new AccessException(
          "no valid Kerberos ticket: run kinit first (Java reads tickets from files only: if kinit keeps yours"
              + " elsewhere, set KRB5CCNAME=FILE:/path for both); a daemon needs its principal and keytab in"
              + " yarn-site.xml",
          failure);
    }
    return has(failure, AuthenticationException.class) || has(failure, GSSException.class)
        ? new AccessException(
            "the server does not accept the Kerberos ticket: " + deepest(failure).getMessage(),
            failure)
        : unanswered(server, failure);
  }

  /** Whether this process had no credentials at all. */
  static boolean lacksTicket(Throwable failure) {
    return causes(failure)
        .anyMatch(
            cause ->
                cause instanceof LoginException
                    || (cause instanceof GSSException gss
                        && gss.getMajor() == GSSException.NO_CRED));
  }

  private static boolean has(Throwable failure, Class<?> kind) {
    return causes(failure).anyMatch(kind::isInstance);
  }

  private static boolean says(Throwable failure, String... words) {
    Predicate<String> any = text -> Stream.of(words).anyMatch(text::contains);
    return causes(failure)
        .map(Throwable::getMessage)
        .flatMap(text -> Optional.ofNullable(text).stream())
        .anyMatch(any);
  }

  private static Throwable deepest(Throwable failure) {
    return causes(failure).reduce(failure, (above, below) -> below);
  }

  private static Stream<Throwable> causes(Throwable failure) {
    // No chain of causes is longer than this, but a circular one would not end.
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause).limit(20);
  }
}
