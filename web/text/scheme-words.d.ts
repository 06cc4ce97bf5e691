/** Words of the schemes in one language, made by scripts/build/scheme-words.mjs. */
declare module "virtual:scheme-words-*" {
  const words: Record<
    string,
    {
      title: string;
      summary: string;
      /** MathML: one element for each line. */
      formula: string;
      symbols: string;
      /** Help by option key. */
      options: Record<string, string>;
    }
  >;
  export default words;
}
