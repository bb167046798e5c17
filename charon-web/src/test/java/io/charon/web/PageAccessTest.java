/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class PageAccessTest {
  private static final String PSEUDO =
      "org.apache.hadoop.security.authentication.server.PseudoAuthenticationHandler";

  @ParameterizedTest(name = "{0}, anonymous {1}, Kerberos {2}, user {3} by {4}: {5}")
  @CsvSource({
    // Hadoop's defaults: open, like its other pages.
    "simple, true, false, , , yes",
    "simple, true, false, dr.who, , yes",
    PSEUDO + ", true, false, , , yes",
    // Anonymous requests are refused.
    "simple, false, false, , , no",
    "simple, false, false, dr.who, , no",
    "simple, false, false, alice, simple, yes",
    // Secured: only users checked by the filter.
    "kerberos, true, true, alice, kerberos, yes",
    "kerberos, true, true, , , no",
    "kerberos, true, true, dr.who, , no",
    "kerberos, true, true, , kerberos, no",
    "kerberos, true, true, alice, simple, no",
    "kerberos, true, false, dr.who, , no",
    "com.example.Handler, true, false, alice, example, yes",
    "com.example.Handler, true, false, alice, , no",
    // Kerberos between daemons, but a web server that accepts any claimed identity.
    "simple, true, true, alice, simple, no",
    "simple, false, true, alice, simple, no",
    PSEUDO + ", false, true, alice, simple, no",
  })
  void failsClosed(
      String type, boolean anonymous, boolean kerberos, String user, String way, String allowed) {
    Configuration configuration = new Configuration(false);
    configuration.set(PageAccess.TYPE_KEY, type);
    configuration.setBoolean(PageAccess.ANONYMOUS_KEY, anonymous);
    HttpServletRequest request = mock(HttpServletRequest.class);
    when(request.getRemoteUser()).thenReturn(user);
    when(request.getAuthType()).thenReturn(way);

    Optional<String> refusal = PageAccess.refusal(configuration, kerberos, request);

    assertThat(refusal.isEmpty()).isEqualTo(allowed.equals("yes"));
    refusal.ifPresent(
        reason ->
            assertThat(reason)
                .contains(PageAccess.TYPE_KEY, type, "docs/web-page.md")
                .doesNotContain("alice"));
  }

  @Test
  void withoutAnyConfigurationItIsLikeHadoopsDefaults() {
    assertThat(PageAccess.refusal(new Configuration(false), false, mock(HttpServletRequest.class)))
        .isEmpty();
  }
}
