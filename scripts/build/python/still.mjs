// Draws elements without a browser, for Python: a program for Node that the build bundles with the
// page's own drawing code. It reads requests from the standard input, each a line of JSON followed
// by the bytes of its arrays, and answers each with a line of JSON.

import "./node-page.mjs";
import { stdin, stdout } from "node:process";
import { MapFrame } from "../../../web/controls/map-frame.ts";
import { readPalette } from "../../../web/drawing/colour.ts";
import { buildPyramid } from "../../../web/drawing/map-pyramid.ts";
import { pictureFile } from "../../../web/figures/shared/exports/export.ts";
import { page } from "../../../web/state.ts";
import tokens from "../../../web/styles/tokens.css?inline";
import { underway } from "../stills/browser.mjs";
import { mapParts, sceneParts } from "../stills/parts.mjs";
import { withPixels } from "../stills/pixels.mjs";
import { elementsIn } from "../stills/rendered.mjs";
import { measure } from "../stills/widths.mjs";

import.meta.glob("../../../web/figures/**/element.ts", { eager: true });

const longestMilliseconds = 30_000;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until the element has no pending requests and has rendered the results. */
async function atRest(figure) {
  const end = performance.now() + longestMilliseconds;
  for (let quiet = 0; quiet < 3; quiet = underway.count || figure.isUpdatePending ? 0 : quiet + 1) {
    if (performance.now() > end) throw new Error("no picture within 30 s");
    await figure.updateComplete;
    await sleep(1);
  }
}

const palettes = Object.fromEntries(
  ["light", "dark"].map((theme) => {
    const read = (property) => new RegExp(`${property}: ?([^;}]+)[;}]`).exec(tokens)[1];
    return [theme, readPalette(read, theme === "dark")];
  }),
);

/** An array as it travels; a config may have a `dtype` too, but no bytes. */
const isArray = (value) => typeof value?.data?.bytes === "number" && "shape" in value;

function halfOf(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction
          ? Number.NaN
          : Number.POSITIVE_INFINITY
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

function numbersOf(dtype, bytes) {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  if (dtype === "float32") return new Float32Array(buffer);
  return Float32Array.from(new Uint16Array(buffer), halfOf);
}

const withShape = new Set(["weights", "minus", "values"]);

/** A value of Python as the property takes it; `take` returns the next bytes of a length. */
async function received(name, value, take) {
  if (isArray(value)) {
    const data = numbersOf(value.dtype, await take(value.data.bytes));
    const { shape } = value;
    if (shape.length === 1) return data;
    if (withShape.has(name)) return { data, shape };
    const columns = shape.at(-1);
    return Array.from({ length: data.length / columns }, (_, row) =>
      data.subarray(row * columns, (row + 1) * columns),
    );
  }
  if (Array.isArray(value)) {
    const items = [];
    for (const item of value) items.push(await received("", item, take));
    return items;
  }
  if (typeof value !== "object" || value === null) return value;
  const found = {};
  for (const [key, item] of Object.entries(value)) found[key] = await received("", item, take);
  return found;
}

const propertyOf = (name) =>
  name.replace(/_$/, "").replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Cells up to which each is a rectangle, and the minimum width of an image of more, in pixels. */
const maxRectangles = 32 * 32;
const minPixels = 800;

/** An image has several pixels for a cell: not every program that reads SVG keeps pixels sharp. */
function asImage(mark) {
  if (mark.kind !== "cells" || mark.gap || mark.colours.length <= maxRectangles) return mark;
  const times = Math.ceil(minPixels / mark.columns);
  const columns = mark.columns * times;
  const rows = mark.rows * times;
  const colours = new Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const from = Math.floor(row / times) * mark.columns + Math.floor(column / times);
      colours[row * columns + column] = mark.colours[from];
    }
  return withPixels({ ...mark, cell: mark.cell / times, rows, columns, colours });
}

function failureOf({ failure }) {
  return failure && (failure.message || failure.code);
}

/** The element with these properties, and its picture as SVG. */
async function drawn({ tag, width, theme, language }, properties) {
  page.state = { ...page.state, language: language.startsWith("zh") ? "zh" : "en" };
  page.changes.tell("language");
  const Figure = customElements.get(tag);
  if (!Figure) throw new Error(`${tag}: no such element`);
  const figure = new Figure();
  Object.defineProperty(figure, "localName", { value: tag });
  for (const [name, value] of Object.entries(properties)) figure[name] = value;
  figure.connectedCallback();
  try {
    await atRest(figure);
    const tools = { buildPyramid, MapFrame, measure };
    const maps = failureOf(figure) ? [] : await mapParts(figure, tools, () => atRest(figure));
    const [part] = maps.length ? maps : sceneParts(figure);
    const [frame] = elementsIn(figure.rendered, "wf-frame");
    const failure = failureOf(figure) ?? frame?.failure?.message;
    if (failure) throw new Error(failure);
    if (!part || !frame) throw new Error(`${tag}: no picture without a browser`);
    const palette = palettes[theme];
    const picture = part.draw(width, palette, measure);
    const { marks = [] } = picture.over?.(part.active) ?? {};
    const whole = { ...picture, marks: [...picture.marks, ...marks].map(asImage) };
    const scales = elementsIn(figure.rendered, "wf-scale");
    const title = properties.heading ?? frame.heading ?? "";
    const file = await pictureFile("svg", whole, title, scales, palette);
    return await file.text();
  } finally {
    figure.disconnectedCallback();
  }
}

// ------------------------------------------------------------------------------- requests

let held = Buffer.alloc(0);
const chunks = stdin[Symbol.asyncIterator]();

async function more() {
  const { value, done } = await chunks.next();
  if (done) process.exit(0);
  held = held.length ? Buffer.concat([held, value]) : value;
}

async function take(length) {
  while (held.length < length) await more();
  const part = held.subarray(0, length);
  held = held.subarray(length);
  return part;
}

async function line() {
  let end = held.indexOf(10);
  for (; end < 0; end = held.indexOf(10)) await more();
  return (await take(end + 1)).toString("utf8");
}

async function answer() {
  const request = JSON.parse(await line());
  const properties = {};
  for (const [name, value] of Object.entries(request.properties))
    properties[propertyOf(name)] = await received(propertyOf(name), value, take);
  try {
    return { svg: await drawn(request, properties) };
  } catch (reason) {
    return { failure: String(reason?.message ?? reason) };
  }
}

for (;;) stdout.write(`${JSON.stringify(await answer())}\n`);
