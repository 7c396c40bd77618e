import { expect, it } from "vitest";
import { Refusal } from "../../api/refusal";
import { withControl } from "../../parts/browser/keys";
import { savedTitle, savedWord } from "./savingWords";

it("says whether the server has the graph, and why not", () => {
  const refusal = new Refusal(0, "unreachable", "The server cannot be reached.", "Check it.");

  expect(savedWord({ word: "saved" })).toBe("Saved");
  expect(savedWord({ word: "saving" })).toBe("Saving …");
  expect(savedWord({ word: "failed", refusal })).toBe("Not saved: The server cannot be reached.");
  expect(savedTitle({ word: "failed", refusal })).toContain("kept in this browser");
});

it("names keys as the platform does", () => {
  expect(withControl("Z", true, false)).toBe("Ctrl+Shift+Z");
  expect(withControl("Z", true, true)).toBe("⇧⌘Z");
});
