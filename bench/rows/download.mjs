// Bytes that a visitor downloads, each file compressed by brotli. Measured in Node, which can read
// the files.

/**
 * Returns the entry and all modules that it imports; of the glue modules only that of this variant.
 * Files that are loaded on demand are left out, such as `families.js`, which the first
 * `config.json` needs.
 */
function modulesOf(entry, variant, read, found = new Set()) {
  if (found.has(entry.href)) return found;
  found.add(entry.href);
  for (const [, name] of read(entry, "utf8").matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g)) {
    const isGlue = /^\.\/\w+\.mjs$/.test(name);
    if (!isGlue || name.includes(variant)) modulesOf(new URL(name, entry), variant, read, found);
  }
  return found;
}

/** Returns the kilobytes of the whole engine, or with `binary` of its WebAssembly alone. */
export async function download({ variant, binary = false }) {
  const { readFileSync } = await import("node:fs");
  const { brotliCompressSync } = await import("node:zlib");
  const dist = new URL("../../dist/", import.meta.url);
  const size = (address) => brotliCompressSync(readFileSync(address)).length / 1000;
  const wasm = size(new URL(`${variant}.wasm`, dist));
  const scripts = [...modulesOf(new URL("index.js", dist), variant, readFileSync)];
  const script = scripts.reduce((sum, name) => sum + size(new URL(name)), 0);
  return { result: { figure: binary ? wasm : wasm + script, times: {}, rounds: [] } };
}
