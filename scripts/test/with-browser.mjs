// Runs a command with a browser that all its tests share, instead of one for each file:
//   node scripts/test/with-browser.mjs node --test tests/web/*.test.mjs

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";
import { launchOptions } from "../../tests/web/browser.mjs";

const server = await chromium.launchServer(launchOptions);
const [command, ...args] = process.argv.slice(2);
const env = { ...process.env, WF_BROWSER: server.wsEndpoint() };
const child = spawn(command, args, { stdio: "inherit", env });
child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
});
child.on("close", async (code) => {
  process.exitCode = code ?? 1;
  await server.close();
});
