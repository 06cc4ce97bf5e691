// The tarball that npm would publish, installed into folders outside the project.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { fingerprint } from "../../scripts/build/fingerprint.mjs";
import { writeNpmPackage } from "../../scripts/build/npm-package.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));

const npm = (args, cwd) =>
  execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const quiet = ["--no-audit", "--no-fund", "--no-package-lock"];

const inputs = [
  "dist",
  "docs",
  "package.json",
  "README.md",
  "LICENSE",
  "scripts/build/npm-package.mjs",
];

/**
 * Packs the package and installs it, once for each build, into a folder of `build`, beside the
 * packed files.
 */
function packedOnce() {
  const all = join(root, "build/packed");
  const place = join(all, fingerprint(root, inputs));
  if (existsSync(place)) return place;
  mkdirSync(all, { recursive: true });
  // Another test file may have finished meanwhile.
  const older = readdirSync(all).filter(
    (name) => !name.startsWith("new-") && name !== basename(place),
  );
  for (const name of older) rmSync(join(all, name), { recursive: true, force: true });
  const made = mkdtempSync(join(all, "new-"));
  const [staged, consumer] = ["staged", "consumer"].map((name) => join(made, name));
  writeNpmPackage(staged);
  mkdirSync(consumer);
  const packed = npm(["pack", "--json", "--silent", "--pack-destination", consumer], staged);
  writeFileSync(join(made, "packed.json"), packed);
  writeFileSync(
    join(consumer, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  npm(["install", "--offline", ...quiet, `./${JSON.parse(packed)[0].filename}`], consumer);
  try {
    renameSync(made, place);
  } catch (error) {
    // Another test file was faster.
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}

/**
 * Copies the installed package into an empty folder of the test, which is removed with the test.
 * Returns the folder, the package's path in it, the tarball's contents, and the packed folder.
 */
export function installTarball(name) {
  const folder = mkdtempSync(join(tmpdir(), `whereformer-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const place = packedOnce();
  cpSync(join(place, "consumer"), folder, { recursive: true });
  const [{ files }] = JSON.parse(readFileSync(join(place, "packed.json"), "utf8"));
  const installed = join(folder, "node_modules/whereformer");
  return { folder, installed, files, staged: join(place, "staged") };
}

/**
 * Returns what `npm publish` would send from a folder: `{ files, unpackedSize }`, sorted by path.
 */
export function publishedFrom(folder) {
  const printed = JSON.parse(npm(["publish", "--dry-run", "--json", "--offline"], folder));
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { files, unpackedSize } = printed[name] ?? printed;
  return { files: files.map(({ path }) => path).sort(), unpackedSize };
}

/** Runs Node in a folder; returns its output. */
export const nodeIn = (folder, args, options = {}) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", ...options });
