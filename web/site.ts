/**
 * The pages of the site in both languages: the essay and the tools. The bar's links, which the
 * build writes into each page, say what is on which (scripts/build/contents.mjs).
 */
import { changeAsked } from "./page-state.js";
import { page } from "./state.js";

const linksOfBar = () => [...document.querySelectorAll<HTMLAnchorElement>("wf-bar a")];

const isHere = (id: string): boolean => document.getElementById(id) !== null;

/** Returns the link to the page that has the place with that id. */
const linkTo = (id: string): HTMLAnchorElement | undefined =>
  linksOfBar().find(
    ({ dataset, hash }) =>
      dataset["has"]?.split(" ").includes(id) || (dataset["section"] && hash === `#${id}`),
  );

/** Returns the id to which an address leads: `#angle`, or `at` of a state. */
function idIn(hash: string): string {
  const written = new URLSearchParams(hash.slice(1));
  return written.has("v") ? (written.get("at") ?? "") : decodeURIComponent(hash.slice(1));
}

/**
 * Goes to the page that has what the address asks for, if this page does not: what stood in the
 * article before the tools had pages. Returns whether it does.
 */
export function leaveForTarget(): boolean {
  const id = idIn(location.hash);
  const link = id && !isHere(id) ? linkTo(id) : undefined;
  if (!link) return false;
  const address = new URL(link.href);
  const isState = location.hash.startsWith("#v=");
  address.hash = isState ? location.hash : id;
  location.replace(address);
  return true;
}

/**
 * Gives a link to another page the reader's choices; a link to a place of this page sets the state
 * that its `data-shows` gives, for the figure there. `path` is that of the event.
 */
export function followLink(path: EventTarget[]): void {
  const isLink = (node: EventTarget) => node instanceof HTMLAnchorElement;
  const link = path.find(isLink) as HTMLAnchorElement | undefined;
  if (!link) return;
  const change = changeAsked(link.dataset["shows"] ?? "");
  const id = idIn(link.hash);
  const isOnThisPage = link.pathname === location.pathname && link.origin === location.origin;
  if (isOnThisPage && (!id || isHere(id))) {
    if (link.dataset["shows"]) page.set(change);
    return;
  }
  const target = isOnThisPage ? linkTo(id)?.href : link.href;
  const isPage = linksOfBar().some(({ pathname }) => pathname === link.pathname);
  if (target && (isOnThisPage || isPage)) link.href = page.addressOf(target, id, change);
}
