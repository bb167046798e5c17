/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A web server with its own certificate, for one name. */
final class TlsServer implements AutoCloseable {
  static final String PASSWORD = "not-secret";

  private final HttpsServer server;

  private TlsServer(HttpsServer server) {
    this.server = server;
  }

  /**
   * Generates a key with the JDK's own tool.
   *
   * @param store the file to create; it contains the certificate, too, so it serves as a truststore
   * @param name name in the notation of certificates, for example {@code dns:localhost}
   */
  static void key(Path store, String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of(
            "-genkeypair -alias server -keyalg EC -groupname secp256r1 -validity 2 -dname CN=test"
                .split(" ")));
    command.addAll(
        List.of("-ext", "san=" + name, "-keystore", store.toString(), "-storepass", PASSWORD));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }

  static TlsServer start(Path store, HttpHandler handler)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", handler);
    server.start();
    return new TlsServer(server);
  }

  URI address(String host) {
    return URI.create("https://" + host + ":" + server.getAddress().getPort() + "/");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
