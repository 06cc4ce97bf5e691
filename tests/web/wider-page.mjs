// The built page with every face a tenth wider, as it is where other fonts set it.
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

/** A face that is adjusted already is adjusted by so much more. */
const widen = (css) =>
  css.replace(/@font-face\s*\{([^}]*)\}/g, (_, inside) => {
    const own = /size-adjust:\s*([\d.]+)%/.exec(inside);
    return own
      ? `@font-face{${inside.replace(own[0], adjusted(Number(own[1])))}}`
      : `@font-face{${inside.trim().replace(/;$/, "")};${adjusted(100)}}`;
  });

/** Chinese stays with the system: its faces by their own names, which a page may give to others. */
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

/** A copy of a folder in which the faces are wider. What stays as it is takes no place. */
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
