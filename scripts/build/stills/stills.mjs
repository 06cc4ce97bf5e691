// The still pictures of the built page: drawn again if their inputs have changed, and added to
// dist-web. They are shown until the figures are loaded, and without scripts.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../serve.mjs";
import { root } from "../../setup/ensure.mjs";
import { runOrFail } from "../../setup/process.mjs";
import { buildIfChanged } from "../fingerprint.mjs";
import { pages } from "../prose.mjs";
import { upFrom } from "../schemes/frame.mjs";
import { withStills } from "./html.mjs";

const at = (...parts) => join(root, ...parts);
const drawn = "build/stills";
const list = `${drawn}/stills.json`;
const draw = at("scripts/build/stills/draw.mjs");

const drawPictures = (page) =>
  buildIfChanged({
    root,
    name: "stills",
    inputs: [
      ...["controls", "drawing", "engine", "figures", "text"].map((name) => `web/${name}`),
      "web/defaults.ts",
      "web/state.ts",
      "web/styles/tokens.css",
      "bindings/ts/generated",
      "dist/index.js",
      "dist/simd.wasm",
      "models",
      "scripts/build/stills",
      "package-lock.json",
    ],
    outputs: [list],
    build: async () => {
      rmSync(at(drawn), { recursive: true, force: true });
      const { address, close } = await serve({ folder: page, port: 0 });
      try {
        await runOrFail(process.execPath, [draw, address, at(drawn)], { cwd: root });
      } finally {
        await close();
      }
    },
  });

/** Adds the pictures to the pages in a folder that has their models and placeholders. */
export async function addStills(page) {
  await drawPictures(page);
  mkdirSync(join(page, "stills"), { recursive: true });
  for (const name of readdirSync(at(drawn)).filter((file) => file.endsWith(".svg")))
    cpSync(at(drawn, name), join(page, "stills", name));
  const stills = JSON.parse(readFileSync(at(list), "utf8"));
  for (const { path } of pages()) {
    const file = join(page, path, "index.html");
    writeFileSync(file, withStills(readFileSync(file, "utf8"), stills, upFrom(path)));
  }
}
