// Makes the site installable: its manifest and icons. A Vite plugin, which draws the icons from
// web/icon.svg and takes the colours from web/styles/tokens.css.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { root } from "../setup/ensure.mjs";

const at = (...parts) => join(root, ...parts);
const read = (path) => readFileSync(at(path), "utf8");

const manifestName = "manifest.webmanifest";
export const workerName = "service-worker.js";

/** The colour of the light theme: a manifest has one colour for both themes. */
function lightColour(name) {
  const [, colour] = new RegExp(`--wf-${name}: light-dark\\((#[0-9a-f]{6}),`).exec(
    read("web/styles/tokens.css"),
  );
  return colour;
}

/**
 * If a system masks the icon, a circle of four fifths remains visible: the squares' corners, 17
 * from the middle, are within it.
 */
const roomy = (svg) => svg.replace('viewBox="0 0 32 32"', 'viewBox="-5.5 -5.5 43 43"');

const icons = [
  { name: "icons/192.png", size: 192, purpose: "any" },
  { name: "icons/512.png", size: 512, purpose: "any" },
  { name: "icons/maskable-512.png", size: 512, purpose: "maskable" },
  // Some systems request one by a separate link, and round it off themselves.
  { name: "icons/180.png", size: 180 },
];

let ready;

async function drawIcons(background) {
  const { resolve } = createRequire(import.meta.url);
  // Once per process.
  ready ??= initWasm(readFileSync(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  await ready;
  const svg = read("web/icon.svg");
  return icons.map(({ name, size, purpose }) => {
    const drawing = new Resvg(purpose === "maskable" ? roomy(svg) : svg, {
      background,
      fitTo: { mode: "width", value: size },
    });
    return { fileName: name, source: drawing.render().asPng() };
  });
}

/** Every address is relative to the manifest, so the site works below any path. */
const manifest = (paper) => ({
  id: "./",
  name: "Whereformer",
  short_name: "Whereformer",
  description: "Positional encodings, live: how a transformer knows where a word is.",
  lang: "en",
  start_url: "./",
  scope: "./",
  display: "standalone",
  theme_color: paper,
  background_color: paper,
  icons: icons
    .filter(({ purpose }) => purpose)
    .map(({ name, size, purpose }) => ({
      src: `./${name}`,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose,
    })),
});

const link = (rel, href) => ({ tag: "link", attrs: { rel, href: `./${href}` }, injectTo: "head" });

export function installable() {
  let isBuilt = false;
  return {
    name: "installable",
    configResolved: ({ command }) => {
      isBuilt = command === "build";
    },
    transformIndexHtml: {
      order: "post",
      handler: () =>
        isBuilt ? [link("manifest", manifestName), link("apple-touch-icon", "icons/180.png")] : [],
    },
    async generateBundle() {
      const paper = lightColour("paper");
      const text = `${JSON.stringify(manifest(paper), null, 2)}\n`;
      this.emitFile({ type: "asset", fileName: manifestName, source: text });
      for (const icon of await drawIcons(paper)) this.emitFile({ type: "asset", ...icon });
    },
    // A worker of a built page served earlier at this address would show that page.
    configureServer(server) {
      server.middlewares.use(`/${workerName}`, (_, response) => {
        response.setHeader("Content-Type", "text/javascript; charset=utf-8");
        response.end(read("web/offline/ended.mjs"));
      });
    },
  };
}
