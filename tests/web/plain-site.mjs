// A server without a policy and special headers, like most servers.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Serves a folder from the root of a separate origin: `{ address, close }`. */
export async function servePlainly(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = normalize(join(folder, decodeURIComponent(pathname)));
    const isFile =
      file.startsWith(folder + sep) && statSync(file, { throwIfNoEntry: false })?.isFile();
    if (!isFile) return response.writeHead(404).end();
    const type = types[extname(file)] ?? "application/octet-stream";
    createReadStream(file).pipe(response.writeHead(200, { "content-type": type }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
