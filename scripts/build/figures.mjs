// The figures of the page: the folders below web/figures that have an element.ts. A folder's name
// is its tag without `wf-`; its figure.json has what the build needs:
//   width     "inside": never wider than the column of text
//   still     "none": without a still picture in the article; "without scripts": shown only then
//   caption   of the still picture: "whole" or "none"; by default the first sentence
//   example   attributes on the page of the elements
//   zh        the Chinese descriptions for custom-elements.json: of the "element", and of each
//             property, event, part and custom property; web/figures/shared/zh.json has common ones
// Figures in web/figures/standalone are for other people's pages; the others are in the article.

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../setup/ensure.mjs";

const folder = "web/figures";

const describe = (file) => ({
  tag: `wf-${basename(dirname(file))}`,
  file,
  isStandalone: file.startsWith(`${folder}/standalone/`),
  ...JSON.parse(readFileSync(join(root, dirname(file), "figure.json"), "utf8")),
});

/** All figures, by folder. */
export const figures = readdirSync(join(root, folder), { recursive: true })
  .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith("/element.ts"))
  .sort()
  .map(describe);

const byTag = new Map(figures.map((figure) => [figure.tag, figure]));

/** The figure with this tag. */
export function figureOf(tag) {
  const figure = byTag.get(tag);
  if (!figure) throw new Error(`${folder} has no folder for <${tag}>`);
  return figure;
}

const common = JSON.parse(readFileSync(join(root, folder, "shared/zh.json"), "utf8"));

/** Returns the Chinese description of an element, or of a part of it. */
export function inChinese(tag, name) {
  const said = figureOf(tag).zh[name] ?? common[name];
  if (!said) throw new Error(`the figure.json of <${tag}> has no Chinese for ${name}`);
  return said;
}

/** The start tag of a figure in the article. */
export const startTag = (tag) =>
  figureOf(tag).width === "inside" ? `<${tag} class="inside">` : `<${tag}>`;
