/**
 * A newer release that has come while an older one was read waits until no page is open. Who loads
 * the only page again is to have it too, so a page that has just begun gives way.
 */
export async function takeNewerRelease(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage({ type: "SKIP_WAITING" });
}
