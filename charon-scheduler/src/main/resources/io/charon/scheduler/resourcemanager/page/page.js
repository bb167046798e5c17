/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

// Shows the events of a cluster. Names of nodes and their health reports come from anybody: they become text, never markup.

import {
  axis, byId, bytes, Chart, colour, count, element, fillNumbers, fillTable, follow, legend, MAX_ROWS, seconds, Series,
  setText, timeAxis,
} from "./parts.js";

const mebibytes = (value) => (value === null || value === undefined ? "–" : bytes(value * 2 ** 20));
const number = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en"));
const share = (part, whole) => (whole > 0 && part !== null ? `${Math.round((100 * part) / whole)} %` : "");
const fraction = (part, whole) => (whole > 0 ? Math.min(1, (part ?? 0) / whole) : 0);
const plural = (many, one) => `${number(many)} ${one}${many === 1 ? "" : "s"}`;

// --- charts ---

const memorySeries = new Series(5);
const memoryChart = new Chart(byId("memory-chart"), () => {
  const area = (name) => ({ stroke: colour(name), fill: colour(name), width: 1, points: { show: false } });
  const line = (name, more) => ({ stroke: colour(name), width: 2, points: { show: false }, ...more });
  return {
    scales: { y: { range: (chart, low, high) => [0, high || 1] } },
    axes: [timeAxis(), axis("bytes", "y", 3)],
    series: [{}, area("free"), area("production"), line("best-effort"), line("reserved", { dash: [6, 4] })],
  };
});
legend(byId("memory-legend"), [
  ["used by containers", "production"],
  ["requested by running best-effort", "best-effort line"],
  ["reserved by production", "reserved dashed"],
  ["capacity", "free"],
]);

const containersSeries = new Series(3);
const containersChart = new Chart(byId("containers-chart"), () => ({
  scales: { y: { range: (chart, low, high) => [0, Math.max(high || 0, 4)] } },
  axes: [
    timeAxis(),
    {
      ...axis("", "y", 3),
      size: 50,
      values: (chart, splits) => splits.map((value) => (Number.isInteger(value) ? number(value) : "")),
    },
  ],
  series: [
    {},
    { stroke: colour("best-effort"), width: 2, points: { show: false } },
    { stroke: colour("other"), width: 2, dash: [6, 4], points: { show: false } },
  ],
}));
legend(byId("containers-legend"), [
  ["running", "best-effort line"],
  ["queued on nodes", "other dashed"],
]);

// --- all nodes together ---

function counted(status) {
  if (status.countedSeconds === 0) return "not counted: the ResourceManager runs without BestEffortProcessor";
  return status.countedSeconds < 3600 ? `in the last ${seconds(status.countedSeconds)}` : "in the last hour";
}

function showTotals(status, now) {
  const totals = status.totals;
  const troubles = [];
  if (totals.nodesNotRunning > 0) troubles.push(`${number(totals.nodesNotRunning)} not running`);
  if (totals.nodesLost > 0) troubles.push(`${number(totals.nodesLost)} more lost`);
  const ofCapacity = (value) => {
    const part = share(value, totals.capacityMebibytes);
    return part ? `${part} of ${mebibytes(totals.capacityMebibytes)}` : "no capacity";
  };
  fillNumbers(byId("totals"), [
    ["Nodes", number(totals.nodes), troubles.join(", ")],
    ["Reserved", mebibytes(totals.reservedMebibytes), `by production, ${ofCapacity(totals.reservedMebibytes)}`],
    ["Used", mebibytes(totals.usedMebibytes), `by containers, ${ofCapacity(totals.usedMebibytes)}`],
    ["Best-effort running", number(totals.bestEffortRunning), `requested ${number(totals.bestEffortRequestedGibibytes)} GiB`],
    ["Best-effort queued", number(totals.bestEffortQueued), "on nodes"],
    ["Best-effort killed", number(totals.killedLastHour), counted(status)],
    ["Best-effort refused", number(totals.refusedLastHour), "by full queues"],
  ]);
  const inBytes = (value) => value * 2 ** 20;
  memorySeries.add([
    now,
    inBytes(totals.capacityMebibytes),
    inBytes(totals.usedMebibytes),
    totals.bestEffortRequestedGibibytes * 2 ** 30,
    inBytes(totals.reservedMebibytes),
  ]);
  containersSeries.add([now, totals.bestEffortRunning, totals.bestEffortQueued]);
  if (!document.hidden) {
    memoryChart.set(memorySeries.columns);
    containersChart.set(containersSeries.columns);
  }
}

