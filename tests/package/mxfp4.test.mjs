// Experts in MXFP4, as OpenAI's files of gpt-oss have them, against Transformers
// (tests/golden/make_mxfp4.py).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { near, rejected, wf } from "./golden.mjs";
import { joined, tensorOf } from "./safetensors.mjs";

const path = new URL("../golden/packed/mxfp4.json", import.meta.url);
const { config, tensors, ids, logits, floats } = JSON.parse(readFileSync(path, "utf8"));
const blocksOf = (name) => `${name}_blocks`;

const stored = Object.fromEntries(
  Object.entries(tensors).map(([name, { data, ...rest }]) => [
    name,
    { ...rest, bytes: Buffer.from(data, "base64") },
  ]),
);
const only = (keep) => joined(Object.fromEntries(Object.entries(stored).filter(keep)));
const opened = (weights = joined(stored), options = {}) => wf.model({ config, weights }, options);

describe("experts in MXFP4", () => {
  test("the model gives the numbers that Transformers does", async () => {
    const model = await opened();
    near(model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits.data, logits.data, 1e-4);
  });

  test("every number is the one that Transformers reads, exactly", async () => {
    const [experts, width, rows] = floats.shape;
    const model = await opened();
    const bytes = model.save();
    const layer = floats.name.replace("gate_up_proj", "");
    for (const [part, name] of ["gate_proj", "up_proj"].entries()) {
      const { data } = tensorOf(bytes, `${layer}${name}.weight`);
      assert.equal(data.length, (experts * width * rows) / 2);
      data.forEach((value, i) => {
        const [row, column] = [Math.floor(i / width), i % width];
        const [expert, at] = [Math.floor(row / (rows / 2)), 2 * (row % (rows / 2)) + part];
        assert.equal(value, floats.data[(expert * width + column) * rows + at]);
      });
    }
  });

  test("blocks and scales may be in different files", async () => {
    const isScale = ([name]) => name.endsWith("_scales");
    const files = [only((one) => !isScale(one)), only(isScale)].map(
      (bytes, i) => new File([bytes], `model-0000${i + 1}-of-00002.safetensors`),
    );
    const text = JSON.stringify(config);
    const model = await wf.model([...files, new File([text], "config.json")]);
    near(model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits.data, logits.data, 1e-4);
  });

  test("missing scales, other shapes and other types are refused by name", async () => {
    const name = floats.name;
    const scales = `${name}_scales`;
    const missing = only(([one]) => one !== scales);
    await rejected(opened(missing), "malformed_file", new RegExp(`^tensor ${scales}: missing`));
    const changed = (of, change) =>
      opened(joined({ ...stored, [of]: { ...stored[of], ...change } }));
    const [experts, rows] = stored[scales].shape;
    await rejected(
      changed(scales, { shape: [rows, experts, 1] }),
      "malformed_file",
      new RegExp(`^tensor ${blocksOf(name)}: shape .* \\(expected \\[${rows},${experts},1, 16\\]`),
    );
    await rejected(changed(scales, { dtype: "I8" }), "unsupported", /dtype I8 \(expected U8/);
  });

  test("other ways to quantise are refused, and so are other families", async () => {
    const quantised = (quant_method, more) => ({
      weights: joined(stored),
      config: { ...config, quantization_config: { quant_method }, ...more },
    });
    await rejected(wf.model(quantised("gptq")), "unsupported", /or quant_method "mxfp4"\)$/);
    const llama = quantised("mxfp4", { model_type: "llama" });
    await rejected(wf.model(llama), "unsupported", /^config\.quantization_config/);
  });
});
