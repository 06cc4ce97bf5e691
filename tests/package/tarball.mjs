// The tarball that npm would publish, installed into folders of other people's.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { writeNpmPackage } from "../../scripts/build/npm-package.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));

const npm = (args, cwd) =>
  execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const quiet = ["--no-audit", "--no-fund", "--no-package-lock"];

/**
 * Packs the package and installs it into an empty folder, which goes with the test. Gives the
 * folder, the place of the package in it, and what the tarball holds.
 */
export function installTarball(name) {
  const folder = mkdtempSync(join(tmpdir(), `whereformer-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const pack = ["pack", "--json", "--silent", "--pack-destination", folder];
  writeNpmPackage(join(folder, "staged"));
  const [{ filename, files }] = JSON.parse(npm(pack, join(folder, "staged")));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  npm(["install", "--offline", ...quiet, `./${filename}`], folder);
  return { folder, installed: join(folder, "node_modules/whereformer"), files };
}

/** What `npm publish` would send from a folder: `{ files, unpackedSize }`, paths sorted. */
export function publishedFrom(folder) {
  const printed = JSON.parse(npm(["publish", "--dry-run", "--json", "--offline"], folder));
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { files, unpackedSize } = printed[name] ?? printed;
  return { files: files.map(({ path }) => path).sort(), unpackedSize };
}

/** Runs Node in a folder, and gives what it prints. */
export const nodeIn = (folder, args, options = {}) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", ...options });
