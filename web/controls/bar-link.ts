/** The links that the build writes into the bar (scripts/build/contents.mjs). */

export interface BarLink {
  name: string;
  /** Absolute address, and the id in it. */
  href: string;
  id: string;
  /** Part of the site that it leads to. */
  part: string | undefined;
  /** Number of the essay's section that it leads to. */
  section: string | undefined;
  isThisPage: boolean;
}

const plainPath = (path: string) => path.replace(/index\.html$/, "");

/** Returns the links of the bar in a language, given by its tag. */
export const linksIn = (bar: Element, language: string): BarLink[] =>
  [...bar.querySelectorAll<HTMLAnchorElement>(`nav[lang="${language}"] a`)].map(
    ({ textContent, href, hash, pathname, dataset }) => ({
      name: textContent,
      href,
      id: hash.slice(1),
      part: dataset["part"],
      section: dataset["section"],
      isThisPage: plainPath(pathname) === plainPath(location.pathname),
    }),
  );
