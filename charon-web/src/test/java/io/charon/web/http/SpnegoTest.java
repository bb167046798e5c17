/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.web.Responses;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page behind Hadoop's authentication filter, with a KDC. */
@Tag("hadoop")
@Tag("long")
class SpnegoTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String KERBEROS = "hadoop.security.authentication";

  @TempDir private static Path directory;
  private static MiniKdc kdc;
  private static Path keytab;
  private static HttpServer2 server;
  private static URI page;

  /** Responds as Charon's pages do. */
  public static final class Page extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (!Responses.options(request, response, "GET")) {
        byte[] user = request.getRemoteUser().getBytes(StandardCharsets.UTF_8);
        Responses.body(request, response, "text/plain", user);
      }
    }
  }

  @BeforeAll
  static void serve() throws Exception {
    kdc =
        new MiniKdc(MiniKdc.createConf(), Files.createDirectory(directory.resolve("kdc")).toFile());
    kdc.start();
    keytab = directory.resolve("keytab");
    kdc.createPrincipal(keytab.toFile(), "HTTP/localhost", "alice");
    // Hadoop's web server needs a directory of pages with its name.
    Files.createDirectories(
        Path.of(SpnegoTest.class.getResource("/").toURI()).resolve("webapps/charon-test"));
    Path secret = Files.writeString(directory.resolve("secret"), "a secret of this test");
    Configuration configuration = secured();
    String filter = "hadoop.http.authentication.";
    configuration.set(filter + "type", "kerberos");
    configuration.set(filter + "kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
    configuration.set(filter + "kerberos.keytab", keytab.toString());
    configuration.set(filter + "signature.secret.file", secret.toString());
    configuration.set(filter + "token.validity", "1");
    configuration.set(
        "hadoop.http.filter.initializers",
        "org.apache.hadoop.security.AuthenticationFilterInitializer");
    server =
        new HttpServer2.Builder()
            .setName("charon-test")
            .setConf(configuration)
            .addEndpoint(URI.create("http://localhost:0"))
            .setFindPort(true)
            .build();
    server.addServlet("charon", "/charon/*", Page.class);
    server.start();
    page =
        URI.create(
            "http://localhost:" + server.getConnectorAddress(0).getPort() + "/charon/status");
  }

  private static Configuration secured() {
    Configuration configuration = new Configuration();
    configuration.set(KERBEROS, "kerberos");
    return configuration;
  }

  @AfterEach
  void forget() {
    UserGroupInformation.reset();
  }

  @AfterAll
  static void end() throws Exception {
    if (server != null) {
      server.stop();
    }
    kdc.stop();
    System.clearProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF);
  }

  @Test
  void aLoginFromAKeytabIsKnownAndStaysSoWhenTheServerForgets() throws Exception {
    UserGroupInformation.setConfiguration(secured());
    UserGroupInformation.loginUserFromKeytab("alice@" + kdc.getRealm(), keytab.toString());
    WebAccess access = WebAccess.unconfigured();
    assertThat(get(access)).isEqualTo("alice");
    String first = access.session(page).orElseThrow();

    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (access.session(page).orElseThrow().equals(first)) {
      assertThat(System.nanoTime()).as("its session of a second ends").isLessThan(end);
      Thread.sleep(200);
      assertThat(get(access)).isEqualTo("alice");
    }
  }

  @Test
  @Tag("must-never")
  void withoutATicketNothingIsTold() throws Exception {
    HttpURLConnection bare = (HttpURLConnection) page.toURL().openConnection();
    assertThat(bare.getResponseCode()).isEqualTo(401);
    UserGroupInformation.setConfiguration(new Configuration());
    assertThatThrownBy(() -> get(WebAccess.unconfigured()))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("no valid Kerberos ticket: run kinit first");
  }

  @Test
  void aServerThatTheKdcDoesNotKnowIsNamed() throws Exception {
    UserGroupInformation.setConfiguration(secured());
    UserGroupInformation.loginUserFromKeytab("alice@" + kdc.getRealm(), keytab.toString());
    URI byAddress = URI.create(page.toString().replace("localhost", "127.0.0.1"));
    assertThatThrownBy(() -> get(WebAccess.unconfigured(), byAddress))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("the KDC has no principal HTTP/");
  }

  private static String get(WebAccess access) throws IOException, InterruptedException {
    return get(access, page);
  }

  private static String get(WebAccess access, URI asked) throws IOException, InterruptedException {
    byte[] body = access.client(TIMEOUT, TIMEOUT, 1000).send(HttpRequest.newBuilder(asked));
    return new String(body, StandardCharsets.UTF_8);
  }
}
