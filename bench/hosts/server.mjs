// Serves the checkout to the bench's page, which is cross-origin isolated: other pages have no
// threads and only coarse clocks.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { root } from "../../scripts/setup/ensure.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
};
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};
const served = /^\/(?:dist|bench)\//;

/** Starts the server; `close()` stops it. */
export async function serveBench() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://page").pathname));
    try {
      if (!served.test(path)) throw new Error("not of the bench");
      const bytes = await readFile(join(root, path));
      const type = types[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { ...headers, "Content-Type": type }).end(bytes);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://localhost:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
