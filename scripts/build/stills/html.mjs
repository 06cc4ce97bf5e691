// A still picture as HTML, in the element that later replaces it.

import { figureOf } from "../figures.mjs";
import { languages, themes, wideFrom } from "./forms.mjs";

const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign],
  );

const fileOf = (tag, language, form, theme, up) =>
  `${up || "./"}stills/${tag.slice(3)}-${language}-${form}-${theme}.svg`;

const sizeOf = ([width, height]) => `width="${width}" height="${height}"`;

function pictureOf(tag, language, theme, { name, pictures: { wide, narrow } }, up) {
  const source =
    `<source media="(min-width: ${wideFrom}), print" ` +
    `srcset="${fileOf(tag, language, "wide", theme, up)}" ${sizeOf(wide)}>`;
  const image =
    `<img loading="lazy" src="${fileOf(tag, language, "narrow", theme, up)}" ${sizeOf(narrow)} ` +
    `alt="${escaped(name)}">`;
  return `<picture class="${theme}">${source}${image}</picture>`;
}

const firstSentence = (text) => /^.*?(?:[。？！]|[.?!](?= |$)|$)/s.exec(text)[0];

/** The text below a still picture: the page includes that of every figure. */
function captionOf(tag, text = "") {
  const { caption: extent } = figureOf(tag);
  if (extent === "none") return "";
  return extent === "whole" ? text : firstSentence(text);
}

/** Title, picture and caption of a figure in one language. */
function stillIn(tag, language, still, up) {
  const pictures = themes.map((theme) => pictureOf(tag, language, theme, still, up)).join("");
  const heading = still.heading ? `<h3>${escaped(still.heading)}</h3>` : "";
  const said = captionOf(tag, still.caption);
  const caption = said ? `<figcaption>${escaped(said)}</figcaption>` : "";
  const isUnscripted = figureOf(tag).still === "without scripts";
  const role = isUnscripted ? "at-rest unscripted" : "at-rest";
  return (
    `<figure class="${role}" lang="${languages[language]}">` +
    `${heading}${pictures}${caption}</figure>`
  );
}

/** Shown in place of a figure that has no still picture. */
const withoutScript = {
  en: "This figure computes on your own device and needs JavaScript.",
  zh: "这张图要在你的设备上现算，需要启用 JavaScript。",
};

const saidOf = () =>
  Object.entries(withoutScript)
    .map(
      ([language, text]) =>
        `<p class="at-rest unscripted" lang="${languages[language]}">${text}</p>`,
    )
    .join("");

/** The placeholder of a figure. */
function contentOf(tag, still, up) {
  if (!still) return saidOf();
  return Object.entries(still)
    .map(([language, one]) => stillIn(tag, language, one, up))
    .join("");
}

/** The page with the still pictures in the figures' placeholders; `up` leads to the site's root. */
export const withStills = (html, stills, up) =>
  html.replace(
    /<(wf-[\w-]+)( class="inside")?><\/\1>/g,
    (_, tag, width = "") => `<${tag}${width}>${contentOf(tag, stills[tag], up)}</${tag}>`,
  );
