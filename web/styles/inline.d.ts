/** Style sheets that are loaded on demand. */
declare module "*.css";

/** Address of a font after bundling. */
declare module "*.woff2?url" {
  const address: string;
  export default address;
}

/** Address of a binary after bundling. */
declare module "*.wasm?url" {
  const address: string;
  export default address;
}

/** Style sheets as text, from the bundler. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Imports all files that match, by path; from the bundler. */
  glob(
    pattern: string | string[],
    options?: { eager: true },
  ): Record<string, () => Promise<unknown>>;
}
