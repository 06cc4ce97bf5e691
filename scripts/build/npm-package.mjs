// Writes the folder that is published to npm, dist-npm/: dist/, the documents for users (docs/, as
// Markdown) and a README, whose links work outside the repository, and a package.json without
// fields that only the repository needs. All addresses are derived from `repository` in
// package.json:
//   node scripts/build/npm-package.mjs
//   npm pack ./dist-npm

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../setup/ensure.mjs";
import { runMain, SetupError } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { variants } from "./package.mjs";

/** The repository's address for browsers, without git's prefix and suffix. */
export const addressOf = ({ repository }) =>
  repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

const markdownIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);

/** Markdown shipped with the package: the README, guides, schemes, and pages they link to. */
export const shippedDocuments = () => [
  "README.md",
  ...["families", "formulas", "install", "quantisation", "table.en", "table.zh", "threads"].map(
    (name) => `docs/${name}.md`,
  ),
  ...markdownIn("docs/guides"),
  ...markdownIn("docs/schemes"),
];

/** Code, which contains no links, or a link: an image's mark, text, and target. */
const codeOrLink = /^```[\s\S]*?^```|`[^`\n]*`|(!?)\[([^\]]*)\]\(([^)\s]+)\)/gm;

/** The targets of a text's links. */
export const linksIn = (text) =>
  [...text.matchAll(codeOrLink)].map(([, , , target]) => target).filter(Boolean);

/**
 * Markdown of the repository's file `path`, for the package: links to shipped files are kept;
 * others point to the repository at `place`, images to their raw files.
 */
export function withReachableLinks(text, path, shipped, address) {
  return text.replace(codeOrLink, (whole, mark, words, target) => {
    if (!target || /^(?:[a-z]+:|#)/.test(target)) return whole;
    const [file, anchor] = target.split("#");
    const led = posix.join(posix.dirname(path), file);
    if (shipped.includes(led)) return whole;
    const kind = mark ? "raw" : statSync(join(root, led)).isDirectory() ? "tree" : "blob";
    const end = anchor === undefined ? "" : `#${anchor}`;
    return `${mark}[${words}](${address}/${kind}/HEAD/${led}${end})`;
  });
}

/** Writes the folder to publish. Errors: a package that was built without an engine. */
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
  const write = (name, text) => {
    mkdirSync(join(folder, posix.dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  const shipped = shippedDocuments();
  for (const name of shipped)
    write(name, withReachableLinks(read(name), name, shipped, addressOf(manifest)));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    writeNpmPackage();
    say("dist-npm: run `npm publish` in it, or make a tarball by `npm pack ./dist-npm`");
  });
}
