// Runs the code that a figure shows, in a process of its own.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL("../../build/figure-code/", import.meta.url));

/**
 * Returns the lines that the code prints, as in a page beside the folder of models, after
 * `changed(code)` if given.
 */
export async function runCodeOf(page, tag, { changed = (code) => code } = {}) {
  mkdirSync(folder, { recursive: true });
  const figure = page.locator(tag);
  const button = figure.locator("wf-takeaway button.code");
  // Not with the pointer: in the essay the button is in closed details.
  const click = () => button.evaluate((node) => node.click());
  await click();
  const code = await figure.locator("wf-takeaway code").textContent();
  await click();
  const file = `${folder}${tag}.mjs`;
  const location = { href: new URL("/", page.url()).href };
  writeFileSync(file, `globalThis.location = ${JSON.stringify(location)};\n${changed(code)}`);
  // The server of the page runs in this process: it must not be kept waiting.
  const { stdout } = await promisify(execFile)(process.execPath, [file], { maxBuffer: 1 << 24 });
  return stdout.trim().split("\n");
}
