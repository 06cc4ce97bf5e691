import HtmlPlugin from "html-webpack-plugin";

export default {
  mode: "production",
  entry: "./main.js",
  plugins: [new HtmlPlugin({ template: "index.html", scriptLoading: "module" })],
};
