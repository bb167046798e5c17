/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One page in a headless Chromium, which is controlled by its DevTools protocol. */
final class Browser implements AutoCloseable {
  /**
   * History of the charts in pictures; none needed in tests. {@code
   * -Dcharon.it.history-millis=8000} gives charts that show something.
   */
  static final long HISTORY_MILLIS = Long.getLong("charon.it.history-millis", 0);

  private static final long LIMIT_SECONDS = 60;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final Process process;
  private final WebSocket socket;

  /** Assembles messages from their parts. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        try {
          received(json.readTree(message.toString()));
        } catch (IOException e) {
          problems.add(e.toString());
        }
        message.setLength(0);
      }
      webSocket.request(1);
      return null;
    }
  }

  /**
   * Starts a browser.
   *
   * @param program path of Chromium
   * @param directory empty directory for the files that it writes
   */
  Browser(Path program, Path directory) throws Exception {
    this(program, directory, Map.of());
  }

  /**
   * Starts a browser that resolves some names.
   *
   * @param program path of Chromium
   * @param directory empty directory for the files that it writes
   * @param hosts addresses by name
   */
  Browser(Path program, Path directory, Map<String, String> hosts) throws Exception {
    String rules =
        hosts.entrySet().stream()
            .map(host -> "MAP " + host.getKey() + " " + host.getValue())
            .collect(Collectors.joining(", "));
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                // The sandbox does not work for root, and the page is our own.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--host-resolver-rules=" + rules,
                "--user-data-dir=" + directory,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    boolean connected = false;
    try {
      socket = connect(directory.resolve("DevToolsActivePort"));
      for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
        call(domain + ".enable", Map.of());
      }
      connected = true;
    } finally {
      if (!connected) {
        TimedProgram.end(process);
      }
    }
  }

  private WebSocket connect(Path portFile) throws Exception {
    TestNode.await("the browser listens", () -> Files.exists(portFile));
    TestNode.await("it says where", () -> Files.readAllLines(portFile).size() > 0);
    String port = Files.readAllLines(portFile).get(0);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest pages =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build();
    JsonNode page = json.readTree(client.send(pages, BodyHandlers.ofString()).body()).get(0);
    return client
        .newWebSocketBuilder()
        .buildAsync(URI.create(page.path("webSocketDebuggerUrl").asText()), new Listener())
        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns the path of Chromium on this machine. */
  static Optional<Path> find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .flatMap(
            directory ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Returns whether tests can use a browser; prints the missing packages if they cannot. */
  static boolean isHere() {
    if (find().isEmpty()) {
      System.out.println(
          "SKIPPED a test of a page: no Chromium on PATH; apt-get install -y"
              + " --no-install-recommends chromium fonts-dejavu-core");
    }
    return find().isPresent();
  }

  /** Returns console errors, exceptions and failed requests. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Runs a script in every page before the page's own scripts. */
  void runBeforePage(String script) throws Exception {
    call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  /** Opens one of Charon's pages and waits for its first event. */
  void openLive(String address) throws Exception {
    open(address);
    TestNode.await(
        "it is live",
        () -> evaluate("document.getElementById('connection').dataset.state").equals("live"));
  }

  void open(String address) throws Exception {
    call("Page.navigate", Map.of("url", address));
    TestNode.await(
        "the page is there",
        () -> evaluate("location.href + ' ' + document.readyState").equals(address + " complete"));
  }

  /** Returns the value of an expression in the page, as text. */
  String evaluate(String expression) throws Exception {
    JsonNode answer =
        call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.path("result").path("value").asText();
  }

  /** Clicks near the upper left corner of the first element that matches a selector. */
  void click(String selector) throws Exception {
    String found = "document.querySelector('" + selector + "')";
    evaluate(found + ".scrollIntoView({block: 'center'})");
    String[] at =
        evaluate(
                "(() => { const r = %s.getBoundingClientRect(); return (r.x + 9) + ' ' + (r.y + 9); })()"
                    .formatted(found))
            .split(" ", 2);
    for (String type : List.of("mousePressed", "mouseReleased")) {
      call(
          "Input.dispatchMouseEvent",
          Map.of(
              "type",
              type,
              "x",
              Double.parseDouble(at[0]),
              "y",
              Double.parseDouble(at[1]),
              "button",
              "left",
              "clickCount",
              1));
    }
  }

  /** Presses and releases a key on the focused element. */
  void press(String key, int code, String text) throws Exception {
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyDown", "key", key, "windowsVirtualKeyCode", code, "text", text));
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
  }

  /** Sets the width of the window in pixels and the user's preferred colours. */
  void setAppearance(int width, int height, boolean dark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Writes a screenshot of the window. */
  void screenshot(Path file) throws Exception {
    JsonNode answer = call("Page.captureScreenshot", Map.of("format", "png"));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(answer.path("data").asText()));
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = json.createObjectNode().put("id", id).put("method", method);
    message.set("params", json.valueToTree(parameters));
    socket.sendText(message.toString(), true).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    JsonNode answered = answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (answered.has("error")) {
      throw new IOException(method + ": " + answered.path("error"));
    }
    return answered.path("result");
  }

  private void received(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(message.path("id").asInt());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    JsonNode about = message.path("params");
    boolean problem =
        switch (message.path("method").asText()) {
          case "Runtime.exceptionThrown", "Network.loadingFailed" -> true;
          case "Runtime.consoleAPICalled" ->
              List.of("error", "warning", "assert").contains(about.path("type").asText());
          case "Log.entryAdded" ->
              List.of("error", "warning").contains(about.path("entry").path("level").asText());
          case "Network.responseReceived" -> about.path("response").path("status").asInt() >= 400;
          default -> false;
        };
    if (problem) {
      problems.add(message.toString());
    }
  }

  @Override
  public void close() {
    socket.abort();
    // A running browser would keep writing and prevent the removal of its directory.
    TimedProgram.end(process);
  }
}
