/** Defines every element when it is imported, in this page or in any other. */
import "./controls/bar.js";
import "./host-tokens.js";

import.meta.glob("./figures/**/element.ts", { eager: true });
