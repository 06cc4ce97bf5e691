// What a page can draw, given to a model of pictures in Chromium: the numbers are those of its
// ImageData, in the page and in workers.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { filesOf, pictureFile } from "../package/pictures.mjs";
import { openBrowser, openPage } from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}build/drawn-pictures`;

const html = `<!doctype html><html lang="en"><meta charset="utf-8">
<link rel="icon" href="data:,"><title>drawn pictures</title></html>`;

/** In the page and in a worker: the sources, and the numbers that a model finds in each. */
const sources = `
export const [width, height] = [40, 30];
const size = { width, height };
/** Draws an opaque picture, or one whose lower half is half transparent. */
export function draw(canvas, isOpaque = true) {
  const context = canvas.getContext("2d");
  for (let y = 0; y < height; y += 5)
    for (let x = 0; x < width; x += 5) {
      context.fillStyle = "rgb(" + [6 * x, 8 * y, 255 - 5 * x] + ")";
      context.globalAlpha = isOpaque || y < height / 2 ? 1 : 0.5;
      context.fillRect(x, y, 5, 5);
    }
  return canvas;
}
export const pixelsIn = (canvas) => canvas.getContext("2d").getImageData(0, 0, width, height);
export const drawn = (isOpaque) => draw(new OffscreenCanvas(width, height), isOpaque);
export const files = () =>
  Promise.all(
    ["config.json", "preprocessor_config.json", "model.safetensors"].map(
      async (name) => new File([await (await fetch("./vit/" + name)).blob()], name),
    ),
  );
export async function numbersOf(model, picture) {
  const { grid, hidden, weights, pixels } = await model.look(picture, {
    record: ["hidden", "weights"],
    pixels: true,
  });
  const lists = [hidden, weights, pixels].map(({ data }) => [...data]);
  return { grid, lists };
}
`;

const workerScript = `
import { load } from "./index.js";
import { drawn, files, numbersOf, pixelsIn } from "./sources.js";
const opened = load().then(async (wf) => wf.model(await files()));
addEventListener("message", async ({ data }) => {
  const model = await opened;
  const canvas = drawn();
  const seen = {
    "its ImageData": await numbersOf(model, pixelsIn(canvas)),
    "an OffscreenCanvas": await numbersOf(model, canvas),
    "a bitmap of its own": await numbersOf(model, await createImageBitmap(canvas)),
    "a bitmap that was sent": await numbersOf(model, data),
  };
  postMessage(seen);
});
`;

const vit = pictureFile("vit");
const { processor } = vit;

let session;
before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/vit`, { recursive: true });
  for (const name of readdirSync(`${root}dist`).filter((file) => /\.(?:js|wasm)$/.test(file)))
    cpSync(`${root}dist/${name}`, `${folder}/${name}`);
  for (const file of filesOf(vit))
    writeFileSync(`${folder}/vit/${file.name}`, new Uint8Array(await file.arrayBuffer()));
  writeFileSync(`${folder}/index.html`, html);
  writeFileSync(`${folder}/sources.js`, sources);
  writeFileSync(`${folder}/in-worker.js`, workerScript);
  session = await openBrowser(folder);
});
after(() => session.close());

async function inPage(run) {
  const { page, complaints, close } = await openPage(session, { hash: "index.html" });
  const result = await page.evaluate(run);
  assert.deepEqual(complaints, []);
  await close();
  return result;
}

/** Fails unless all have the numbers of the first, which must be those of a picture. */
function assertAlike(seen, count) {
  const [[, wanted], ...others] = Object.entries(seen);
  const [hidden, weights, pixels] = wanted.lists;
  assert.equal(others.length, count);
  assert.equal(weights.length, 2 * 3 * 17 * 17);
  assert.ok(new Set(pixels).size > 20, "the picture has hardly any colours");
  assert.ok(hidden.every(Number.isFinite));
  for (const [name, numbers] of others) assert.deepEqual(numbers, wanted, name);
}

for (const script of ["index", "worker"])
  test(`canvases, bitmaps, images and frames read like ImageData: ${script}.js`, async () => {
    const seen = await inPage(`(async () => {
      const sources = await import("./sources.js");
      const { draw, drawn, files, height, numbersOf, pixelsIn, width } = sources;
      const { load } = await import("./${script}.js");
      const model = await (await load()).model(await files());
      const canvas = draw(Object.assign(document.createElement("canvas"), { width, height }));
      const image = new Image(11, 7); // shown in another size than its own
      image.src = canvas.toDataURL();
      await image.decode();
      const frame = new VideoFrame(canvas, { timestamp: 0 });
      const seen = {
        "ImageData": await numbersOf(model, pixelsIn(canvas)),
        "a canvas": await numbersOf(model, canvas),
        "an OffscreenCanvas": await numbersOf(model, drawn()),
        "a bitmap": await numbersOf(model, await createImageBitmap(canvas)),
        "an image": await numbersOf(model, image),
        "a frame": await numbersOf(model, frame),
      };
      frame.close();
      return seen;
    })()`);
    assertAlike(seen, 5);
  });

test("a model in a worker reads its canvases, and bitmaps that are sent to it", async () => {
  const seen = await inPage(`(async () => {
    const { drawn } = await import("./sources.js");
    const worker = new Worker("./in-worker.js", { type: "module" });
    const bitmap = await createImageBitmap(drawn());
    const seen = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
      worker.postMessage(bitmap, [bitmap]);
    });
    worker.terminate();
    return seen;
  })()`);
  assertAlike(seen, 3);
});

test("a canvas that is half transparent lies over white, as its ImageData does", async () => {
  const seen = await inPage(`(async () => {
    const { drawn, files, numbersOf, pixelsIn } = await import("./sources.js");
    const { load } = await import("./index.js");
    const model = await (await load()).model(await files());
    const canvas = drawn(false);
    return {
      data: await numbersOf(model, pixelsIn(canvas)),
      canvas: await numbersOf(model, canvas),
      bitmap: await numbersOf(model, await createImageBitmap(canvas)),
      opaque: await numbersOf(model, drawn()),
    };
  })()`);
  const { data, opaque, ...others } = seen;
  const difference = (one, other) =>
    one.lists[2].reduce((most, value, i) => Math.max(most, Math.abs(value - other.lists[2][i])), 0);
  // Canvases hold colours multiplied by their opacity, in bytes: one step of 255 is the rounding.
  const step = 1.001 / 255 / processor.image_std[0];
  for (const [name, numbers] of Object.entries(others))
    assert.ok(difference(numbers, data) <= step, `${name}: ${difference(numbers, data)}`);
  assert.ok(difference(data, opaque) > 0.2);
});

test("a closed bitmap and a canvas without pixels are refused by name", async () => {
  const messages = await inPage(`(async () => {
    const { drawn, files } = await import("./sources.js");
    const { load } = await import("./index.js");
    const model = await (await load()).model(await files());
    const bitmap = await createImageBitmap(drawn());
    bitmap.close();
    const why = (picture) => {
      try {
        model.look(picture);
      } catch (error) {
        return [error.code, error.message];
      }
    };
    return [why(bitmap), why(new OffscreenCanvas(0, 4))];
  })()`);
  assert.deepEqual(
    messages.map(([code]) => code),
    ["invalid_argument", "invalid_argument"],
  );
  for (const [, message] of messages) assert.match(message, /^picture\.width, picture\.height: 0/);
});
