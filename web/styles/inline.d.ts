/** Style sheets that come when they are asked for. */
declare module "*.css";

/** Style sheets as text, by way of the bundler. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