// --- the table of nodes ---

/** Only what is a host and a port becomes an address. */
function pageOf(node, scheme) {
  return node.web && /^[\w.-]+:\d+$|^\[[\da-f:.]+\]:\d+$/i.test(node.web) ? `${scheme}://${node.web}/charon/` : "";
}

function stateOf(node) {
  const state = node.state.toLowerCase();
  return node.health ? `${state}: ${node.health}` : state;
}

let scheme = "http";

/** Each column also has the value that it sorts by; numbers are sorted from the largest at first. */
const COLUMNS = [
  { label: "Node", value: (one) => one.node, text: (one) => one.node, href: (one) => pageOf(one, scheme) },
  { label: "State", value: stateOf, text: stateOf, cell: "job" },
  {
    label: "Used of capacity",
    value: (one) => fraction(one.usedMebibytes, one.capacityMebibytes),
    text: (one) => share(one.usedMebibytes, one.capacityMebibytes) || "–",
    inner: () => "bar",
    style: (one) => ({
      "--used": `${100 * fraction(one.usedMebibytes, one.capacityMebibytes)}%`,
      "--mark-at": fraction(one.reservedMebibytes, one.capacityMebibytes),
    }),
    number: true,
  },
  ...[
    ["Capacity", (one) => one.capacityMebibytes, mebibytes],
    ["Reserved", (one) => one.reservedMebibytes, mebibytes],
    ["Used", (one) => one.usedMebibytes, mebibytes],
    ["Used on the machine", (one) => one.machineUsedMebibytes, mebibytes],
    ["Best-effort running", (one) => one.bestEffortRunning, number],
    ["Best-effort queued", (one) => one.bestEffortQueued, number],
    ["Expected wait", (one) => one.expectedWaitMillis, (millis) => (millis === null ? "–" : seconds(millis / 1000))],
    ["Killed last hour", (one) => one.killedLastHour, number],
    ["Refused last hour", (one) => one.refusedLastHour, number],
  ].map(([label, value, show]) => ({ label, value, text: (one) => show(value(one)), number: true })),
];

const sorting = { label: "Node", descending: false, choose: sortBy };
let nodes = [];

function sortBy(label) {
  const column = COLUMNS.find((one) => one.label === label);
  sorting.descending = sorting.label === label ? !sorting.descending : Boolean(column.number);
  sorting.label = label;
  showNodes();
}

const COLLATOR = new Intl.Collator("en", { numeric: true });

function inOrder() {
  const { value } = COLUMNS.find((one) => one.label === sorting.label);
  const turn = sorting.descending ? -1 : 1;
  return [...nodes].sort((left, right) => {
    const one = value(left) ?? -1;
    const other = value(right) ?? -1;
    const order = typeof one === "string" ? COLLATOR.compare(one, other) : one - other;
    return turn * order || COLLATOR.compare(left.node, right.node);
  });
}

function showNodes() {
  count("nodes", nodes);
  byId("nodes-scroll").hidden = nodes.length === 0;
  byId("order").hidden = nodes.length === 0;
  byId("nodes-more").hidden = nodes.length <= MAX_ROWS;
  setText(byId("nodes-more"), `The first ${MAX_ROWS} in this order are shown; status lists all.`);
  fillTable(byId("nodes"), COLUMNS, inOrder().slice(0, MAX_ROWS), (one) => one.node, sorting);
  byId("order-by").value = sorting.label;
  setText(byId("order-turn"), sorting.descending ? "descending" : "ascending");
}

for (const { label } of COLUMNS) byId("order-by").append(element("option", "", label));
byId("order-by").addEventListener("change", (event) => sortBy(event.target.value));
byId("order-turn").addEventListener("click", () => sortBy(sorting.label));

function show(status) {
  scheme = status.scheme;
  setText(byId("mode"), `${plural(status.totals.nodes, "node")}. Production reserves memory; best-effort runs on idle memory.`);
  showTotals(status, Date.now() / 1000);
  nodes = status.rows.map((row) => Object.fromEntries(status.columns.map((name, index) => [name, row[index]])));
  showNodes();
}

document.title = `Charon’s cluster on ${location.host}`;
follow("the ResourceManager", show);
