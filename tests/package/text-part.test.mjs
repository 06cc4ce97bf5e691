// The text part of models that read pictures too: configs that nest it, and files that have the
// tensors of pictures beside its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile } from "./families.mjs";
import { near, rejected, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const ofPictures = { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] };
/** Names of a file's tensors: Transformers 5, its saved Gemma 3, and Qwen2-VL's first files. */
const forms = {
  5: [(name) => name.replace(/^(?:model\.)?(?!lm_head)/, "model.language_model."), "model.visual"],
  4: [(name) => `language_model.${name.replace(/^(?!model\.|lm_head)/, "model.")}`, "vision_tower"],
  first: [(name) => name.replace(/^(?!model\.|lm_head)/, "model."), "visual"],
};

function weightsOf(file, form) {
  const [named, pictures] = forms[form];
  const tensors = Object.entries(file.weights).map(([name, tensor]) => [named(name), tensor]);
  return safetensors({
    ...Object.fromEntries(tensors),
    [`${pictures}.patch_embed.weight`]: ofPictures,
  });
}

const outer = (type, text, more = {}) => ({
  model_type: type,
  architectures: ["ForConditionalGeneration"],
  text_config: text,
  vision_config: { hidden_size: 8 },
  image_token_id: 3,
  ...more,
});

async function isSame(file, config, form) {
  const model = await wf.model({ config, weights: weightsOf(file, form) });
  const record = file.output === "hidden" ? "hidden" : "vocabularyLogits";
  near(model.run(file.ids, { record: [record] })[record].data, file.result.data, 1e-4, form);
  assert.equal(model.family, config.model_type);
  model.dispose();
}

for (const [type, name, more] of [
  ["gemma3", "gemma3_text", { mm_tokens_per_image: 256, tie_word_embeddings: true }],
  ["mistral3", "mistral", { tie_word_embeddings: false, spatial_merge_size: 2 }],
  ["qwen2_vl", "qwen2_vl_text", { vision_start_token_id: 4, tie_word_embeddings: true }],
  ["qwen2_5_vl", "qwen2_5_vl_text", { vision_token_id: 4, tie_word_embeddings: true }],
  ["qwen3_vl", "qwen3_vl_text", { video_token_id: 5, tie_word_embeddings: true }],
  ["qwen3_5", "qwen3_5_text", { video_token_id: 5, tie_word_embeddings: true }],
  ["llama4", "llama4_text", { boi_token_index: 4, image_token_index: 3 }],
])
  test(`${type}: the text part opens, whatever the file calls its tensors`, async () => {
    const file = familyFile(name);
    for (const form of Object.keys(forms)) await isSame(file, outer(type, file.config, more), form);
    const { model_type: _, ...nameless } = file.config;
    await isSame(file, outer(type, nameless, more), "5");
  });

test("mistral3 with a text part of ministral3 opens", async () => {
  const file = familyFile("ministral3");
  const config = outer("mistral3", file.config, { tie_word_embeddings: false });
  for (const form of Object.keys(forms)) await isSame(file, config, form);
});

test("the first configs of Qwen2-VL have the keys of the text part at the top", async () => {
  const file = familyFile("qwen2_vl_text");
  const flat = {
    ...file.config,
    ...{ model_type: "qwen2_vl", vision_config: {}, vision_token_id: 4, image_token_id: 3 },
    rope_parameters: undefined,
    ...{ rope_theta: 500, rope_scaling: { type: "mrope", mrope_section: [1, 1, 1] } },
  };
  await isSame(file, flat, "first");
});

test("a tied head of the text part counts where the class forwards it", async () => {
  const file = familyFile("qwen2_vl_text");
  const text = { ...file.config, tie_word_embeddings: true };
  await isSame(file, outer("qwen2_vl", text), "5");
  const untied = wf.model({ config: outer("qwen3_vl", text), weights: weightsOf(file, "5") });
  await rejected(untied, "malformed_file", /^tensor lm_head\.weight/);
});

test("unknown keys beside the text part or in it, and other text parts, are refused", async () => {
  const { config, ...file } = familyFile("gemma3_text");
  const weights = weightsOf(file, "5");
  const open = (text, more) => wf.model({ config: outer("gemma3", text, more), weights });
  await rejected(
    open(config, { attention_temperature: 2 }),
    "unsupported",
    /^config\.attention_temperature: 2 \(expected no such key with model_type "gemma3"\)$/,
  );
  await rejected(
    open({ ...config, attention_temperature: 2 }),
    "unsupported",
    /^config\.attention_temperature: 2 .*"gemma3_text"\)$/,
  );
  const other = { ...config, model_type: "mistral4" };
  await rejected(open(other), "unsupported", /^config\.model_type: "mistral4"/);
});
