// Writes the decoder block of the bench with its weights as ONNX:
//
//   node bench/export-block.mjs FILE.onnx
//
// The bench gives ONNX Runtime the same bytes. The input is `ids` [1,T], the output `y` [1,T,E],
// the hidden states after the last norm.

import { writeFileSync } from "node:fs";
import { load } from "../dist/index.js";
import { runMain, unexpected } from "../scripts/setup/process.mjs";
import { say } from "../scripts/setup/progress.mjs";
import { onnxModel } from "./peers/onnx-model.mjs";
import { blockGraph } from "./peers/ort-block.mjs";
import { blockInputs } from "./rows/block.mjs";
import { readTable } from "./table.mjs";

await runMain(async () => {
  const file = process.argv[2];
  if (!file) throw unexpected("FILE", "none", "node bench/export-block.mjs FILE.onnx");
  const { parameters } = readTable().rows.find(({ kind }) => kind === "block");
  const inputs = await blockInputs(parameters, { ours: { engine: await load() } });
  const ids = { type: "int64", shape: [1, parameters.tokens] };
  const bytes = onnxModel({ ...blockGraph(inputs, parameters), inputs: { ids } });
  writeFileSync(file, bytes);
  say(`${file}: ${bytes.length} bytes`);
});
