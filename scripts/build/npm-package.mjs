// What npm is sent, dist-npm/: dist/ with a README whose links work away from the repository, and
// a package.json without what only the repository needs. Everything that is an address comes from
// `repository` in package.json:
//   node scripts/build/npm-package.mjs

import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../setup/ensure.mjs";
import { runMain, SetupError } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { variants } from "./package.mjs";

/** Where the repository is read, without what git needs around it. */
export const placeOf = ({ repository }) =>
  repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

/** Markdown whose relative links lead into the repository at `place`, pictures to their bytes. */
export function withAbsoluteLinks(text, place) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, words, target) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole;
    const [path] = target.split("#");
    const kind = mark ? "raw" : statSync(join(root, path)).isDirectory() ? "tree" : "blob";
    return `${mark}[${words}](${place}/${kind}/HEAD/${target})`;
  });
}

/** Writes the folder that is published. Errors: a package that was built without an engine. */
export function writeNpmPackage(folder = join(root, "dist-npm")) {
  const missing = variants.filter(
    (name) => statSync(join(root, "dist", `${name}.wasm`)).size < 100,
  );
  if (missing.length)
    throw new SetupError(`dist has no engine for ${missing.join(", ")}: run npm run build.`);
  const read = (name) => readFileSync(join(root, name), "utf8");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { scripts: _, devDependencies: __, ...manifest } = JSON.parse(read("package.json"));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  write("README.md", withAbsoluteLinks(read("README.md"), placeOf(manifest)));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    writeNpmPackage();
    say("dist-npm: what `npm publish` is run in");
  });
}
