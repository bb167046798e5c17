/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.ietf.jgss.GSSException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every message says in words what to do. */
@Tag("hadoop")
class FailuresTest {
  private static final URI SERVER = URI.create("https://node1:8044/jmx");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          No valid credentials provided (Mechanism level: Failed to find any Kerberos tgt) | run kinit first
          Ticket expired (32) - PROCESS_TGS | run kinit first
          Server not found in Kerberos database (7) - LOOKING_UP_SERVER | no principal HTTP/node1
          Clock skew too great (37) | synchronize them
          Cannot locate default realm | check /etc/krb5.conf
          """)
  void kerberosSaysTheCure(String cause, String cure) {
    Exception failure =
        new AuthenticationException(
            new GSSException(GSSException.NO_CRED, GSSException.NO_CRED, "outer")
                .initCause(new IOException(cause)));
    assertCured(Failures.unauthenticated(SERVER, failure), cure);
  }

  @Test
  void aDaemonWhoseKeytabIsUselessHearsOfIt() {
    assertCured(
        Failures.unauthenticated(SERVER, new IOException(new LoginException("checksum failed"))),
        "a daemon needs its principal and keytab");
  }

  @Test
  void whatTheServerThinksOfTheTicketIsPassedOn() {
    assertCured(
        Failures.unauthenticated(SERVER, new AuthenticationException("Invalid SPNEGO sequence")),
        "does not accept the Kerberos ticket: Invalid SPNEGO sequence");
  }

  @Test
  void pagesOfErrorsBecomeOneLine() {
    String page = "<html><title>Error 403 no</title>\n<body>\u001b[31m at io.charon(X.java)</body>";
    assertCured(
        Failures.status(403, page.getBytes(StandardCharsets.UTF_8)),
        "status 403: Error 403 no. The server knows the user and refuses the request");
    byte[] text = "a \u001b[31mreason\nhere\n".getBytes(StandardCharsets.UTF_8);
    assertThat(Failures.status(409, text)).hasMessage("status 409: a [31mreason here");
    assertThat(Failures.status(404, new byte[0])).hasMessage("status 404");
    assertThat(Failures.status(500, "x".repeat(9999).getBytes(StandardCharsets.UTF_8)).getMessage())
        .hasSizeLessThan(250);
  }

  @Test
  void aCircleOfCausesEnds() {
    IOException one = new IOException("one");
    one.initCause(new IOException("two", one));
    assertThat(Failures.unanswered(SERVER, one)).hasMessage("one");
  }

  private static void assertCured(IOException failure, String cure) {
    assertThat(failure).isInstanceOf(AccessException.class).hasMessageContaining(cure);
    assertThat(failure.getMessage()).doesNotContain("\n");
  }
}
