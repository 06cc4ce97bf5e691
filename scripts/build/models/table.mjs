// The table of the model index: docs/models/models.json has its models, and classes.json the
// defaults of their configuration classes, which read_config_classes.py has written.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../setup/ensure.mjs";
import { escaped } from "../schemes/markup.mjs";
import { indexWords } from "./words.mjs";

const read = (name) => JSON.parse(readFileSync(join(root, "docs/models", name), "utf8"));

/** The models with the facts of their classes, and the address of the library's files. */
export function readModels() {
  const { source, classes } = read("classes.json");
  const models = read("models.json").map((model) => ({ ...model, facts: classes[model.type] }));
  return { source, models };
}

/** Whether layers of that kind see positions, for the rule of the model. */
function isBlind({ nope, facts: { noRopeLayers } }, kind) {
  if (nope === "full") return kind === "full_attention";
  // The layers of the list are those of the last kind of each period.
  if (nope === "listed") return noRopeLayers !== undefined && kind === "full_attention";
  return nope === "all";
}

const needsNoBase = /linear_attention|conv|hybrid|compressed/;

/** What one kind of layers does. */
function kindOf(model, kind, words) {
  const { rope, window } = model.facts;
  const said = words.kinds[kind](window);
  if (needsNoBase.test(kind) || (!rope && !model.nope)) return said;
  if (isBlind(model, kind)) return [said, words.none].join(words.comma);
  const rotary = rope?.[kind];
  const share = rotary?.rope_type === "proportional" && words.pairs(rotary.partial_rotary_factor);
  const parts = [said, words.rotates, rotary && words.theta(rotary.rope_theta), share];
  return parts.filter(Boolean).join(words.comma);
}

function layersOf(model, language, words) {
  if (model.layers) return model.layers[language];
  const { layers, layerTypes, window, usesWindow, noRopeLayers } = model.facts;
  if (!layers || model.sizes === false) return "";
  const counts = Object.entries(layerTypes?.counts ?? {});
  if (counts.length === 1 && noRopeLayers?.length) {
    const kind = words.kinds[counts[0][0]](window);
    const parts = [
      [layers - noRopeLayers.length, words.rotates],
      [noRopeLayers.length, words.none],
    ].map(([count, what]) => `${words.of(count, layers)}${colon(words)}${kind}, ${what}`);
    return parts.join(words.semicolon).replaceAll(", ", words.comma);
  }
  if (counts.length > 1)
    return counts
      .map(([kind, n]) => `${words.of(n, layers)}${colon(words)}${kindOf(model, kind, words)}`)
      .join(words.semicolon);
  if (model.grid) return `${words.all(layers)}${colon(words)}${words.picture}`;
  const kind = window && usesWindow !== false ? "sliding_attention" : "full_attention";
  return `${words.all(layers)}${colon(words)}${words.kinds[counts[0]?.[0] ?? kind](window)}`;
}

const colon = ({ comma }) => (comma === "，" ? "：" : ": ");

const scalings = { yarn: "YaRN", llama3: "Llama 3", longrope: "LongRoPE" };

function baseOf({ facts, nope, ends }, words) {
  if (nope === "all") return "";
  const { rope, setsTheta, rotaryDim, headDim, buckets, maxPositions, thetaByLayer } = facts;
  const parts = [];
  if (rope?.rope_theta) {
    parts.push(setsTheta ? words.theta(rope.rope_theta) : words.open);
    const { rope_type: type, factor, original_max_position_embeddings: from } = rope;
    if (factor && from) parts.push(words.factor(scalings[type] ?? type, factor, from));
    if (rope.partial_rotary_factor && rope.partial_rotary_factor < 1 && !rotaryDim)
      parts.push(words.channels(rope.partial_rotary_factor));
  }
  if (thetaByLayer) parts.push(words.byLayer);
  if (rotaryDim)
    parts.push(rope || !headDim ? words.apart(rotaryDim) : words.slice(rotaryDim, headDim));
  if (buckets) parts.push(words.buckets(buckets));
  if (ends && maxPositions) parts.push(words.longest(maxPositions));
  return parts.join(words.semicolon);
}

function alsoOf({ facts: { parts = [], softcap }, query }, words) {
  const all = parts.map((part) => words.parts[part]);
  if (query) all.push(words.query);
  if (softcap) all.push(words.softcap(softcap));
  return all.join(words.comma);
}

function positionOf({ schemes, position }, language, words) {
  const links = schemes.map((id) => {
    const name = position?.[language] ?? words.schemes[id];
    return `<a href="${words.folder}${id}/">${escaped(name)}</a>`;
  });
  return links.join(words.comma);
}

function rowOf(model, source, language, words) {
  const { name, year, facts, type } = model;
  const cells = [
    year,
    positionOf(model, language, words),
    escaped(layersOf(model, language, words)),
    escaped(baseOf(model, words)),
    escaped(alsoOf(model, words)),
    `<a class="unbroken" href="${source}${facts.file}"><code>${type}</code></a>`,
  ];
  return (
    `<tr><th scope="row">${escaped(name)}</th>` +
    `${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
  );
}

function tableIn(language, { source, models }) {
  const words = indexWords[language];
  const tag = language === "en" ? "en" : "zh-Hans";
  const head = Object.entries(words.columns).map(([id, column]) => {
    // The order of the rows.
    const sorted = id === "year" ? ' aria-sort="descending"' : "";
    return `<th scope="col"${sorted}>${column}</th>`;
  });
  const rows = models.map((model) => rowOf(model, source, language, words));
  const label = escaped(words.caption);
  const named = `lang="${tag}" tabindex="0" role="region" aria-label="${label}"`;
  return `<div class="methods models" ${named}>
<table>
<caption><span>${label}</span></caption>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</div>`;
}

/** The table in both languages, by year and name. */
export function modelTable() {
  const { source, models } = readModels();
  const byYear = [...models].sort((a, b) => b.year - a.year || a.name.localeCompare(b.name, "en"));
  return Object.keys(indexWords)
    .map((language) => tableIn(language, { source, models: byYear }))
    .join("\n");
}
