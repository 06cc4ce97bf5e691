// `npm start`: from a fresh clone to the page. Needs Node's own modules only.

import { build } from "./build.mjs";
import { servePage } from "./serve.mjs";
import { ensure } from "./setup/ensure.mjs";
import { runMain } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";

await runMain(async () => {
  const started = Date.now();
  const toolchain = await ensure({ groups: ["build"] });
  await build(["wasm", "package", "web"], toolchain);
  say(`Ready after ${formatSeconds((Date.now() - started) / 1000)}.`);
  await servePage();
});
