// The parts of a scheme's page that have numbers: facts, options, terms, costs, measurements, and
// the maps of its trained model.

import { gridHeadsSvg, gridSvg } from "./grid-maps.mjs";
import { headSvg, headsSvg } from "./maps.mjs";
import { escaped, table } from "./markup.mjs";

/** The steps that a scheme takes part in with its default options. */
export function actsOn({ description: { hooks }, sockets }, words) {
  const found = [
    ...sockets.map((socket) => words.sockets[socket]),
    ...(hooks.includes("output") ? [words.output] : []),
  ];
  return found.join(words.and) || words.nothing;
}

/** The summary: one fact per line. */
export function factsOf(one, { words, grouped, markup }) {
  const { description, cost, ends } = one;
  const { claims, paper } = description;
  const { facts } = words;
  const lines = [
    [facts.acts, actsOn(one, facts)],
    [facts.learns, cost.parameters ? facts.numbers(grouped(cost.parameters), cost) : facts.nothing],
    [facts.shift, claims.shiftInvariant ? facts.unchanged : facts.changed],
    [facts.ends, ends ? facts.ending : facts.endless],
    [facts.decodes, claims.decodes ? facts.cached : facts.uncached],
    [facts.both, claims.bidirectional ? facts.works : facts.broken],
  ].map(([name, value]) => [name, escaped(value)]);
  if (paper)
    lines.push([
      facts.paper,
      `<span class="always" lang="en">${markup.citation(`${paper}`)}</span>`,
    ]);
  return `<dl class="facts">
${lines.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("\n")}
</dl>`;
}

export function termsOf({ terms }, { words, shared }) {
  const names = ["content", ...terms].map((name) => shared.terms.names[name] ?? name);
  return `<p>${names.length > 1 ? words.terms(names.join(" + ")) : words.onlyContent}</p>`;
}

/** The allowed values of an option, its default first. */
function valuesOf({ kind, default: usual, minimum, maximum, choices }, words, grouped) {
  const say = (value) => (typeof value === "number" ? grouped(value) : escaped(value));
  const first = (value) => `<b>${value}</b>`;
  if (kind === "boolean")
    return (usual ? [first(words.on), words.off] : [first(words.off), words.on]).join(words.comma);
  if (kind === "choice")
    return choices.map((word) => (word === usual ? first(word) : word)).join(words.comma);
  const range = minimum === undefined ? "" : words.from(say(minimum), say(maximum));
  if (kind === "list") return words.list + (range && words.semicolon + range);
  return first(say(usual)) + (range && words.semicolon + range);
}

export function optionsOf({ options }, help, { words, grouped, markup }) {
  if (!options.length) return `<p>${words.noOptions}</p>`;
  const items = options.map((option) => {
    const config = option.configKey
      ? ` <span class="config"><span class="unseen">${words.option.config}: </span>= ` +
        `<code>${escaped(option.configKey)}</code></span>`
      : "";
    return `<div><dt><code translate="no">${escaped(option.key)}</code>${config}</dt>
<dd class="values">${valuesOf(option, words, grouped)}</dd>
<dd>${markup.inline(help[option.key] ?? "")}</dd></div>`;
  });
  return (
    `<p class="small">${words.optionsAbout}</p>\n` +
    `<dl class="options">\n${items.join("\n")}\n</dl>`
  );
}

