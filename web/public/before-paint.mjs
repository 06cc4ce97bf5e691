// Sets language and theme before the first paint. Modules, such as state.ts, run after it, and
// readers would see the languages change. Reads the values that state.ts reads: the address, the
// browser's storage, the browser's language.
(() => {
  const written = new URLSearchParams(location.hash.slice(1));
  const isOurs = written.get("v") === "1";
  const known = (choices, ...found) => found.find((one) => choices.includes(one));
  const remembered = (key) => {
    try {
      return localStorage.getItem(`whereformer.${key}`);
    } catch {
      return null;
    }
  };
  const tags = { en: "en", zh: "zh-Hans" };
  const preferred = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  const inAddress = (key) => (isOurs ? written.get(key) : null);
  const language = known(Object.keys(tags), inAddress("l"), remembered("language"), preferred);
  const theme = known(["light", "dark"], inAddress("t"), remembered("theme"));
  // The essay and the tools have both languages; a scheme's own page has the one of its `lang`.
  const isArticle = !document.documentElement.dataset.page;
  if (isArticle) document.documentElement.lang = tags[language];
  if (theme) document.documentElement.dataset.theme = theme;
  // The first screens are laid out first (loading/opening.ts), unless the address leads elsewhere.
  const leadsElsewhere = isOurs ? written.has("at") : location.hash.length > 1;
  const [visit] = performance.getEntriesByType("navigation");
  if (isArticle && !leadsElsewhere && visit?.type === "navigate")
    document.documentElement.dataset.opening = "";
})();
