import { expect, it } from "vitest";
import { Refusal } from "../../../../api/refusal";
import { withControl } from "../../../../ui/browser/keys";
import { describeSaving, explainSaving } from "./savingText";

it("says whether the server has the graph, and why not", () => {
  const refusal = new Refusal(0, "unreachable", "The server cannot be reached.", "Check it.");

  expect(describeSaving({ word: "saved" })).toBe("Saved");
  expect(describeSaving({ word: "saving" })).toBe("Saving …");
  expect(describeSaving({ word: "failed", refusal })).toBe("Not saved: The server cannot be reached.");
  expect(explainSaving({ word: "failed", refusal })).toContain("kept in this browser");
});

it("names keys as the platform does", () => {
  expect(withControl("Z", true, false)).toBe("Ctrl+Shift+Z");
  expect(withControl("Z", true, true)).toBe("⇧⌘Z");
});
