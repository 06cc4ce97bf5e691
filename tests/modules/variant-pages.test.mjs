// The pages of the variants: their form, their content, and their numbers, which are compared with
// the formulas on the pages, implemented a second time here.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { readVariants } from "../../scripts/build/schemes/variants.mjs";

const root = new URL("../../", import.meta.url);
const { load } = await import(new URL("dist/index.js", root).href);
const { variants, faults } = readVariants();
const folders = { en: "schemes/", zh: "zh/schemes/" };
const read = (path) => readFileSync(new URL(`dist-web/${path}index.html`, root), "utf8");
const variant = (id) => variants.find((one) => one.id === id);

let wf;
before(async () => {
  wf = await load();
});

test("every page has the form of docs/variants, and the same formulas in both languages", () => {
  assert.deepEqual(faults, []);
  assert.ok(variants.length >= 14);
});

test("a variant belongs to a scheme, or to attention with any scheme, or is a formula", () => {
  const ids = [null, "formula", ...wf.schemes.map(({ id }) => id)];
  for (const { id, scheme } of variants) assert.ok(ids.includes(scheme), id);
});

test("the options of a card are options of its scheme, with allowed values", () => {
  for (const { id, scheme, state, figure } of variants) {
    if (figure) continue;
    const written = new URLSearchParams(state).get("go");
    const { options } = wf.schemes.find((one) => one.id === scheme);
    for (const part of written.split(";")) {
      const [key, value] = part.split(":");
      const option = options.find((one) => one.key === key);
      assert.ok(option, `${id}: ${key}`);
      if (option.choices) assert.ok(option.choices.includes(value), `${id}: ${part}`);
    }
  }
});

/** Returns the visible text of a page, with single spaces. */
const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
const spoken = (markdown) => markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
const bare = (text) => text.replace(/[\^_(){}*]/g, "");

