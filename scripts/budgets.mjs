// Measures in Chromium how long the built page takes and how much it loads, against its budgets:
//   node scripts/budgets.mjs [--runs 5]
// Medians of several visits, each with an empty cache. Exit code 1 if a budget is exceeded. Times
// depend on this machine: run nothing else on it meanwhile.

import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  bringIntoView,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
} from "../tests/web/browser.mjs";
import { compressedBytes, firstSectionBytes } from "./page-bytes.mjs";
import { ensure } from "./setup/ensure.mjs";
import { runMain } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const firstFigure = "wf-word-swap";
const readers = "wf-real-heads";
// 28 tokens of the trained models' tokenizer, 35 with the typed text; and 56, with it 63: a figure
// reads up to 64.
const text = [
  "In the beginning God created the heaven and the earth. And the earth was without form,",
  "and void; and",
].join(" ");
const longText = [
  text,
  "darkness was upon the face of the deep. And the Spirit of God moved upon the face of the",
  "waters. And God said,",
].join(" ");
const typed = ", and void; ";

/** Unit and maximum of each quantity, in the order of a visit. */
const budgets = {
  "first section's text and still figures (brotli)": ["KB", 40],
  "first contentful paint": ["ms", 1000],
  "first figure has its numbers": ["ms", 2500],
  "bytes until then (brotli)": ["KB", 200],
  "bytes to the bottom (brotli)": ["KB", 9000],
  "layout shift, load and scroll": ["", 0.02],
  "long tasks (over 50 ms), load and scroll": ["", 0],
  "longest of them": ["ms", 50],
  "keystroke to painted maps, 32 tokens": ["ms", 50],
  "keystroke to painted maps, longest text": ["ms", 150],
  "longest task while typing": ["ms", 50],
  "renders of that figure for a keystroke": ["", 2],
  "longest task, a map of 2,048² zoomed and moved": ["ms", 50],
};

/**
 * Runs in the page, before its own scripts: records performance entries, and the time of the first
 * figure.
 */
function observe(tag) {
  const noted = { tasks: [], shift: 0, paint: 0, figure: 0 };
  window.noted = noted;
  const hear = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    });
  hear("longtask", ({ duration }) => noted.tasks.push(duration));
  hear("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) noted.shift += value;
  });
  hear("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") noted.paint = startTime;
  });
  const look = () => {
    if (document.querySelector(tag)?.data) noted.figure = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/**
 * Runs in the page: measures from each input event to the first frame painted after the maps of its
 * text.
 */
function watchTyping(tag) {
  const figure = document.querySelector(tag);
  let renders = 0;
  const { updated } = figure;
  figure.updated = function (...changed) {
    renders++;
    updated.apply(this, changed);
  };
  addEventListener(
    "input",
    () => {
      const start = performance.now();
      const before = figure.data.tokens.join("");
      renders = 0;
      const look = () => {
        if (figure.data.tokens.join("") === before) return requestAnimationFrame(look);
        // The frame that shows them is painted when the next task runs.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () =>
          window.strokes.push({ milliseconds: performance.now() - start, renders });
        port2.postMessage(0);
      };
      requestAnimationFrame(look);
    },
    { capture: true },
  );
}

const sizes = new Map();

function compressedSize(path) {
  if (!sizes.has(path)) sizes.set(path, compressedBytes(join(pageFolder, path)));
  return sizes.get(path);
}

const kilobytes = (paths) => [...paths].reduce((sum, path) => sum + compressedSize(path), 0) / 1000;

const map = "wf-attention-map";

/**
 * Gives the map 2,048² numbers made in the page, zooms in with the wheel to the maximum, moves it,
 * and zooms out again; returns the longest task since the first wheel event.
 */
async function moveLargeMap(page) {
  await numbersOf(page, map);
  await page.evaluate(async (tag) => {
    const figure = document.querySelector(tag);
    const side = 2048;
    const data = new Float32Array(side * side);
    for (let at = 0; at < data.length; at++) data[at] = (Math.imul(at, 2654435761) >>> 8) / 2 ** 24;
    figure.weights = { data, shape: [side, side] };
  }, map);
  await numbersOf(page, map, ({ rows }) => rows === 2048);
  const view = page.locator(`${map} wf-map-view`);
  await view.evaluate(
    (node) =>
      new Promise((resolve) => {
        const look = () =>
          node.frame?.size.rows === 2048 ? resolve() : requestAnimationFrame(look);
        look();
      }),
  );
  const canvas = view.locator("canvas").first();
  await bringIntoView(canvas);
  const { x, y, width, height } = await canvas.boundingBox();
  await page.evaluate(() => {
    window.noted.tasks = [];
  });
  const frame = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.keyboard.down("Control");
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, step < 20 ? -120 : 60);
    await frame();
  }
  await page.keyboard.up("Control");
  await page.mouse.down();
  for (let step = 0; step < 40; step++) {
    const angle = (step / 20) * Math.PI;
    await page.mouse.move(
      x + width * (0.5 + 0.3 * Math.cos(angle)),
      y + height * (0.5 + 0.3 * Math.sin(angle)),
    );
    await frame();
  }
  await page.mouse.up();
  return Math.max(0, ...(await readNotes(page)).tasks);
}

