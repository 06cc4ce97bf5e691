// `npm start`: from a fresh clone to the page. Uses Node's own modules only.
// If no engine has been built yet, the page is served as soon as the first one is ready: the
// variant that every browser runs. The others are built after it.

import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { variants } from "./build/package.mjs";
import { build } from "./build.mjs";
import { servePage } from "./serve.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, SetupError } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";

const all = ["wasm", "package", "web"];
const firstVariant = "simd";
// Files that an open page may still request while the next one replaces it, and after.
const firstPage = join(root, "build/first-page");

const hasAllEngines = () =>
  variants.every((name) => existsSync(join(root, "build", name, "engine.wasm")));

async function buildTheRest(toolchain) {
  const rest = variants.filter((name) => name !== firstVariant);
  say(`\nStill to build, while the page is served: the engines ${rest.join(" and ")}.`);
  try {
    await build(all, toolchain);
    say("All engines are built: reload the page, and it takes the fastest that the browser runs.");
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`${error.message}\nThe page is served as it is, with the engine ${firstVariant}.`);
  }
}

await runMain(async () => {
  const started = Date.now();
  const ready = () => say(`Ready after ${formatSeconds((Date.now() - started) / 1000)}.`);
  const toolchain = await ensure({ groups: ["build"] });
  rmSync(firstPage, { recursive: true, force: true });
  if (hasAllEngines()) {
    await build(all, toolchain);
    ready();
    await servePage();
    return;
  }
  await build(all, toolchain, [firstVariant]);
  cpSync(join(root, "dist-web"), firstPage, { recursive: true });
  ready();
  await servePage(firstPage);
  await buildTheRest(toolchain);
});
