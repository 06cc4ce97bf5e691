// Writes the service worker of a built page: web/offline/service-worker.ts with the release's lists
// of files, as one script without imports, since browsers detect a new release only by this script.
// Listing files takes a few lines here; workbox-build, which does it too, has 300 packages.
//   node scripts/build/offline.mjs <folder of the built page>

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { root } from "../setup/ensure.mjs";
import { workerName } from "./installable.mjs";
import { sharedSources } from "./shared-sources.mjs";

/**
 * How the worker treats paths outside the article (all of which it stores, 1.7 MB compressed).
 * Weights (2.8 MB a model, 50 MB in all) and still pictures (0.7 MB), which are shown in a figure's
 * place until it has its numbers, are kept after they are fetched; licences are not stored.
 */
const kinds = {
  later: /^stills\/|\.safetensors$/,
  simd: /^assets\/simd-.*\.wasm$/,
  relaxed: /^assets\/relaxed-.*\.wasm$/,
  none: /^assets\/.*\.txt$/,
};

const digest = (content) => createHash("sha256").update(content).digest("base64");
/** Identifies a content in an address. */
const revisionOf = (hash) => Buffer.from(hash, "base64").toString("hex").slice(0, 12);

/** Names under assets contain a hash of their content; other files get a revision to compare. */
function entryOf(path, content) {
  if (path.startsWith("assets/")) return { url: path, revision: null };
  const hash = digest(content);
  return { url: path, revision: revisionOf(hash), integrity: `sha256-${hash}` };
}

/** The lists of the release in a folder. */
export function releaseOf(folder) {
  const lists = { article: [], simd: [], relaxed: [], later: [], none: [] };
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .map((name) => name.replaceAll(sep, "/"))
    .filter((path) => path !== workerName)
    .sort();
  for (const path of paths) {
    const kind = Object.keys(kinds).find((name) => kinds[name].test(path)) ?? "article";
    lists[kind].push(entryOf(path, readFileSync(join(folder, path))));
  }
  const { article, simd, relaxed } = lists;
  const later = Object.fromEntries(lists.later.map(({ url, revision }) => [url, revision]));
  return { article, engine: { simd, relaxed }, later };
}

/** Writes the worker into a folder whose other files are complete. */
export async function writeServiceWorker(folder) {
  const file = join(folder, workerName);
  rmSync(file, { force: true });
  const bundle = await rolldown({
    input: join(root, "web/offline/service-worker.ts"),
    resolve: { alias: sharedSources },
    transform: {
      define: {
        release: JSON.stringify(releaseOf(folder)),
        "process.env.NODE_ENV": '"production"',
      },
    },
  });
  try {
    await bundle.write({ file, format: "iife", minify: true });
  } finally {
    await bundle.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeServiceWorker(resolve(process.argv[2]));
