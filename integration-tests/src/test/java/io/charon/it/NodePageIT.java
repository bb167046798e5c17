/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.web.PagesServlet;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The page of a real NodeManager in a real browser. */
@SharedNode(SharedNode.Settings.CHARON)
class NodePageIT {
  /**
   * Puts markup into the status where it contains names that are not the node's own, adds a stop
   * that cannot be carried out completely, two regulators without a deviation, many waiting
   * containers, reclaimed memory, processors that cannot be read, and two kills; the release of the
   * newer one becomes known later.
   */
  private static final String UNTRUSTED =
      """
      const Real = EventSource;
      window.EventSource = class extends Real {
        set onmessage(listener) {
          super.onmessage = (event) => {
            const status = JSON.parse(event.data);
            if (window.trusted) return listener(event);
            const name = "<script>document.title = 'taken'</script><b>bold</b>";
            for (const one of status.running) one.job = name + one.job;
            status.tick = { ageSeconds: 9, late: "a tick hangs" };
            status.stop = { action: "freeze", origin: "cluster", unavailable: name, problem: "broken", frozen: 1,
              frozenContainers: status.running.filter((one) => one.executionType === "opportunistic").map((one) => one.containerId),
              cluster: { problem: "silent" } };
            const regulator = { mode: "observe", available: true, signal: "use", signalUnit: "bytes", value: 2 ** 20 };
            status.regulators.push({ ...regulator, name: "unlearned" }, { ...regulator, name: "mean-only", mean: 2 ** 21 });
            for (let number = 0; number < 250; number++) status.queued.push({ containerId: `waiting-${number}` });
            status.reclaimed = [{ resource: "memory", unit: "bytes", now: 2 ** 30, free: 2 ** 31, reclaimed: 0 },
              { resource: "cpu", unit: "cores", missing: name }];
            status.isolation = { kind: "attach", makers: [name], memoryLimit: "not enforced: " + name };
            status.kills.push({ time: "2026-01-02T03:04:05Z", containerId: name, by: "freeze", reason: name });
            status.kills.push({ time: "2026-01-02T03:04:06Z", containerId: "victim", by: "kernel", reason: "thrash",
              thrash: { seconds: 3, cgthTimeSeconds: 3, decisionToFreedMillis: window.released ? 7 : undefined } });
            listener({ data: JSON.stringify(status) });
          };
        }
      };
      """;

  /** Refuses the events with a redirect to another server, which a browser does not follow. */
  private static final String REDIRECTED =
      """
      window.EventSource = class {
        static CLOSED = 2;
        readyState = 2;
        constructor() {
          setTimeout(() => this.onerror());
        }
        close() {}
      };
      window.fetch = async () => ({ type: "opaqueredirect" });
      """;

  @TempDir private Path directory;

  @Test
  @EnabledIf(value = "io.charon.it.Browser#isHere", disabledReason = "no Chromium on PATH")
  void aBrowserSeesTheNodeLive(TestNode node) throws Exception {
    HoldJob job = node.submit(12, 0);
    await("two tasks run", () -> node.runningBestEffort().size() >= 2);
    String address = "http://" + node.cluster().nodes().get(0).web() + "/charon/";
    try (Browser browser = new Browser(Browser.find().orElseThrow(), directory)) {
      browser.setAppearance(1280, 1100, false);
      browser.runBeforePage(UNTRUSTED);
      browser.openLive(address);
      for (String id : node.runningBestEffort()) {
        await("the page shows " + id, () -> ids(browser, "#running").contains(id));
      }
      valuesChange(browser);
      decisionsOpen(browser);
      killsOpen(browser);
      whatIsNotEnforcedIsSaid(browser);
      aStopIsExplained(browser);
      onlyWhatIsKnownOfAMeanIsShown(browser);
      whatBestEffortMayUseIsShown(browser);
      aTableThatDoesNotShowAllSaysSo(browser);
      namesAreText(browser);
      picturesOfIt(browser);
      headersAreThere(address);
      assertThat(browser.problems()).isEmpty();
    }
    job.release();
    await("the job ends", job::isComplete);
  }

