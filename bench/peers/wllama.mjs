// llama.cpp in WebAssembly (wllama), through its public function that completes a text. It starts
// workers of a page, so it runs in browsers only.

const modules = "/bench/node_modules";

const versions = {
  2: {
    paths: (folder) => ({ "single-thread/wllama.wasm": `${folder}/single-thread/wllama.wasm` }),
    complete: (engine, prompt, count) =>
      engine.createCompletion(prompt, { nPredict: count, sampling: { temp: 0 }, useCache: false }),
  },
  3: {
    paths: (folder) => ({ default: `${folder}/wasm/wllama.wasm` }),
    complete: (engine, prompt, count) =>
      engine.createCompletion({
        prompt,
        max_tokens: count,
        temperature: 0,
        cache_prompt: false,
      }),
  },
};
export const wllamaVersions = Object.keys(versions);

/**
 * Returns a contender that reads `prompt` and writes `count` tokens with the model of a GGUF file.
 */
export async function wllamaForm(version, type, file, prompt, count) {
  const folder = `${modules}/wllama${version}/esm`;
  const { Wllama, LoggerWithoutDebug } = await import(`${folder}/index.min.js`);
  const { paths, complete } = versions[version];
  const silent = { ...LoggerWithoutDebug, log() {}, warn() {} };
  const engine = new Wllama(paths(folder), { suppressNativeLog: true, logger: silent });
  await engine.loadModel([new Blob([file])], {
    n_ctx: 1024,
    n_batch: 512,
    n_threads: 1,
    n_gpu_layers: 0,
  });
  return {
    name: `wllama ${version}, ${type}`,
    isAsync: true,
    run: () => complete(engine, prompt, count),
    dispose: () => engine.exit(),
  };
}
