/** Returns the path from this page to the site's root, which pages below it state. */
export const siteRoot = (): string => document.documentElement.dataset["wfSite"] ?? "";
