// The page's own modules outside a browser, for the build and for tests: Vite compiles the
// TypeScript on the way.

import { join } from "node:path";
import { createServer } from "vite";
import { root } from "../setup/ensure.mjs";

/**
 * Opens the page's sources; `load("/drawing/colour.ts")` gives a module, `close()` ends it. Modules
 * that the page's build makes up (`virtual:…`) need its plugins, other names its aliases.
 */
export async function openSources({ alias = [], plugins = [] } = {}) {
  const server = await createServer({
    root: join(root, "web"),
    configFile: false,
    logLevel: "error",
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    appType: "custom",
    plugins,
    resolve: { alias },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  return {
    load: (path) => server.ssrLoadModule(path),
    close: () => server.close(),
  };
}
