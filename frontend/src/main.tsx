import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./style/tokens.css";
import "./style/ground.css";
import "./style/table.css";
import "./style/families.css";
import { App } from "./app/App";
import { applyTheme } from "./parts/browser/theme";
import { watchHands } from "./live/hands";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id `root`.");
applyTheme();
watchHands();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
