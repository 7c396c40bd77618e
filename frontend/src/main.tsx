import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/style/tokens.css";
import "./ui/style/ground.css";
import "./ui/style/table.css";
import "./ui/style/across.css";
import "./ui/style/page.css";
import "./ui/style/kinds.css";
import { App } from "./pages/app/App";
import { applyTheme } from "./ui/browser/theme";
import { keepNumbersFromWheel } from "./ui/browser/wheel";
import { watchUserActivity } from "./live/userActivity";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id `root`.");
applyTheme();
watchUserActivity();
keepNumbersFromWheel();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
