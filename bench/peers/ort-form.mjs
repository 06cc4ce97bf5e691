// One model in ONNX Runtime Web.

import { onnxModel } from "./onnx-model.mjs";

/** Returns a contender: a model with these inputs, whose only output is `y`. */
export async function ortForm(ort, name, model, inputs, read = (data) => data) {
  const session = await ort.InferenceSession.create(onnxModel({ ...model, inputs }), {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
  });
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([key, { type = "float32", data, shape }]) => [
      key,
      new ort.Tensor(type, data, shape),
    ]),
  );
  return {
    name,
    isAsync: true,
    run: async () => (await session.run(feeds)).y.data,
    read,
    dispose: () => session.release(),
  };
}
