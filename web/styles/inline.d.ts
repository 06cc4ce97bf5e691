/** Style sheets that come when they are asked for. */
declare module "*.css";

/** Where the bundler puts a face. */
declare module "*.woff2?url" {
  const address: string;
  export default address;
}

/** Where the bundler puts a binary. */
declare module "*.wasm?url" {
  const address: string;
  export default address;
}

/** Style sheets as text, by way of the bundler. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