  @Test
  @EnabledIf(value = "io.charon.it.Browser#isHere", disabledReason = "no Chromium on PATH")
  void aWindowTooManyIsToldSoAndShowsTheNodeOnceAnotherIsClosed(TestNode node) throws Exception {
    String address = "http://" + node.cluster().nodes().get(0).web() + "/charon/";
    List<InputStream> windows = new ArrayList<>();
    try (Browser browser = new Browser(Browser.find().orElseThrow(), directory)) {
      for (int window = 0; window < PagesServlet.MAX_LISTENERS_OF_CLIENT; window++) {
        windows.add(
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(URI.create(address + "events")).build(),
                    BodyHandlers.ofInputStream())
                .body());
      }
      browser.open(address);
      String text = "document.getElementById('connection-text').textContent";
      await("it says why", () -> browser.evaluate(text).contains("browsers already listen"));
      windows.remove(0).close();
      await("it is live", () -> browser.evaluate(text).equals("Live"));
    } finally {
      for (InputStream window : windows) {
        window.close();
      }
    }
  }

  @Test
  @EnabledIf(value = "io.charon.it.Browser#isHere", disabledReason = "no Chromium on PATH")
  void thePageFollowsItsEventsToAnotherServer(TestNode node) throws Exception {
    try (Browser browser = new Browser(Browser.find().orElseThrow(), directory)) {
      browser.runBeforePage(REDIRECTED);
      browser.open("http://" + node.cluster().nodes().get(0).web() + "/charon/");
      String navigation = "performance.getEntriesByType('navigation')[0].type";
      await("it is loaded again", () -> browser.evaluate(navigation).equals("reload"));
    }
  }

  @Test
  @EnabledIf(value = "io.charon.it.Browser#isHere", disabledReason = "no Chromium on PATH")
  void noLineCrossesATimeWithoutNumbers(TestNode node) throws Exception {
    try (Browser browser = new Browser(Browser.find().orElseThrow(), directory)) {
      browser.open("http://" + node.cluster().nodes().get(0).web() + "/charon/");
      browser.evaluate(
          """
          import("./parts.js").then(({ Series }) => {
            const series = new Series(2);
            for (const time of [100, 110, 130]) series.add([time, 7]);
            document.title = JSON.stringify(series.columns);
          })""");
      await(
          "twenty seconds without numbers are a gap",
          () -> browser.evaluate("document.title").equals("[[100,110,120,130],[7,7,null,7]]"));
    }
  }

  private static void valuesChange(Browser browser) throws Exception {
    String numbers =
        "[...document.querySelectorAll('#running .number')].map(e => e.textContent).join()";
    String before = browser.evaluate(numbers);
    await("values change without a reload", () -> !browser.evaluate(numbers).equals(before));
  }

  private static void decisionsOpen(Browser browser) throws Exception {
    open(browser, "decisions", "Expected to need");
    // The clicked element has the focus, so the keyboard closes it.
    browser.press("Enter", 13, "\r");
    await("it is closed", () -> openOnes(browser, "decisions").equals("0"));
    open(browser, "decisions", "Expected to need");
  }

  /** Clicks the first entry of a list, and clicks again if the list moved meanwhile. */
  private static void open(Browser browser, String list, String said) throws Exception {
    await(
        "details of " + list,
        () -> {
          if (openOnes(browser, list).equals("0")) {
            browser.click("#" + list + " summary");
          }
          return browser
              .evaluate("document.getElementById('%s').innerText".formatted(list))
              .contains(said);
        });
  }

  private static String openOnes(Browser browser, String list) throws Exception {
    return browser.evaluate(
        "document.querySelectorAll('#%s details[open]').length".formatted(list));
  }

  private static void killsOpen(Browser browser) throws Exception {
    open(browser, "kills", "Killed by");
    assertThat(browser.evaluate("document.getElementById('kills').textContent"))
        .contains("<b>bold</b>");
    assertThat(browser.evaluate("document.querySelector('#kills time').textContent"))
        .as("the day is not today")
        .matches(".*\\b[12]\\b.*\\d\\d:\\d\\d:06.*");
    assertThat(browser.evaluate("document.getElementById('kills').innerText"))
        .doesNotContain("Until all memory was free");
    browser.evaluate("window.released = true");
    open(browser, "kills", "Until all memory was free");
  }

  private static void whatIsNotEnforcedIsSaid(Browser browser) throws Exception {
    assertThat(browser.evaluate("document.getElementById('killer').textContent"))
        .contains("attach: created by YARN or Docker, adopted by Charon, because <script>")
        .contains("not enforced: <script>");
  }

  private static void aStopIsExplained(Browser browser) throws Exception {
    assertThat(browser.evaluate("document.getElementById('mode').textContent"))
        .startsWith(
            "What follows is not of now: a tick hangs. A stop of best-effort is ordered in the cluster"
                + " (freeze). The order cannot be carried out completely: <script>")
        .contains("Frozen containers: 1. The last order applies", ": broken.", ": silent. ")
        .doesNotContain("undefined");
    assertThat(browser.evaluate("document.getElementById('running').textContent"))
        .contains("frozen: an operator stopped best-effort");
  }

  private static void onlyWhatIsKnownOfAMeanIsShown(Browser browser) throws Exception {
    String of =
        "[...document.querySelectorAll('.regulator')].find(e => e.textContent.startsWith('%s')).innerText";
    assertThat(browser.evaluate(of.formatted("unlearned"))).contains("1 MiB").doesNotContain("ean");
    assertThat(browser.evaluate(of.formatted("mean-only")))
        .contains("Mean", "2 MiB")
        .doesNotContain("±");
  }

  private static void whatBestEffortMayUseIsShown(Browser browser) throws Exception {
    String row =
        "[...document.querySelectorAll('#reclaimed tbody tr')].find(e => e.textContent.startsWith('%s')).textContent";
    assertThat(browser.evaluate(row.formatted("memory"))).isEqualTo("memory1.00 GiB2.00 GiB0 MiB");
    assertThat(browser.evaluate(row.formatted("cpu"))).startsWith("cpu–––<script>");
  }

  private static void aTableThatDoesNotShowAllSaysSo(Browser browser) throws Exception {
    assertThat(browser.evaluate("document.getElementById('queued-more').innerText"))
        .isEqualTo("The first 200 are shown; status lists all.");
    assertThat(browser.evaluate("document.getElementById('running-more').hidden"))
        .isEqualTo("true");
  }

  private static void namesAreText(Browser browser) throws Exception {
    assertThat(browser.evaluate("document.getElementById('running').textContent"))
        .contains("<script>", "<b>bold</b>");
    assertThat(browser.evaluate("document.title")).startsWith("Charon on ");
    assertThat(browser.evaluate("document.querySelectorAll('main script, main b').length"))
        .isEqualTo("0");
  }

  private static void picturesOfIt(Browser browser) throws Exception {
    Path pictures = Path.of("target", "node-page");
    await(
        "the chart is drawn",
        () ->
            browser
                .evaluate("document.querySelectorAll('#memory-chart canvas').length")
                .equals("1"));
    browser.evaluate("window.trusted = true");
    await(
        "the names of the node are back",
        () -> !browser.evaluate("document.body.textContent").contains("<b>bold</b>"));
    assertThat(browser.evaluate("document.getElementById('killer').textContent"))
        .contains("own: created by Charon");
    Thread.sleep(Browser.HISTORY_MILLIS);
    browser.evaluate("scrollTo(0, 0)");
    browser.screenshot(pictures.resolve("light.png"));
    browser.setAppearance(1280, 1100, true);
    browser.evaluate("scrollTo(0, 0)");
    browser.screenshot(pictures.resolve("dark.png"));
    browser.setAppearance(360, 1400, false);
    await(
        "it fits a phone",
        () -> browser.evaluate("document.documentElement.scrollWidth").equals("360"));
    browser.screenshot(pictures.resolve("phone.png"));
    for (String name : Set.of("light", "dark", "phone")) {
      assertThat(pictures.resolve(name + ".png")).isNotEmptyFile();
    }
  }

  private static Set<String> ids(Browser browser, String table) throws Exception {
    return new HashSet<>(
        List.of(
            browser
                .evaluate(
                    "[...document.querySelectorAll('%s tbody th')].map(e => e.textContent).join(' ')"
                        .formatted(table))
                .split(" ", -1)));
  }

  private static void headersAreThere(String address) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'self'");
    assertThat(answer.body()).doesNotContain("=\"http", "=\"//");
  }
}
