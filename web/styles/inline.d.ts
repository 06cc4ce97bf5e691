/** Style sheets as text, by way of the bundler. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
