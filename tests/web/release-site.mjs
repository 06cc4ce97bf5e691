// The built page as a site that readers come back to: below a path, with newer releases, and with a
// server that can be stopped.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeServiceWorker } from "../../scripts/build/offline.mjs";
import { serve } from "../../scripts/serve.mjs";
import { pageFolder } from "./browser.mjs";

const build = fileURLToPath(new URL("../../build/", import.meta.url));
const path = "deep/site/";
const isText = (name) => /\.(?:js|mjs|css|html)$/.test(name);

/** Renames every asset, and adds the release to each page as a <meta> element. */
function renameAssets(folder, release) {
  const assets = join(folder, "assets");
  const names = readdirSync(assets);
  for (const name of names) renameSync(join(assets, name), join(assets, `r${release}-${name}`));
  const all = new RegExp(`\\b(?:${names.join("|").replaceAll(".", "\\.")})`, "g");
  for (const file of readdirSync(folder, { recursive: true }).filter(isText)) {
    const before = readFileSync(join(folder, file), "utf8");
    const after = before
      .replace(all, (name) => `r${release}-${name}`)
      .replace("<head>", `<head><meta name="release" content="${release}" />`);
    writeFileSync(join(folder, file), after);
  }
}

/**
 * Serves a copy of the page. `address` is the article's; `stop` and `start` control the server;
 * `publish` replaces the release by another; `file` returns the path of a file on disk.
 */
export async function openSite() {
  mkdirSync(build, { recursive: true });
  const top = mkdtempSync(join(build, "release-site-"));
  const folder = join(top, path);
  cpSync(pageFolder, folder, { recursive: true });
  // Isolated, as a host with shared memory serves it: cached responses keep these headers.
  const begin = (port) => serve({ folder: top, port, isolated: true });
  let server = await begin(0);
  const { address } = server;
  return {
    address: new URL(path, address).href,
    file: (name) => join(folder, name),
    stop: () => server.close(),
    start: async () => {
      server = await begin(Number(new URL(address).port));
    },
    publish: async (release) => {
      renameAssets(folder, release);
      await writeServiceWorker(folder);
    },
    /** Replaces the service worker by the one that ends its predecessor. */
    endWorker: () => {
      const ended = new URL("../../web/offline/ended.mjs", import.meta.url);
      copyFileSync(fileURLToPath(ended), join(folder, "service-worker.js"));
    },
    close: async () => {
      await server.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}