/** Milliseconds and renders of each keystroke at the end of this text. */
async function typeAfter(page, written) {
  const field = page.locator(`${readers} textarea`);
  await bringIntoView(field);
  const forget = () => {
    window.strokes = [];
  };
  await page.evaluate(forget);
  await field.fill(written);
  await numbersOf(page, readers, ({ tokens }) => tokens.join("") === written);
  await page.waitForFunction(() => window.strokes.length > 0);
  await page.evaluate(forget);
  await field.press("End");
  for (const [index, sign] of [...typed].entries()) {
    await page.keyboard.type(sign);
    await page.waitForFunction((count) => window.strokes.length === count, index + 1);
  }
  return page.evaluate(() => window.strokes);
}

/** Paths requested until this time, or at an unknown time. */
const pathsUntil = (requests, time) =>
  new Set(
    requests.filter(([, request]) => request.timing().startTime <= time).map(([path]) => path),
  );

const readNotes = (page) => page.evaluate(() => ({ ...window.noted }));

/** Opens a page, and records the files it requests completely and the bytes it reads of others. */
async function openObserved(session) {
  const asked = { requests: [], parts: 0 };
  const opened = await openPage(session, {
    hash: fragment("en"),
    prepare: async (page) => {
      page.on("response", (response) => {
        if (response.status() !== 206) return;
        asked.parts += Number(response.headers()["content-length"]) / 1000;
      });
      page.on("request", (request) => {
        // Some files are requested in parts.
        if (request.headers()["range"]) return;
        const { pathname, protocol } = new URL(request.url());
        if (protocol !== "http:") return;
        asked.requests.push([pathname.replace(/\/$/, "/index.html"), request]);
      });
      await page.addInitScript(observe, firstFigure);
    },
  });
  return { ...opened, asked };
}

async function visit(session) {
  const { page, close, asked } = await openObserved(session);
  await page.waitForFunction(() => window.noted.figure > 0);
  await page.waitForFunction(() => window.noted.paint > 0);

  const isAtEnd = () => {
    scrollBy(0, 0.8 * innerHeight);
    const { scrollHeight } = document.documentElement;
    return new Promise((resolve) => {
      const tell = () => resolve(scrollY + innerHeight >= scrollHeight - 1);
      requestAnimationFrame(() => requestAnimationFrame(tell));
    });
  };
  while (!(await page.evaluate(isAtEnd)));
  await page.waitForLoadState("networkidle");
  await numbersOf(page, "wf-costs");
  const read = await readNotes(page);

  await numbersOf(page, readers);
  await page.evaluate(watchTyping, readers);
  await page.evaluate(() => {
    window.noted.tasks = [];
  });
  const strokes = await typeAfter(page, text);
  const longStrokes = await typeAfter(page, longText);
  const typing = await readNotes(page);
  const moving = await moveLargeMap(page);
  const begin = await page.evaluate(() => performance.timeOrigin);
  await close();
  return [
    firstSectionBytes(pageFolder) / 1000,
    read.paint,
    read.figure,
    kilobytes(pathsUntil(asked.requests, begin + read.figure)),
    kilobytes(pathsUntil(asked.requests, Number.POSITIVE_INFINITY)) + asked.parts,
    read.shift,
    read.tasks.length,
    Math.max(0, ...read.tasks),
    median(strokes.map(({ milliseconds }) => milliseconds)),
    median(longStrokes.map(({ milliseconds }) => milliseconds)),
    Math.max(0, ...typing.tasks),
    Math.max(...[...strokes, ...longStrokes].map(({ renders }) => renders)),
    moving,
  ];
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

const nameWidth = 2 + Math.max(...Object.keys(budgets).map(({ length }) => length));
const digits = (value) => (value < 1 ? value.toFixed(value ? 4 : 0) : String(Math.round(value)));
const inUnit = (value, unit) => `${digits(value)} ${unit}`.trim();

await runMain(async () => {
  const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
  await ensure({ groups: ["browser"], emscripten: false });
  const visits = [];
  for (let run = 0; run < Number(values.runs); run++) {
    // A new browser for each visit, so that its caches are empty.
    const session = await openBrowser();
    visits.push(await visit(session));
    await session.close();
  }
  let over = 0;
  const line = (name, value, range, max) =>
    `${name.padEnd(nameWidth)}${value.padStart(10)}${range.padStart(18)}${max.padStart(12)}`;
  say(line("", "median", "range", "budget"));
  for (const [row, [name, [unit, max]]] of Object.entries(budgets).entries()) {
    const all = visits.map((visited) => visited[row]);
    const value = median(all);
    const range = [Math.min(...all), Math.max(...all)].map((one) => inUnit(one, "")).join(" – ");
    if (value > max) over++;
    const written = line(name, inUnit(value, unit), range, `≤ ${inUnit(max, unit)}`);
    say(`${written}${value > max ? "  OVER" : ""}`);
  }
  say(over ? `${over} over budget` : "all within budget");
  return over ? 1 : 0;
});
