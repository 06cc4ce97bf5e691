// The few WebDriver commands that the WebKit test needs; no library drives Debian's WebKit.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function findMiniBrowser() {
  for (const triplet of readdirSync("/usr/lib")) {
    if (!triplet.endsWith("-linux-gnu")) continue;
    const folder = `/usr/lib/${triplet}`;
    const found = readdirSync(folder).find((name) => /^webkit2gtk-4\.1$/.test(name));
    if (found) return `${folder}/${found}/MiniBrowser`;
  }
  throw new Error("WebKit's MiniBrowser is not installed");
}

/** A WebKit under a virtual display: `open(address)`, `evaluate(script)`, `close()`. */
export async function openWebKit() {
  const port = await freePort();
  const driver = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], {
    stdio: "ignore",
    detached: true,
    env: {
      ...process.env,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", // its sandbox refuses to run as root
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    },
  });
  const stop = () => process.kill(-driver.pid, "SIGTERM");
  const command = async (method, path, body) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = await reply.json();
    if (!reply.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const options = { binary: findMiniBrowser(), args: ["--automation"] };
  const alwaysMatch = { "webkitgtk:browserOptions": options };
  for (let tries = 0; ; tries += 1) {
    try {
      const { sessionId } = await command("POST", "/session", { capabilities: { alwaysMatch } });
      const session = `/session/${sessionId}`;
      return {
        open: (url) => command("POST", `${session}/url`, { url }),
        evaluate: (script) => command("POST", `${session}/execute/sync`, { script, args: [] }),
        close: () => command("DELETE", session).finally(stop),
      };
    } catch (error) {
      if (error.cause?.code !== "ECONNREFUSED" || tries > 100) {
        stop();
        throw error;
      }
      await sleep(100);
    }
  }
}
