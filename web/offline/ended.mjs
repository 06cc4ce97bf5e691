// Published as service-worker.js it ends the one that readers have, and takes away what that has
// kept: for a host that wants the article without it. The development server answers so.
self.addEventListener("install", () => self.skipWaiting());

async function end() {
  const { scope } = self.registration;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.endsWith(scope)).map((name) => caches.delete(name)),
  );
  await self.registration.unregister();
  const windows = await self.clients.matchAll({ type: "window" });
  await Promise.all(windows.map((page) => page.navigate(page.url)));
}

self.addEventListener("activate", (event) => event.waitUntil(end()));
