// Configs that leave a key out or say null for it, against Transformers
// (tests/golden/make_family_absences.py).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { familyFile, modelOf, names, textOfDecoder } from "./families.mjs";
import { wf } from "./golden.mjs";
import { changedWeights, distanceOf, someOf } from "./made-weights.mjs";

const { files } = JSON.parse(
  readFileSync(new URL("../golden/families/absences.json", import.meta.url), "utf8"),
);

test("every family's model has a walk through what its config may leave out", () => {
  assert.deepEqual(Object.keys(files).sort(), [...names].sort());
});

/** A config without what lies at a path, or with null there. */
function changed(config, path, isNull) {
  const copy = structuredClone(config);
  const keys = path.split(".");
  const last = keys.pop();
  const inner = keys.reduce((object, key) => object[key], copy);
  if (isNull) inner[last] = null;
  else delete inner[last];
  return copy;
}

async function lastToken(file, { decoderTokens }) {
  const model = await modelOf(wf, file);
  const record = file.output === "hidden" ? "hidden" : "vocabularyLogits";
  const { data, shape } = model.run(file.ids, { record: [record], ...decoderTokens })[record];
  model.dispose();
  return { data, width: shape[1] };
}

/** What is wrong with how a config is read; "refused" where it is not, in a sentence of its key. */
async function readAs(file, text, path, expected) {
  try {
    const { data, width } = await lastToken(file, text);
    if (typeof expected === "string") return `read, ${expected} elsewhere`;
    const found = someOf(data, width, expected.length);
    const distance = distanceOf(found, expected);
    return distance < 2e-4 ? "right" : `off by ${distance}`;
  } catch (error) {
    const key = path.split(".").at(-1);
    const top = path.split(".")[0];
    if (error.name !== "WhereformerError") return error.stack;
    const isNamed = [key, top].some((word) => error.message.includes(word));
    return isNamed && !/undefined|NaN/.test(error.message)
      ? "refused"
      : `refused: ${error.message}`;
  }
}

/** The rows of a walk: path, what Transformers makes of it, and tensors that are others. */
function* rowsOf({ same = "", refused = "", large = "", other = {}, shaped = {} }, base) {
  const words = (text) => text.split(" ").filter(Boolean);
  for (const path of words(same)) yield [path, base];
  for (const path of words(refused)) yield [path, "refused"];
  for (const path of words(large)) yield [path, "large"];
  for (const [path, row] of Object.entries(other)) yield [path, row];
  for (const [path, { tensors, row }] of Object.entries(shaped)) yield [path, row, tensors];
}

const tooFew = "partialRotaryFactor: 0.25 (expected a factor that rotates an even number";
const deberta = [
  "absent pos_att_type",
  "absent position_biased_input",
  "absent relative_attention",
  "absent share_att_key",
  "null pos_att_type",
  "null share_att_key",
];
/** What Transformers computes and this package does not: a sentence with the key says so. */
const notRead = {
  // Other architectures than are read: no positions, positions of their own, a narrower table.
  deberta_v2: deberta,
  deberta_v2_options: deberta,
  electra: ["absent embedding_size"],
  // Clusters beyond the vocabulary, tables narrower than a number, memory that is not there.
  transfo_xl: ["absent div_val"],
  transfo_xl_div_val: ["absent div_val"],
  transfo_xl_embedding: ["absent div_val"],
  transfo_xl_one_softmax: ["absent cutoffs"],
  transfo_xl_options: ["absent same_length"],
  // Eighteen channels for sixteen heads.
  smollm3: ["absent num_attention_heads"],
  marian_two_tables: ["absent share_encoder_decoder_embeddings"],
  // More buckets than distances.
  mt5: ["absent relative_attention_num_buckets", "absent tie_word_embeddings"],
  t5: ["absent relative_attention_num_buckets"],
  // Weights of two tables, which Transformers would tie as it loads them.
  t5_own_head: [
    "absent relative_attention_num_buckets",
    "absent tie_word_embeddings",
    "null tie_word_embeddings",
  ],
};
/** What is refused with another word than the key. */
const otherWords = {
  gpt_neox: tooFew,
  gpt_neox_serial: tooFew,
  // Without "uni" the model is an encoder, which opens, and has no scores.
  xlnet_causal: "the model has no output head",
};

for (const [name, walk] of Object.entries(files)) {
  test(`${name}: a key left out, or null, means what it means to Transformers`, async () => {
    const file = familyFile(name);
    const width = file.result.shape.at(-1);
    const base = someOf(file.result.data, width, 4);
    const text = textOfDecoder(file);
    const { older } = walk;
    const olderConfig = { ...file.config, ...older?.config };
    for (const key of older?.gone ?? []) delete olderConfig[key];
    const walks = [[file.config, walk], ...(older ? [[olderConfig, older]] : [])];
    const wrong = new Set();
    for (const [config, rows] of walks)
      for (const kind of ["absent", "null"])
        for (const [path, expected, tensors = []] of rowsOf(rows[kind] ?? {}, base)) {
          const weights = changedWeights(file.weights, tensors);
          const variant = { ...file, config: changed(config, path, kind === "null"), weights };
          const found = await readAs(variant, text, path, expected);
          if (found === "right" || (found === "refused" && typeof expected === "string")) continue;
          // What no arithmetic reads may be left out here.
          if (found === "read, refused elsewhere") {
            if ((await readAs(variant, text, path, base)) === "right") continue;
          }
          wrong.add(`${kind} ${path}: ${found}`);
        }
    const left = [...wrong].filter((line) => !line.includes(`refused: ${otherWords[name]}`));
    assert.deepEqual(left.sort(), (notRead[name] ?? []).map((line) => `${line}: refused`).sort());
  });
}
