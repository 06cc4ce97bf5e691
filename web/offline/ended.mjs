// A service worker that, published as service-worker.js, unregisters an earlier one and deletes its
// caches: for a host without the offline article. The development server serves it.
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
