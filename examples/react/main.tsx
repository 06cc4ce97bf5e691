import { createRoot } from "react-dom/client";
import { Bias } from "./bias";

createRoot(document.getElementById("app")!).render(<Bias />);
