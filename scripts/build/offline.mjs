// The service worker of a built page: web/offline/service-worker.ts with the lists of the release,
// as one script without imports, since a browser looks at nothing else to see a newer release.
// A list of files takes these lines; workbox-build, which makes one too, brings 300 packages.
//   node scripts/build/offline.mjs <folder of the built page>

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { root } from "../setup/ensure.mjs";
import { workerName } from "./installable.mjs";

/**
 * What a path is to the worker, where it is no part of the article, which comes whole: 1.7 MB as it
 * is sent. Weights (2.8 MB a model, 50 MB in all) and still pictures (0.7 MB), which stand in a
 * figure's place until it has its numbers, are kept once they were fetched; licences are for
 * people.
 */
const kinds = {
  later: /^stills\/|\.safetensors$/,
  simd: /^assets\/simd-.*\.wasm$/,
  relaxed: /^assets\/relaxed-.*\.wasm$/,
  none: /^assets\/.*\.txt$/,
};

const digest = (content) => createHash("sha256").update(content).digest("base64");
/** Tells a content from another, in an address. */
const revisionOf = (hash) => Buffer.from(hash, "base64").toString("hex").slice(0, 12);

/** Names under assets carry a hash of their content; what comes under the others is compared. */
function entryOf(path, content) {
  if (path.startsWith("assets/")) return { url: path, revision: null };
  const hash = digest(content);
  return { url: path, revision: revisionOf(hash), integrity: `sha256-${hash}` };
}

/** The lists of the release that lies in a folder. */
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

/** Writes the worker of a folder that has all else. */
export async function writeServiceWorker(folder) {
  const file = join(folder, workerName);
  rmSync(file, { force: true });
  const bundle = await rolldown({
    input: join(root, "web/offline/service-worker.ts"),
    resolve: { alias: { "whereformer/features": join(root, "bindings/ts/wire/features.ts") } },
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