export function costsOf({ cost, description }, { gallery, words, join }) {
  const says = gallery.cost;
  const { parameters, onceFlops, layerFlops, attentionFlops, cacheBytes } = cost;
  const operations = [
    ...(onceFlops ? [says.once(onceFlops)] : []),
    ...(layerFlops ? [says.layer(layerFlops, attentionFlops)] : []),
  ];
  const lines = [
    [says.parameters, parameters ? says.numbers(parameters) : says.none],
    [says.operations, operations.join(join) || says.none],
    [says.cache, description.claims.decodes ? says.bytes(cacheBytes) : says.unused],
  ];
  return `<p class="small">${words.costOf(says.sizes(cost))}</p>
<dl class="facts cost">
${lines.map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`).join("\n")}
</dl>`;
}

/** Held-out loss by the length of the window. */
export function lengthsOf({ trained }, { words }) {
  if (!trained) return "";
  const { en, zh } = trained.heldOut;
  const say = ({ bitsPerToken }) => bitsPerToken?.toFixed(2) ?? words.notDefined;
  const about = words.measured(en.lengths[0].length);
  const rows = en.lengths.map((window, index) => [
    words.tokens(window.length.toLocaleString("en")),
    say(window),
    say(zh.lengths[index]),
  ]);
  const columns = [words.window, words.languages.en, words.languages.zh];
  return `<p>${about}</p>\n${table(about, columns, rows)}`;
}

const bits = ({ heldOut }) => ({
  en: heldOut.en.bitsPerCharacter.toFixed(2),
  zh: heldOut.zh.bitsPerCharacter.toFixed(2),
});

/** Right answers about pictures: minimum and maximum over all seeds. */
function picturesOf({ pictures }, { words, percent }) {
  const range = (shares) => {
    const [min, max] = [Math.min(...shares), Math.max(...shares)].map(percent);
    return min === max ? min : words.from(min, max);
  };
  const rows = Object.entries(pictures).map(([name, { scheme, blind }]) => [
    words.questions[name],
    range(scheme),
    range(blind),
  ]);
  const about = words.pictures(Object.values(pictures)[0].scheme.length);
  const columns = [words.question, words.schemeModels, words.blindModels];
  return `<p>${about}</p>\n${table(about, columns, rows)}`;
}

/** The maps of a model trained on pictures. */
function lookOf({ look, description }, { words, plain, percent, article }) {
  const says = words.look;
  const [, { row, column }] = look.cells;
  const seen = says.seen(row + 1, column + 1, says.kinds[look.kind](look.head + 1));
  const link = `${article}&gr=${description.id}&at=pictures`;
  return `<div class="maps">
<figure>
${gridSvg(look, { plain, titles: says, name: says.pictureLabel })}
<figcaption>${seen}</figcaption>
</figure>
<figure>
${gridHeadsSvg(look, { percent, name: says.headsLabel })}
<figcaption>${says.heads}</figcaption>
</figure>
</div>
<p><a href="${link}">${says.otherCell}</a></p>`;
}

/**
 * The trained model: its losses, the head that attends most to the previous token, and all heads.
 */
export function trainedOf(facts, blind, context) {
  const { words, language, percent, labelsOf, article } = context;
  const { trained, pictures, description } = facts;
  const ofPictures = [
    ...(pictures ? [picturesOf(facts, context)] : []),
    ...(facts.look ? [lookOf(facts, context)] : []),
  ];
  if (!trained) return ofPictures.join("\n") || `<p>${words.untrained}</p>`;
  const { parameterCount, seen } = trained;
  const isBlind = blind.description.id === description.id;
  const score = isBlind
    ? words.trainedBlindScore(bits(trained))
    : words.trainedScore(bits(trained), bits(blind.trained));
  const answer = trained[language];
  const { layer, head, previous } = answer.shown;
  const one = words.mapLabel(layer + 1, head + 1);
  const all = words.allHeads(answer.text);
  const labels = labelsOf(answer.tokens);
  const beside = isBlind ? context.sighted : blind.description.id;
  const link = `${article}&cs=${description.id}.${beside}&at=heads`;
  return `<p>${[words.trainedAbout(parameterCount, seen), score].join(words.space)}</p>
<div class="maps">
<figure>
${headSvg(answer, labels, answer.shown, trained, one)}
<figcaption>${words.oneHead(layer + 1, head + 1, percent(previous))}</figcaption>
</figure>
<figure>
${headsSvg(answer, trained, all)}
<figcaption>${all}</figcaption>
</figure>
</div>
<p><a href="${link}">${words.readerText}</a></p>`;
}

export function familiesOf({ selects }, { words }) {
  if (!selects) return "";
  const list = selects
    .split(" ")
    .map((type) => `<code translate="no">${escaped(type)}</code>`)
    .join(words.comma);
  return `<p>${words.families(list)}</p>`;
}
