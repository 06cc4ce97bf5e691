// The built page with every font a tenth wider, as it may be with a reader's fonts.
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const build = fileURLToPath(new URL("../../build/", import.meta.url));

export const widerBy = 1.1;

const adjusted = (percent) => `size-adjust:${(percent * widerBy).toFixed(2)}%`;

/** Widens every @font-face; multiplies its `size-adjust` if it has one. */
const widen = (css) =>
  css.replace(/@font-face\s*\{([^}]*)\}/g, (_, inside) => {
    const own = /size-adjust:\s*([\d.]+)%/.exec(inside);
    return own
      ? `@font-face{${inside.replace(own[0], adjusted(Number(own[1])))}}`
      : `@font-face{${inside.trim().replace(/;$/, "")};${adjusted(100)}}`;
  });

/** Wider faces under the names of the system's Chinese fonts, which the page does not ship. */
const systemFaces = ["Noto Serif CJK SC", "Noto Sans CJK SC", "Noto Sans Mono CJK SC"]
  .flatMap((name) => [
    `@font-face{font-family:"${name}";font-weight:400;src:local("${name}");${adjusted(100)}}`,
    `@font-face{font-family:"${name}";font-weight:700;src:local("${name} Bold");${adjusted(100)}}`,
  ])
  .join("\n");

const changes = [
  [/\.css$/, widen],
  [
    /\.html$/,
    (html, depth) => {
      const href = `${depth ? "../".repeat(depth) : "./"}wider.css`;
      return html.replace("<head>", `<head><link rel="stylesheet" href="${href}">`);
    },
  ],
];

/** Makes a copy of a folder with wider fonts. Unchanged files are hard links if possible. */
export function openWiderCopy(folder) {
  mkdirSync(build, { recursive: true });
  const copy = mkdtempSync(join(build, "wider-page-"));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath ?? entry.path, entry.name);
    const path = relative(folder, from);
    const to = join(copy, path);
    const [, change] = changes.find(([name]) => name.test(entry.name)) ?? [];
    if (entry.isDirectory()) mkdirSync(to, { recursive: true });
    else if (change)
      writeFileSync(to, change(readFileSync(from, "utf8"), path.split(sep).length - 1));
    else
      try {
        linkSync(from, to);
      } catch {
        copyFileSync(from, to);
      }
  }
  writeFileSync(join(copy, "wider.css"), systemFaces);
  return { folder: copy, close: () => rmSync(copy, { recursive: true, force: true }) };
}
