// Compares configs in which a key is missing or null with Transformers
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

test("every family has a file of configs with missing and null keys", () => {
  assert.deepEqual(Object.keys(files).sort(), [...names].sort());
});

/** Returns the config without the key at `path`, or with null there. */
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

/**
 * Opens the model of a config and compares its last token with `expected`. Returns "right", the
 * deviation, or "refused" if the error's message names the key at `path`.
 */
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

/**
 * Yields, for each changed key, its path, Transformers' result (numbers, or a word for none), and
 * the tensors that have other shapes.
 */
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
/** Configs that Transformers computes and this package refuses, by an error that names the key. */
const notRead = {
  // Architectures that are not supported: no positions, other positions, a narrower table.
  deberta_v2: deberta,
  deberta_v2_options: deberta,
  // Clusters beyond the vocabulary, tables narrower than one column, memory that does not exist.
  transfo_xl: ["absent div_val"],
  transfo_xl_div_val: ["absent div_val"],
  transfo_xl_embedding: ["absent div_val"],
  transfo_xl_one_softmax: ["absent cutoffs"],
  transfo_xl_options: ["absent same_length"],
  // Eighteen channels cannot be divided among sixteen heads.
  smollm3: ["absent num_attention_heads"],
  jina_embeddings_v3: ["absent num_attention_heads"],
  qwen2_moe: ["absent num_attention_heads"],
  qwen2_moe_dense: ["absent num_attention_heads"],
  // A factor that follows from two lengths.
  olmo3: ["null rope_parameters.full_attention.factor"],
  // Nulls that Qwen2's own class refuses; sections of another head.
  qwen2_vl_text: ["null max_window_layers", "null use_sliding_window"],
  qwen2_5_vl_text: ["null max_window_layers"],
  qwen3_vl_text: ["absent head_dim"],
  // A share of 256 channels that is odd.
  qwen3_next: ["absent head_dim"],
  qwen3_next_dense: ["absent head_dim"],
  qwen3_5_text: ["absent head_dim"],
  qwen3_5_text_biases: ["absent head_dim"],
  // Keys of a rotation that these layers lack.
  granitemoehybrid_nope: [
    "null rope_parameters.rope_theta",
    "null rope_parameters.rope_type",
    "null rope_theta",
  ],
  // Heads of 1 channel and a half, which Transformers rounds.
  gte: ["absent num_attention_heads"],
  gte_typeless: ["absent num_attention_heads"],
  marian_two_tables: ["absent share_encoder_decoder_embeddings"],
  // The class's default rotation, or a factor that YaRN computes from two lengths.
  ministral3: ["null rope_parameters", "null rope_parameters.factor", "null rope_scaling.factor"],
  // A factor that the class does not read.
  hunyuan_v1_dense: ["null rope_parameters.factor", "null rope_scaling.factor"],
  gpt_oss: ["null rope_parameters.factor", "null rope_scaling.factor"],
  ministral3_window: ["null rope_parameters"],
  // More buckets than distances.
  mt5: ["absent relative_attention_num_buckets", "absent tie_word_embeddings"],
  t5: ["absent relative_attention_num_buckets"],
  // Two different tables, which Transformers ties when it loads them.
  t5_own_head: [
    "absent relative_attention_num_buckets",
    "absent tie_word_embeddings",
    "null tie_word_embeddings",
  ],
};
// A quarter of 6 channels; and with the default period no layer of so few has attention.
const qwenNext = [tooFew, "linear_attn.in_proj"];
/** Configs that are refused by a message without the key: parts of the messages. */
const otherWords = {
  gpt_neox: tooFew,
  gpt_neox_serial: tooFew,
  // Layers have Mamba unless they are listed.
  granitemoehybrid: ["mamba.in_proj"],
  granitemoehybrid_nope: ["mamba.in_proj"],
  granitemoehybrid_mamba: ["mamba.in_proj"],
  granitemoehybrid_experts: ["mamba.in_proj"],
  bamba: ["mamba.in_proj"],
  qwen3_next: qwenNext,
  qwen3_next_dense: qwenNext,
  qwen3_5_text: qwenNext,
  qwen3_5_text_biases: qwenNext,
  // Without "uni" the model is an encoder, which opens but has no scores.
  xlnet_causal: "the model has no output head",
};

for (const [name, walk] of Object.entries(files)) {
  test(`${name}: a missing or null key has the meaning that it has in Transformers`, async () => {
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
          // Keys that no computation reads may be missing here.
          if (found === "read, refused elsewhere") {
            if ((await readAs(variant, text, path, base)) === "right") continue;
          }
          wrong.add(`${kind} ${path}: ${found}`);
        }
    const words = [otherWords[name] ?? []].flat();
    const left = [...wrong].filter(
      (line) => !words.some((word) => /: refused: (.*)/.exec(line)?.[1].includes(word)),
    );
    assert.deepEqual(left.sort(), (notRead[name] ?? []).map((line) => `${line}: refused`).sort());
  });
}
