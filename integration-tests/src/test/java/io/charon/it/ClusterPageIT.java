/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.evaluation.cluster.ClusterNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The page of a real ResourceManager in a real browser. */
@SharedNode(SharedNode.Settings.TWO_NODES)
class ClusterPageIT {
  /** Adds a node with markup as its name, its health and part of its web address. */
  private static final String UNTRUSTED =
      """
      const Real = EventSource;
      window.EventSource = class extends Real {
        set onmessage(listener) {
          super.onmessage = (event) => {
            const status = JSON.parse(event.data);
            if (window.trusted) return listener(event);
            const name = "<script>document.title = 'taken'</script><b>bold</b>";
            const row = [...status.rows[0]];
            row[status.columns.indexOf("node")] = name;
            row[status.columns.indexOf("state")] = "UNHEALTHY";
            row[status.columns.indexOf("health")] = name;
            row[status.columns.indexOf("web")] = "host:1/x?" + name;
            status.rows.push(row);
            listener({ data: JSON.stringify(status) });
          };
        }
      };
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path directory;

  @Test
  @EnabledIf(value = "io.charon.it.Browser#isHere", disabledReason = "no Chromium on PATH")
  void aBrowserSeesTheClusterLive(TestNode nodes) throws Exception {
    HoldJob job = nodes.submit(4, 0);
    String address = nodes.cluster().web() + "/charon/cluster/";
    await(
        "the ResourceManager hears of best-effort tasks that run",
        () -> totals(address).path("bestEffortRunning").asInt() >= 2);
    Map<String, String> hosts =
        nodes.cluster().nodes().stream()
            .collect(Collectors.toMap(ClusterNode::hostName, ClusterNode::address));
    try (Browser browser = new Browser(Browser.find().orElseThrow(), directory, hosts)) {
      browser.setAppearance(1280, 900, false);
      browser.runBeforePage(UNTRUSTED);
      browser.openLive(address);
      namesAreText(browser);
      totalsAreThoseOfTheCluster(browser, address);
      nodesLeadToTheirPages(browser, nodes.cluster().nodes());
      aClickSorts(browser);
      picturesOfIt(browser);
      assertThat(browser.problems()).isEmpty();
      browser.click("#nodes tbody a");
      await(
          "a click leads to the node's page",
          () -> browser.evaluate("document.title").startsWith("Charon on "));
    }
    job.release();
    await("the job ends", job::isComplete);
  }

  /** Returns the totals; missing until the ResourceManager, which listens early, becomes active. */
  private JsonNode totals(String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address + "status")).build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    return answer.statusCode() == 200
        ? JSON.readTree(answer.body()).path("totals")
        : MissingNode.getInstance();
  }

  private static void namesAreText(Browser browser) throws Exception {
    String text = "document.getElementById('nodes').textContent";
    await("the strange node is there", () -> browser.evaluate(text).contains("<b>bold</b>"));
    assertThat(browser.evaluate(text)).contains("<script>");
    assertThat(browser.evaluate("document.title")).startsWith("Charon’s cluster on ");
    assertThat(browser.evaluate("document.querySelectorAll('main script, main b').length"))
        .isEqualTo("0");
    assertThat(browser.evaluate("document.querySelectorAll('#nodes tbody a:not([href])').length"))
        .isEqualTo("1");
    browser.evaluate("window.trusted = true");
    await("it is gone", () -> !browser.evaluate(text).contains("<b>bold</b>"));
  }

  private void totalsAreThoseOfTheCluster(Browser browser, String address) throws Exception {
    await(
        "the page shows what the ResourceManager tells",
        () -> {
          JsonNode totals = totals(address);
          return total(browser, "Nodes").equals("2")
              && total(browser, "Best-effort running")
                  .equals(totals.path("bestEffortRunning").asText())
              && total(browser, "Best-effort queued")
                  .equals(totals.path("bestEffortQueued").asText())
              && total(browser, "Best-effort killed")
                  .equals(totals.path("killedLastHour").asText());
        });
    // Only the job's master; its best-effort tasks reserve nothing.
    assertThat(totals(address).path("reservedMebibytes").asLong())
        .isBetween(1L, (long) TestNode.RESERVABLE_MEBIBYTES);
    assertThat(total(browser, "Reserved")).endsWith("MiB");
  }

  private static String total(Browser browser, String name) throws Exception {
    return browser.evaluate(
        "[...document.querySelectorAll('#totals dt')].find(e => e.textContent === '%s').nextSibling.firstChild.textContent"
            .formatted(name));
  }

  private static void nodesLeadToTheirPages(Browser browser, List<ClusterNode> nodes)
      throws Exception {
    String links = "[...document.querySelectorAll('#nodes tbody a')].map(e => e.href).join(' ')";
    for (ClusterNode node : nodes) {
      assertThat(browser.evaluate(links))
          .contains("http://%s:%d/charon/".formatted(node.hostName(), node.webPort()));
    }
  }

  private static void aClickSorts(Browser browser) throws Exception {
    String names =
        "[...document.querySelectorAll('#nodes tbody th')].map(e => e.textContent).join()";
    String before = browser.evaluate(names);
    assertThat(browser.evaluate(sortedBy())).isEqualTo("Node ascending");
    browser.click("#nodes thead th:nth-child(1) button");
    assertThat(browser.evaluate(sortedBy())).isEqualTo("Node descending");
    assertThat(browser.evaluate(names)).isNotEqualTo(before);
    // The keyboard has the same effect.
    browser.press("Enter", 13, "\r");
    assertThat(browser.evaluate(sortedBy())).isEqualTo("Node ascending");
    assertThat(browser.evaluate(names)).isEqualTo(before);
    browser.click("#nodes thead th:nth-child(8) button");
    assertThat(browser.evaluate(sortedBy())).isEqualTo("Best-effort running descending");
    await(
        "the table stays in its order while numbers change",
        () ->
            browser
                .evaluate(
                    "(([a, b]) => Number(a) >= Number(b))([...document.querySelectorAll('#nodes tbody"
                        + " td:nth-child(8)')].map(e => e.textContent))")
                .equals("true"));
    browser.click("#nodes thead th:nth-child(1) button");
  }

  private static String sortedBy() {
    return "(e => e.textContent + ' ' + e.ariaSort)(document.querySelector('#nodes th[aria-sort$=\"ending\"]'))";
  }

  private static void picturesOfIt(Browser browser) throws Exception {
    Path pictures = Path.of("target", "cluster-page");
    for (String chart : List.of("memory", "containers")) {
      await(
          "the chart of " + chart + " is drawn",
          () ->
              browser
                  .evaluate("document.querySelectorAll('#%s-chart canvas').length".formatted(chart))
                  .equals("1"));
    }
    Thread.sleep(Browser.HISTORY_MILLIS);
    browser.evaluate("scrollTo(0, 0)");
    browser.screenshot(pictures.resolve("light.png"));
    browser.setAppearance(1280, 900, true);
    browser.evaluate("scrollTo(0, 0)");
    browser.screenshot(pictures.resolve("dark.png"));
    browser.setAppearance(360, 1600, false);
    await(
        "it fits a phone",
        () -> browser.evaluate("document.documentElement.scrollWidth").equals("360"));
    browser.evaluate(
        "(e => { e.value = 'Used'; e.dispatchEvent(new Event('change')); })(document.getElementById('order-by'))");
    assertThat(browser.evaluate(sortedBy())).isEqualTo("Used descending");
    browser.screenshot(pictures.resolve("phone.png"));
    for (String name : Set.of("light", "dark", "phone")) {
      assertThat(pictures.resolve(name + ".png")).isNotEmptyFile();
    }
    browser.setAppearance(1280, 900, false);
  }
}
