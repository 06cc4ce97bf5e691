/** The bar and the figures of the first screens, which come with the page. */
import "./controls/bar.js";
import "./figures/word-swap/element.js";
import "./figures/who-chases/element.js";

export { fetchFiguresNear } from "./later.js";
