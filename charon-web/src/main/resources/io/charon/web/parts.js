/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

// The elements of Charon's pages. Names are not trusted: they are inserted as text, never as markup.

const KEPT_SECONDS = 600;
export const MAX_ROWS = 200;
const RETRY_MILLIS = 5000;
const SILENCE_MILLIS = 15000;

export const byId = (id) => document.getElementById(id);

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// --- formatting of numbers ---

export function bytes(value) {
  if (value === undefined || value === null) return "–";
  const gibibytes = value / 2 ** 30;
  if (Math.abs(gibibytes) >= 1) return `${gibibytes.toFixed(gibibytes >= 100 ? 0 : 2)} GiB`;
  return `${(value / 2 ** 20).toFixed(0)} MiB`;
}

export function seconds(value) {
  if (value === undefined || value === null) return "–";
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 120) return `${value.toFixed(0)} s`;
  if (value < 7200) return `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;
}

export function quantity(value, unit) {
  if (value === undefined || value === null) return "–";
  if (unit === "bytes") return bytes(value);
  if (unit === "bytes_per_second") return `${(value / 1e6).toFixed(2)} MB/s`;
  if (unit === "pages") return value.toLocaleString("en", { notation: "compact" });
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 1 ? 2 : 4;
  return `${value.toFixed(digits)}${!unit || unit === "ratio" ? "" : ` ${unit.replaceAll("_", " ")}`}`;
}

const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const CLOCK = new Intl.DateTimeFormat(undefined, TIME);
const DATED_CLOCK = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", ...TIME });

/** The time of a moment, with its day unless that is today. */
export function clock(moment) {
  const time = new Date(moment);
  if (Number.isNaN(time.getTime())) return moment;
  const today = time.toDateString() === new Date().toDateString();
  return (today ? CLOCK : DATED_CLOCK).format(time);
}

// --- lists that change while open and focused elements keep their state ---

export function reconcile(parent, items, keyOf, create, update) {
  const known = parent.itemsByKey ?? new Map();
  const wanted = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (wanted.has(key)) continue;
    wanted.set(key, known.get(key) ?? create(item));
    update(wanted.get(key), item);
  }
  for (const [key, old] of known) if (!wanted.has(key)) old.remove();
  let next = parent.firstElementChild;
  for (const child of wanted.values()) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  parent.itemsByKey = wanted;
}

function setLink(link, address) {
  if (!address) link.removeAttribute("href");
  else if (link.getAttribute("href") !== address) link.setAttribute("href", address);
}

export function fillFacts(list, facts) {
  const present = facts.filter(([, value]) => value !== undefined && value !== null);
  reconcile(
    list,
    present.flatMap(([name, value, className]) => [
      { key: `dt ${name}`, tag: "dt", text: name },
      { key: `dd ${name}`, tag: "dd", text: String(value), className },
    ]),
    (item) => item.key,
    (item) => element(item.tag, item.className),
    (made, item) => setText(made, item.text),
  );
}

export function fillNumbers(list, numbers) {
  reconcile(
    list,
    numbers,
    ([name]) => name,
    ([name]) => {
      const group = element("div");
      group.append(element("dt", "", name), element("dd"));
      group.lastChild.append(element("span"), element("small"));
      return group;
    },
    (group, [, value, note]) => {
      setText(group.lastChild.firstChild, value);
      setText(group.lastChild.lastChild, note ?? "");
    },
  );
}

/**
 * A column has a label and the text of a row's cell, and optionally a class of the cell, an address to link to,
 * and values for its style. The first column is the header of the row. A sortable table states the label by
 * which it is sorted, and what a click on a label does.
 */
export function fillTable(table, columns, rows, keyOf, sorting) {
  const labels = columns.map((column) => column.label).join("\n");
  if (table.labels !== labels) {
    table.labels = labels;
    table.tHead?.remove();
    for (const body of [...table.tBodies]) body.remove();
    table.classList.add("cards");
    // The style that shows rows as cards removes the meaning of a table; the roles keep it.
    table.setAttribute("role", "table");
    const head = table.createTHead();
    head.setAttribute("role", "rowgroup");
    const row = head.insertRow();
    row.setAttribute("role", "row");
    for (const column of columns) {
      const cell = element("th", column.number ? "number" : "", sorting ? undefined : column.label);
      cell.scope = "col";
      cell.setAttribute("role", "columnheader");
      if (sorting) {
        const button = element("button", "", column.label);
        button.type = "button";
        button.addEventListener("click", () => sorting.choose(column.label));
        cell.append(button);
      }
      row.append(cell);
    }
    table.createTBody().setAttribute("role", "rowgroup");
  }
  if (sorting) {
    columns.forEach((column, index) => {
      const order = sorting.descending ? "descending" : "ascending";
      const cell = table.tHead.rows[0].cells[index];
      cell.setAttribute("aria-sort", column.label === sorting.label ? order : "none");
    });
  }
  reconcile(
    table.tBodies[0],
    rows,
    keyOf,
    () => {
      const row = element("tr");
      row.setAttribute("role", "row");
      columns.forEach((column, index) => {
        const cell = element(index === 0 ? "th" : "td");
        cell.setAttribute("role", index === 0 ? "rowheader" : "cell");
        if (index === 0) cell.scope = "row";
        cell.dataset.label = column.label;
        cell.append(element(column.href ? "a" : "span"));
        row.append(cell);
      });
      return row;
    },
    (row, item) =>
      columns.forEach((column, index) => {
        const cell = row.children[index];
        setText(cell.firstChild, column.text(item));
        cell.className = column.number ? "number" : (column.cell ?? "");
        if (column.href) setLink(cell.firstChild, column.href(item));
        const inner = column.inner?.(item) ?? "";
        if (cell.firstChild.className !== inner) cell.firstChild.className = inner;
        for (const [name, value] of Object.entries(column.style?.(item) ?? {})) {
          cell.firstChild.style.setProperty(name, value);
        }
      }),
  );
}

// --- charts ---

const charts = new Set();

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function niceTicks(unit) {
  return (chart, splits) => splits.map((value) => quantity(value, unit));
}

const BINARY_STEPS = Array.from({ length: 46 }, (_, power) => 2 ** (power + 10));

export function axis(unit, scale, side) {
  return {
    scale,
    side,
    size: 74,
    stroke: colour("soft"),
    grid: { show: side === 3, stroke: colour("line"), width: 1 },
    ticks: { show: false },
    values: niceTicks(unit),
    ...(unit === "bytes" ? { incrs: BINARY_STEPS } : {}),
  };
}

/** A chart that follows the width of its container and the colours of the page; describe() returns uPlot's options. */
export class Chart {
  constructor(place, describe) {
    this.place = place;
    this.describe = describe;
    this.data = undefined;
    this.plot = undefined;
    charts.add(this);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(place);
  }

  size() {
    return { width: Math.floor(this.place.clientWidth), height: this.place.clientHeight };
  }

  resize() {
    if (this.plot && this.place.clientWidth > 0) this.plot.setSize(this.size());
    else if (this.data) this.set(this.data);
  }

  set(data) {
    this.data = data;
    if (this.place.clientWidth === 0) return;
    if (this.plot) this.plot.setData(data);
    else {
      this.plot = new uPlot(
        {
          ...this.size(),
          legend: { show: false },
          cursor: { show: false },
          ...this.describe(),
        },
        data,
        this.place,
      );
    }
  }

  repaint() {
    this.plot?.destroy();
    this.plot = undefined;
    if (this.data) this.set(this.data);
  }

  remove() {
    this.watch.disconnect();
    this.plot?.destroy();
    charts.delete(this);
  }
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const chart of charts) chart.repaint();
});

export const timeAxis = () => ({
  size: 30,
  stroke: colour("soft"),
  grid: { show: false },
  ticks: { show: false },
  space: 80,
  incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300],
  values: (chart, splits) => splits.map((value) => CLOCK.format(new Date(value * 1000))),
});

/** Columns of numbers of the last minutes; the first is the time. No line crosses a time without numbers. */
export class Series {
  constructor(columns) {
    this.columns = Array.from({ length: columns }, () => []);
  }

  add(values) {
    const last = this.columns[0].at(-1);
    if (values[0] - last > SILENCE_MILLIS / 1000) this.push([(last + values[0]) / 2]);
    this.push(values);
    const oldest = values[0] - KEPT_SECONDS;
    while (this.columns[0][0] < oldest) for (const column of this.columns) column.shift();
  }

  push(values) {
    this.columns.forEach((column, index) => column.push(values[index] ?? null));
  }
}

export const legend = (list, entries) => {
  for (const [text, className] of entries) list.append(element("li", className, text));
};
/** Shows the number of items next to a heading or, if there are none, the sentence below it. */
export function count(name, items) {
  setText(byId(`${name}-count`), items.length > 0 ? `(${items.length})` : "");
  byId(`${name}-empty`).hidden = items.length > 0;
}

// --- the connection ---

let source;
let retry;
let lastNews;
let lastSign;

/** Changes the text only if it differs, so that a screen reader is not interrupted every second. */
function connection(state, text) {
  byId("connection").dataset.state = state;
  setText(byId("connection-text"), text);
  document.documentElement.classList.toggle("stale", state === "lost");
}

function lost(whom, why) {
  const since = lastNews ? ` The data shown is from ${clock(lastNews)}.` : "";
  connection("lost", `No connection to ${whom}${why ? ` (${why})` : ""}; trying again.${since}`);
}

function listen(whom, show) {
  clearTimeout(retry);
  source?.close();
  source = new EventSource("events");
  lastSign = Date.now();
  source.onmessage = (event) => {
    const status = JSON.parse(event.data);
    lastNews = new Date();
    lastSign = Date.now();
    connection("live", "Live");
    show(status);
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) refused(whom, show);
    else lost(whom); // the browser tries again by itself
  };
}

/** An event source says neither why it was refused nor that it was sent to another server: a request does. */
async function refused(whom, show) {
  const own = source;
  const request = new AbortController();
  let redirected = false;
  let why;
  try {
    const answer = await fetch("events", { redirect: "manual", signal: request.signal });
    redirected = answer.type === "opaqueredirect";
    if (!redirected && !answer.ok) why = await reason(answer);
  } catch {
    // There is no answer at all.
  }
  request.abort();
  if (source !== own) return;
  lost(whom, why);
  // A redirect leads the whole page on: to the active ResourceManager, or to a login.
  retry = setTimeout(() => (redirected ? location.reload() : listen(whom, show)), RETRY_MILLIS);
}

async function reason(answer) {
  const isText = answer.headers.get("Content-Type")?.startsWith("text/plain");
  return isText ? (await answer.text()).trim() : `HTTP ${answer.status}`;
}

/** Shows each event, and the state of the connection at the top. The source is named when events stop arriving. */
export function follow(whom, show) {
  setInterval(() => {
    if (Date.now() - lastSign <= SILENCE_MILLIS) return;
    lost(whom);
    listen(whom, show);
  }, 1000);
  setText(byId("host"), location.host);
  listen(whom, show);
}