for (const [language, folder] of Object.entries(folders))
  test(`${language}: a page has all of its text, and its parent and the list link to it`, () => {
    const list = read(folder);
    for (const { id, scheme, said } of variants) {
      const html = read(`${folder}${id}/`);
      const text = bare(textOf(html));
      const { title, summary, symbols, steps, users, pitfalls, sources } = said[language];
      const sentences = steps.map((step) => step.text);
      const all = [title, summary, symbols, ...sentences, users, ...pitfalls, ...sources];
      for (const one of all.flatMap((part) => part.split("\n\n")))
        assert.ok(text.includes(bare(spoken(one))), `${id}: ${one}`);
      const formulas = steps.filter(({ math }) => math).length;
      assert.ok(html.match(/<math/g).length > formulas, id);
      assert.doesNotMatch(html, /[">]undefined|NaN|\[object|\sstyle=/, id);
      assert.ok(list.includes(`href="${id}/"`), id);
      if (scheme && scheme !== id)
        assert.ok(read(`${folder}${scheme}/`).includes(`href="../${id}/"`), id);
    }
  });

test("the timeline has every scheme and every variant once, in the row of its year", () => {
  for (const folder of Object.values(folders)) {
    const [, list] = /<dl class="timeline">(.*?)<\/dl>/s.exec(read(folder));
    const rows = list.split("<div>");
    for (const { id, year } of [...wf.schemes, ...variants]) {
      const found = rows.filter((row) => row.includes(`href="${id}/"`));
      assert.equal(found.length, 1, id);
      assert.ok(found[0].startsWith(`<dt>${year}</dt>`), `${id}: ${year}`);
    }
    assert.equal(list.match(/<a /g).length, wf.schemes.length + variants.length);
  }
});

const clip = (x) => Math.min(1, Math.max(0, x));
const plain = (theta, width) =>
  Array.from({ length: width / 2 }, (_, t) => theta ** ((-2 * t) / width));
const turns = (length, w) => (length * w) / (2 * Math.PI);

/** The formulas of the pages: angles of all pairs, with the sizes of the page's table. */
const formulas = {
  position_interpolation: () => plain(1e4, 128).map((w) => w / 4),
  ntk_aware: () => plain(1e4 * 4 ** (128 / 126), 128),
  dynamic_ntk: () => plain(1e4 * (16384 / 4096) ** (128 / 126), 128),
  ntk_by_parts: () =>
    plain(1e4, 128).map((w) => {
      const keep = clip((turns(4096, w) - 1) / 31);
      return ((1 - keep) * w) / 4 + keep * w;
    }),
  yarn: () => {
    const c = (r) => (128 * Math.log(4096 / (2 * Math.PI * r))) / (2 * Math.log(1e4));
    const [a, b] = [Math.floor(c(32)), Math.ceil(c(1))];
    return plain(1e4, 128).map((w, t) => {
      const keep = 1 - clip((t - a) / (b - a));
      return ((1 - keep) * w) / 4 + keep * w;
    });
  },
  llama3_scaling: () =>
    plain(5e5, 128).map((w) => {
      const keep = clip((turns(8192, w) - 1) / 3);
      return ((1 - keep) * w) / 8 + keep * w;
    }),
  longrope: ({ table }) =>
    plain(1e4, 96).map((w, t) => w / table.options.ropeScaling.longFactor[t]),
  p_rope: () => plain(1e6, 512).map((w, t) => (t < 64 ? w : 0)),
  partial_rotation: () => plain(1e4, 16),
};

test("the angles of the engine are those of the formulas on the pages", () => {
  const withAngles = variants.filter(({ table }) => table?.kind === "frequencies");
  assert.deepEqual(withAngles.map(({ id }) => id).sort(), Object.keys(formulas).sort());
  for (const one of withAngles) {
    const { headDim, plain: usual, options, length } = one.table;
    const scheme = wf.scheme(one.scheme, { numHeads: 1, headDim, ...usual, ...options });
    const { inverseFrequencies, attentionFactor } = scheme.frequencies(length);
    const wanted = formulas[one.id](one);
    assert.equal(inverseFrequencies.length, wanted.length, one.id);
    wanted.forEach((angle, pair) => {
      const found = inverseFrequencies[pair];
      // The engine returns numbers of 32 bits.
      assert.ok(Math.abs(found - angle) <= 1e-6 * angle, `${one.id}, ${pair}: ${found}, ${angle}`);
    });
    const factors = { yarn: 0.1 * Math.log(4) + 1, longrope: Math.sqrt(1 + 5 / 12) };
    const factor = factors[one.id] ?? 1;
    assert.ok(Math.abs(attentionFactor - factor) < 1e-6, `${one.id}: ${attentionFactor}`);
  }
});

test("the numbers on a page are those of the engine", () => {
  const html = read("schemes/yarn/");
  const { pairs } = variant("yarn").table;
  const angles = formulas.yarn();
  const [, tableText] = /<section id="numbers"(.*?)<\/section>/s.exec(html);
  for (const pair of pairs) {
    const tokens = Number(((2 * Math.PI) / angles[pair]).toPrecision(4)).toLocaleString("en");
    assert.ok(tableText.includes(`<td>${tokens}</td>`), `${pair}: ${tokens}`);
  }
  assert.ok(tableText.includes((0.1 * Math.log(4) + 1).toFixed(3)));
  assert.equal(
    read("schemes/p_rope/").match(/<td>does not turn<\/td>/g).length,
    variant("p_rope").table.pairs.filter((pair) => pair >= 64).length,
  );
});

test("the slopes of six heads are those of the page of ALiBi's slopes", () => {
  const { data } = wf.scheme("alibi", { numHeads: 6, headDim: 16 }).bias([1], [0]);
  const slope = (h) => (h <= 4 ? 2 ** ((-8 * h) / 4) : 2 ** ((-8 * (2 * (h - 4) - 1)) / 8));
  assert.deepEqual(
    [...data].map((bias) => -bias),
    [1, 2, 3, 4, 5, 6].map(slope),
  );
});

test("a learned sink is the formula of its page", () => {
  const attention = wf.attention({ numHeads: 1, headDim: 2, sinks: [0.5], isCausal: false });
  const q = { data: Float32Array.of(1, 0), shape: [1, 1, 2] };
  const k = { data: Float32Array.of(1, 0, -1, 2), shape: [1, 2, 2] };
  const { weights } = attention.run({ q, k, v: k, record: ["weights"] });
  const scores = [1 / Math.SQRT2, -1 / Math.SQRT2].map(Math.exp);
  const sum = scores[0] + scores[1] + Math.exp(0.5);
  scores.forEach((score, key) => {
    assert.ok(Math.abs(weights.data[key] - score / sum) < 1e-6);
  });
});

test("the pairs of interleaved M-RoPE turn by the axes of its page", () => {
  const headDim = 128;
  const scheme = wf.scheme("mrope", { numHeads: 1, headDim, sectionsInterleaved: true });
  const sections = [24, 20, 20];
  const x = { data: new Float32Array(headDim).fill(1), shape: [1, 1, headDim] };
  for (const axis of [0, 1, 2]) {
    const data = Int32Array.from([0, 1, 2], (other) => Number(other === axis));
    const turned = scheme.rotate(x, { data, shape: [3, 1] }).data;
    for (let t = 0; t < headDim / 2; t++) {
      const wanted = t < 3 * sections[t % 3] ? t % 3 : 0;
      assert.equal(turned[t] !== 1, wanted === axis, `pair ${t}, axis ${axis}`);
    }
  }
});

/** Cosines of the angles of all pairs at a position, and the angles of a page, for one head. */
function sameAngles(scheme, position, angles, isNeighbours) {
  const pairs = angles.length;
  const x = { data: new Float32Array(2 * pairs), shape: [1, 1, 2 * pairs] };
  for (let t = 0; t < pairs; t++) x.data[isNeighbours ? 2 * t : t] = 1;
  const { data } = scheme.rotate(x, { data: position, shape: [position.length, 1] });
  angles.forEach((angle, t) => {
    const [a, b] = isNeighbours ? [2 * t, 2 * t + 1] : [t, t + pairs];
    assert.ok(Math.abs(data[a] - Math.cos(angle)) < 1e-6, `pair ${t}: ${data[a]}`);
    assert.ok(Math.abs(data[b] - Math.sin(angle)) < 1e-6, `pair ${t}: ${data[b]}`);
  });
}

test("DINOv3's pairs turn by the formula of its page", () => {
  const [rows, columns, headDim] = [5, 14, 64];
  const options = { rows, columns, ropeTheta: 100 };
  const scheme = wf.scheme("rope_2d", { numHeads: 1, headDim, ...options });
  for (const [y, x] of [
    [0, 0],
    [4, 3],
    [2, 13],
  ]) {
    const coordinates = [(2 * y + 1) / rows - 1, (2 * x + 1) / columns - 1];
    const angles = coordinates.flatMap((c) =>
      Array.from({ length: 16 }, (_, t) => 2 * Math.PI * c * 100 ** ((-4 * t) / headDim)),
    );
    sameAngles(scheme, [2 * y + 1 - rows, 2 * x + 1 - columns], angles, false);
  }
  sameAngles(scheme, [0, 0], new Array(32).fill(0), false);
  scheme.dispose();
});

test("RoPE-Mixed begins with the directions of its page", () => {
  const [numHeads, headDim, pairs] = [3, 16, 8];
  const options = { learnedFrequencies: true, layout: "llama4", ropeTheta: 10 };
  const scheme = wf.scheme("rope_2d", { numHeads, headDim, ...options });
  const [row, column] = [3, 5];
  const x = { data: new Float32Array(numHeads * headDim), shape: [numHeads, 1, headDim] };
  for (let i = 0; i < x.data.length; i += 2) x.data[i] = 1;
  const { data } = scheme.rotate(x, { data: [row, column], shape: [2, 1] });
  for (let h = 0; h < numHeads; h++)
    for (let t = 0; t < pairs; t++) {
      const direction = ((Math.PI / 2) * h) / numHeads + (t < pairs / 2 ? 0 : Math.PI / 2);
      const size = 10 ** ((-4 * (t % (pairs / 2))) / headDim);
      const angle = size * (Math.cos(direction) * column + Math.sin(direction) * row);
      const at = h * headDim + 2 * t;
      assert.ok(Math.abs(data[at] - Math.cos(angle)) < 2e-6, `head ${h}, pair ${t}`);
      assert.ok(Math.abs(data[at + 1] - Math.sin(angle)) < 2e-6, `head ${h}, pair ${t}`);
    }
  scheme.dispose();
});

test("Flux's axes have the frequencies of the page of axial 3-D RoPE", () => {
  const sections = { sectionTime: 8, sectionRow: 28, sectionColumn: 28 };
  const options = { axial: true, interleaved: true, ropeTheta: 10000, ...sections };
  const scheme = wf.scheme("mrope", { numHeads: 1, headDim: 128, ...options });
  const position = [1, 40, 7];
  const angles = [8, 28, 28].flatMap((m, axis) =>
    Array.from({ length: m }, (_, t) => position[axis] * 10000 ** (-t / m)),
  );
  sameAngles(scheme, position, angles, true);
  scheme.dispose();
});
