/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

// Shows the events of one node. Names of containers and jobs come from anybody: they become text, never markup.

import {
  axis, byId, bytes, Chart, clock, colour, count, element, fillFacts, fillNumbers, fillTable, follow, legend, MAX_ROWS,
  quantity, reconcile, seconds, Series, setText, timeAxis,
} from "./parts.js";

const memorySeries = new Series(6);
const memoryChart = new Chart(byId("memory-chart"), () => {
  const area = (name) => ({ stroke: colour(name), fill: colour(name), width: 1, points: { show: false } });
  return {
    scales: { y: { range: (chart, low, high) => [0, high || 1] } },
    axes: [timeAxis(), axis("bytes", "y", 3)],
    // From the whole to the part: each is painted over what is behind it.
    series: [
      {},
      area("free"),
      area("other"),
      area("best-effort"),
      area("production"),
      { stroke: colour("reserved"), width: 2, dash: [6, 4], points: { show: false } },
    ],
  };
});

legend(byId("memory-legend"), [
  ["used by production", "production"],
  ["used by best-effort", "best-effort"],
  ["used by others", "other"],
  ["available", "free"],
  ["reserved by production", "reserved dashed"],
]);

// --- parts of the page ---

const isBestEffort = (container) => container.executionType === "opportunistic";
const masterOf = (container) => {
  if (!container.applicationMaster) return "";
  return container.bestEffortMasterPercent ? ", best-effort master" : ", master";
};
const sum = (items, valueOf) => items.reduce((total, item) => total + (valueOf(item) ?? 0), 0);
const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} % of the node` : "");

function showMemory(status, now) {
  const running = status.running ?? [];
  const production = running.filter((container) => !isBestEffort(container));
  const bestEffort = running.filter(isBestEffort);
  const reserved = sum(production, (container) => container.requestedBytes);
  const used = sum(production, (container) => container.workingSetBytes);
  const usedByBestEffort = sum(bestEffort, (container) => container.workingSetBytes);
  const { capacityBytes: capacity, availableBytes: available, boundary } = status.node ?? {};
  fillNumbers(byId("memory-numbers"), [
    ["Reserved by production", bytes(reserved), percent(reserved, capacity)],
    ["Used by production", bytes(used), percent(used, capacity)],
    ["Used by best-effort", bytes(usedByBestEffort), percent(usedByBestEffort, capacity)],
    ["Available", bytes(available), percent(available, capacity)],
    ["Capacity of the node", bytes(capacity), boundary ? `boundary: ${boundary}` : ""],
  ]);
  const said = [];
  if (!status.node) said.push("The node’s memory cannot be read: best-effort launches stop until it can.");
  if (status.snapshotBytes > 0) said.push(`A launch may need ${bytes(status.snapshotBytes)} now.`);
  else if (status.snapshotBytes !== undefined) said.push("Nothing is left for best-effort launches now.");
  if (status.runnablePerCore > 0) {
    said.push(`${status.runnablePerCore.toFixed(2)} threads run or wait for each CPU.`);
  }
  if (status.launchesDelayedSeconds > 0) {
    said.push(`After a kill, launches wait for another ${seconds(status.launchesDelayedSeconds)}.`);
  }
  const { observation } = status;
  if (observation) {
    said.push(
      `Charon only observes: in ${seconds(observation.seconds)} it would have started ${observation.startedEarlier}` +
        ` best-effort containers earlier, by ${seconds(observation.earlierSeconds)} in total, held back` +
        ` ${observation.heldBack} and killed ${observation.killed}; they could use ${bytes(observation.launchableBytes)} now.`,
    );
  }
  setText(byId("memory-said"), said.join(" "));
  if (status.node) {
    const taken = Math.max(capacity - available, used + usedByBestEffort);
    memorySeries.add([now, capacity, taken, used + usedByBestEffort, used, reserved]);
    if (!document.hidden) memoryChart.set(memorySeries.columns);
  } else memorySeries.add([now]);
}

const RECLAIMED_COLUMNS = [
  { label: "Resource", text: (one) => one.resource },
  { label: "Now", text: (one) => quantity(one.now, one.unit), number: true },
  { label: "Free", text: (one) => quantity(one.free, one.unit), number: true },
  { label: "Reclaimed from production", text: (one) => quantity(one.reclaimed, one.unit), number: true },
  { label: "Note", text: (one) => one.missing ?? "" },
];

function showReclaimed(reclaimed) {
  fillTable(byId("reclaimed"), RECLAIMED_COLUMNS, reclaimed, (one) => one.resource);
}

function outsideCgroups(outside) {
  if (!outside) return undefined;
  const named = outside.named.map((one) => `${one.containerId} in ${one.cgroup}`).join(", ");
  return `${outside.containers}, without protection: ${named}. Because ${outside.reason}; ${outside.cure}.`;
}

function madeBy({ kind, makers }) {
  const who = {
    own: "created by Charon",
    beside: "created by Charon beside those of YARN or Docker",
    attach: "created by YARN or Docker, adopted by Charon",
  }[kind];
  return `${kind}${who ? `: ${who}` : ""}${makers.length ? `, because ${makers.join("; ")}` : ""}`;
}

function showKiller({ killer, isolation, outsideCgroups: outside }) {
  if (!killer) return;
  fillFacts(byId("killer"), [
    ["In charge", { kernel: "the kernel killer", "user-space": "the user-space killer", nobody: "none" }[killer.inCharge] ?? killer.inCharge],
    ["Kernel killer’s tier", killer.tier],
    ["Why", killer.reason],
    ["Domain", killer.domain],
    ["Cgroups of containers", isolation && madeBy(isolation)],
    ["Memory limit of best-effort", isolation?.memoryLimit],
    ["Containers outside their cgroups", outsideCgroups(outside)],
  ]);
}

function showCounters(counters) {
  const names = {
    launched: "launched",
    rejected: "rejected",
    shed: "shed",
    handedBack: "handed back after a long wait",
    killed: "killed for memory",
    preemptedByYarn: "preempted by YARN",
    toleratedFailures: "tolerated failures",
  };
  fillNumbers(
    byId("counters"),
    Object.entries(counters ?? {}).map(([name, value]) => [names[name] ?? name, String(value)]),
  );
}

/** The states of the containers that do not run, by their ids: frozen for lack of memory, or by a stop. */
function frozenStates({ freeze, stop }) {
  const frozen = freeze?.mode === "observe" ? "would be frozen" : "frozen";
  return new Map([
    ...(freeze?.frozen ?? []).map((one) => [one.containerId, `${frozen} for ${seconds(one.seconds)}: ${one.reason}`]),
    ...(stop?.frozenContainers ?? []).map((id) => [id, "frozen: an operator stopped best-effort"]),
  ]);
}

/** Says below a table that it does not show all. */
function showMore(name, items) {
  byId(`${name}-more`).hidden = items.length <= MAX_ROWS;
  setText(byId(`${name}-more`), `The first ${MAX_ROWS} are shown; status lists all.`);
}

function showRunning(status) {
  const running = [...(status.running ?? [])].sort(
    (one, other) =>
      isBestEffort(other) - isBestEffort(one) || (one.containerId < other.containerId ? -1 : 1),
  );
  const frozen = frozenStates(status);
  count("running", running);
  byId("running-scroll").hidden = running.length === 0;
  showMore("running", running);
  const columns = [
    { label: "Container", text: (one) => one.containerId, inner: () => "id" },
    {
      label: "Type",
      text: (one) => `${isBestEffort(one) ? "best-effort" : "production"}${masterOf(one)}`,
      inner: (one) => `side ${isBestEffort(one) ? "best-effort" : "production"}`,
    },
    { label: "State", text: (one) => frozen.get(one.containerId) ?? "running" },
    { label: "Job", text: (one) => one.job ?? "", cell: "job" },
    { label: "Requested", text: (one) => bytes(one.requestedBytes), number: true },
    { label: "Working set", text: (one) => bytes(one.workingSetBytes), number: true },
    { label: "Peak", text: (one) => bytes(one.peakBytes), number: true },
    { label: "Expected peak", text: (one) => bytes(one.expectedPeakBytes), number: true },
    ...(running.some((one) => one.score !== undefined)
      ? [{ label: "Score", text: (one) => String(one.score ?? "–"), number: true }]
      : []),
    { label: "Runs for", text: (one) => seconds(one.runningSeconds), number: true },
  ];
  fillTable(byId("running"), columns, running.slice(0, MAX_ROWS), (one) => one.containerId);
}

const QUEUED_COLUMNS = [
  { label: "Container", text: (one) => one.containerId, inner: () => "id" },
  { label: "Job", text: (one) => one.job ?? "", cell: "job" },
  { label: "Requested", text: (one) => bytes(one.requestedBytes), number: true },
  { label: "Waits for", text: (one) => seconds(one.waitingSeconds), number: true },
  { label: "Why it waits", text: (one) => one.reason ?? "" },
];

function showQueued(queued) {
  count("queued", queued);
  byId("queued-scroll").hidden = queued.length === 0;
  showMore("queued", queued);
  fillTable(byId("queued"), QUEUED_COLUMNS, queued.slice(0, MAX_ROWS), (one) => one.containerId);
}

/** Something that happened: one line, and what is behind it when it is opened for the first time. */
function happening(time, outcome, id, build) {
  const details = element("details");
  const summary = element("summary");
  const when = element("time", "", clock(time));
  when.dateTime = time;
  summary.append(when, element("span", "outcome", outcome), element("span", "id", id));
  details.append(summary);
  details.addEventListener(
    "toggle",
    () => {
      const body = element("div", "details");
      details.append(body);
      build(body);
    },
    { once: true },
  );
  return details;
}

/** An entry that was made today gets its day when that has passed. */
function showTime(details, { time }) {
  setText(details.querySelector("time"), clock(time));
}

function facts(parent, list) {
  const made = element("dl", "facts");
  fillFacts(made, list);
  parent.append(made);
}

function showDecisions(decisions) {
  count("decisions", decisions);
  reconcile(
    byId("decisions"),
    [...decisions].reverse(),
    (one) => `${one.time} ${one.containerId} ${one.outcome}`,
    (one) =>
      happening(one.time, one.outcome, one.containerId, (body) =>
        facts(body, [
          ["Why", one.reason],
          ["Expected to need", bytes(one.neededBytes)],
          ["Compared with", bytes(one.limitBytes)],
          ["When", one.time],
        ]),
      ),
    showTime,
  );
}

const RANKING_COLUMNS = [
  { label: "Container", text: (one) => one.container, inner: () => "id" },
  { label: "Memory including swap", text: (one) => bytes(one.memoryBytes), number: true },
  { label: "Execution time", text: (one) => seconds(one.ageSeconds), number: true },
  { label: "Score", text: (one) => String(one.score), number: true },
  { label: "Rank", text: (one) => String(one.rank), number: true },
];

const milliseconds = (value) => (value === undefined ? undefined : `${value.toFixed(2)} ms`);

function explainKill(body, kill) {
  const thrash = kill.thrash;
  facts(body, [
    ["Why", kill.reason],
    ["Killed by", kill.by],
    ["When", kill.time],
    ...(thrash
      ? [
          ["Thrashing container", thrash.trigger],
          ["Series", thrash.series],
          ["Thrashed for", `${seconds(thrash.seconds)}; ${seconds(thrash.cgthTimeSeconds)} tolerated`],
          ["Victim policy", thrash.policy],
          ["Victim’s memory including swap", bytes(thrash.victimBytes)],
          ["Signals sent", thrash.signals],
          ["Until the last signal", milliseconds(thrash.decisionToLastSignalMillis)],
          ["Until all memory was free", milliseconds(thrash.decisionToFreedMillis)],
          ["Until the cgroup was empty", milliseconds(thrash.decisionToGoneMillis)],
        ]
      : []),
  ]);
  if (thrash?.ranking?.length) {
    const table = element("table");
    table.append(element("caption", "", "Candidates, the best victim first"));
    fillTable(table, RANKING_COLUMNS, thrash.ranking, (one) => one.container);
    const scroll = element("div", "scroll");
    scroll.append(table);
    body.append(scroll);
  }
  if (thrash?.samples?.length > 1) drawSamples(body, thrash);
}

function drawSamples(body, thrash) {
  const figure = element("figure");
  const place = element("div", "chart");
  place.setAttribute("role", "img");
  const last = thrash.samples[thrash.samples.length - 1];
  const first = thrash.samples[0];
  place.setAttribute(
    "aria-label",
    `From ${first.seconds.toFixed(1)} s to the decision: refaults of anonymous pages from ${first.anonymousRefaults}` +
      ` to ${last.anonymousRefaults}, of file pages from ${first.fileRefaults} to ${last.fileRefaults}`,
  );
  const list = element("ul", "legend");
  legend(list, [
    ["refaults of anonymous pages", "best-effort line"],
    ["refaults of file pages", "production dashed"],
  ]);
  const caption = element("figcaption", "", "Refaulted pages of the thrashing container, cumulative, by seconds before the decision");
  caption.append(list);
  figure.append(place, caption);
  body.append(figure);
  const chart = new Chart(place, () => ({
    scales: { x: { time: false } },
    axes: [
      { size: 30, stroke: colour("soft"), grid: { show: false }, ticks: { show: false }, values: (plot, splits) => splits.map((value) => `${value} s`) },
      axis("pages", "y", 3),
    ],
    series: [
      {},
      { stroke: colour("best-effort"), width: 2 },
      { stroke: colour("production"), width: 2, dash: [6, 4] },
    ],
  }));
  chart.set([
    thrash.samples.map((sample) => sample.seconds),
    thrash.samples.map((sample) => sample.anonymousRefaults),
    thrash.samples.map((sample) => sample.fileRefaults),
  ]);
  place.chart = chart;
}

function showKills(kills) {
  count("kills", kills);
  const list = byId("kills");
  const before = [...(list.itemsByKey?.values() ?? [])];
  reconcile(
    list,
    [...kills].reverse(),
    // The release follows later: an entry made before is built anew, because it keeps what it was made from.
    (one) => `${one.time} ${one.containerId} ${one.thrash?.decisionToFreedMillis}`,
    (one) => happening(one.time, `by ${one.by}`, one.containerId, (body) => explainKill(body, one)),
    showTime,
  );
  for (const old of before) {
    if (!old.isConnected) for (const place of old.querySelectorAll(".chart")) place.chart?.remove();
  }
}

// --- regulators ---

const regulators = new Map();

class RegulatorPart {
  constructor(name) {
    this.root = element("div", "regulator");
    const text = element("div", "text");
    const title = element("h3", "", `${name} `);
    this.mode = element("span", "badge");
    title.append(this.mode);
    this.note = element("p");
    this.facts = element("dl", "facts");
    text.append(title, this.note, this.facts);
    this.figure = element("figure");
    this.place = element("div", "chart");
    this.place.setAttribute("role", "img");
    this.list = element("ul", "legend");
    this.figure.append(this.place, this.list);
    this.root.append(text, this.figure);
    this.series = new Series(7);
    this.name = name;
  }

  show(state, now) {
    setText(this.mode, state.mode);
    const works = state.mode !== "off" && state.available !== false;
    setText(this.note, state.unavailable ?? state.missing ?? state.signalNote ?? "");
    this.note.hidden = !this.note.textContent;
    const { mean, standardDeviation: deviation } = state;
    const ranges = mean !== undefined && deviation !== undefined;
    const meanName = ranges ? "Mean ± deviation" : "Mean";
    const signal = (value) => (value === undefined ? undefined : quantity(value, state.signalUnit));
    const limit = (value) => (value === undefined ? undefined : quantity(value, state.limitUnit));
    fillFacts(this.facts, works
      ? [
          ["Watches", state.signal],
          ["Value now", signal(state.value) ?? "–"],
          [meanName, ranges ? `${signal(mean)} ± ${signal(deviation)}` : signal(mean)],
          ["Best-effort uses", limit(state.bestEffort)],
          ["Its limit", limit(state.limit)],
          ["Cores", state.cores],
          ["There is", limit(state.capacity)],
          ["Rule", state.cause],
          ["Result", state.result],
        ]
      : []);
    this.figure.hidden = !works || state.value === undefined;
    this.root.classList.toggle("quiet", !works);
    if (this.figure.hidden) {
      this.series.add([now]);
      return;
    }
    this.series.add([
      now, ranges ? mean + deviation : null, ranges ? mean - deviation : null, mean, state.value, state.bestEffort, state.limit,
    ]);
    this.chart ??= this.draw(state);
    const meanEntry = this.list.children[1];
    meanEntry.hidden = mean === undefined;
    setText(meanEntry, meanName.toLowerCase());
    this.place.setAttribute("aria-label", `${this.name} over the last minutes; the numbers beside it are its newest values`);
    if (!document.hidden) this.chart.set(this.series.columns);
  }

  draw(state) {
    legend(this.list, [
      [state.signal ?? "value", "production line"],
      ["mean", "range"],
      ["used by best-effort", "best-effort line"],
      ["its limit", "reserved dashed"],
    ]);
    const shared = !state.limitUnit || state.signalUnit === state.limitUnit;
    const scale = shared ? "y" : "limit";
    const line = (name, more) => ({ stroke: colour(name), width: 2, points: { show: false }, ...more });
    return new Chart(this.place, () => ({
      scales: { y: { range: (chart, low, high) => [Math.min(0, low ?? 0), high || 1] }, ...(shared ? {} : { limit: { range: (chart, low, high) => [0, high || 1] } }) },
      axes: [timeAxis(), axis(state.signalUnit, "y", 3), ...(shared ? [] : [axis(state.limitUnit, "limit", 1)])],
      series: [
        {},
        { stroke: colour("other"), width: 0, points: { show: false } },
        { stroke: colour("other"), width: 0, points: { show: false } },
        line("other", { width: 1 }),
        line("production"),
        line("best-effort", { scale }),
        line("reserved", { scale, dash: [6, 4] }),
      ],
      bands: [{ series: [1, 2], fill: colour("free") }],
    }));
  }
}

function showRegulators(states, now) {
  byId("regulators-empty").hidden = states.length > 0;
  reconcile(
    byId("regulators"),
    states,
    (one) => one.name,
    (one) => {
      const part = new RegulatorPart(one.name);
      regulators.set(one.name, part);
      return part.root;
    },
    (root, one) => regulators.get(one.name).show(one, now),
  );
}

// Who keeps best-effort stopped, since when, and what keeps the order from taking effect.
function stopped(stop) {
  const said = [];
  if (stop && stop.action !== "none") {
    const what = stop.unavailable ? "A stop of best-effort is ordered" : "Best-effort is stopped";
    const where = stop.origin === "cluster" ? "in the cluster" : "on this node";
    const since = stop.since ? ` since ${stop.since}` : "";
    const by = stop.by ? ` by ${stop.by}` : "";
    said.push(`${what} ${where} (${stop.action})${since}${by}${stop.reason ? `: ${stop.reason}` : ""}.`);
    if (stop.unavailable) said.push(`The order cannot be carried out completely: ${stop.unavailable}.`);
    if (stop.frozen > 0) said.push(`Frozen containers: ${stop.frozen}.`);
  }
  if (stop?.problem) said.push(`The last order applies, because the overrides file cannot be used: ${stop.problem}.`);
  if (stop?.cluster?.problem) said.push(`The cluster’s last known order applies: ${stop.cluster.problem}.`);
  return said;
}

function show(status) {
  const now = Date.now() / 1000;
  const modes = {
    enforce: "Charon enforces: it decides when best-effort containers start.",
    threshold: "A threshold on free memory decides when best-effort containers start.",
    observe: "Charon observes and changes nothing: stock YARN decides about launches.",
    off: "Charon is off: stock YARN decides about launches.",
  };
  const late = status.tick?.late;
  const said = [
    ...(late ? [`What follows is not of now: ${late}.`] : []),
    ...stopped(status.stop),
    modes[status.mode] ?? `Mode ${status.mode}.`,
    `Queue limit ${status.queueLimit}.`,
  ];
  setText(byId("mode"), said.join(" "));
  showMemory(status, now);
  showReclaimed(status.reclaimed ?? []);
  showKiller(status);
  showCounters(status.counters);
  showRunning(status);
  showQueued(status.queued ?? []);
  showKills(status.kills ?? []);
  showDecisions(status.decisions ?? []);
  showRegulators(status.regulators ?? [], now);
}

document.title = `Charon on ${location.host}`;
follow("the node", show);
