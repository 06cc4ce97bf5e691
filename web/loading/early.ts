/** The bar and the figure of the first screen, which load with the page. */
import "../controls/bar.js";
import "../figures/word-swap/element.js";

export { fetchFiguresNear } from "./later.js";
