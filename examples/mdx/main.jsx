import { createRoot } from "react-dom/client";
import Page from "./page.mdx";

createRoot(document.getElementById("app")).render(<Page />);
