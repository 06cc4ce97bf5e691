/**
 * Where the site begins, as its manifest's link says on every page of it. In development there is
 * none, and nothing is kept.
 */
export function siteAddress(path: string): URL | undefined {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  return manifest ? new URL(path, manifest.href) : undefined;
}
