// TensorFlow.js ships its gradients as modules that neither Node nor browsers can import unchanged,
// so they are bundled here. They register in a table that all copies of the library share.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

export const gradientsFile = `${folder}build/tfjs-gradients.mjs`;

/** Bundles the gradients, once. */
export async function bundleGradients() {
  if (existsSync(gradientsFile)) return;
  const { build } = await import("rolldown");
  await build({
    input: `${folder}node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js`,
    platform: "browser",
    output: { file: gradientsFile, format: "esm", minify: true },
    logLevel: "silent",
  });
}
