// The page's own modules for tests that need no browser: Vite compiles the TypeScript on the way.
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Opens the page's sources; `load("/drawing/colour.ts")` gives a module, `close()` ends it. */
export async function openSources() {
  const server = await createServer({
    root: `${root}web`,
    configFile: false,
    logLevel: "error",
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    appType: "custom",
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  return {
    load: (path) => server.ssrLoadModule(path),
    close: () => server.close(),
  };
}
