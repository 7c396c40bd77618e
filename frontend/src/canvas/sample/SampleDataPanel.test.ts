import { expect, it } from "vitest";
import { describePlaying } from "./SampleDataPanel";

it("says until when the records are played, in 24 hours as elsewhere", () => {
  const afternoon = new Date(2026, 10, 28, 23, 5).toISOString();

  expect(describePlaying({ is_playing: true, plays_until: afternoon })).toBe("playing until 23:05");
});
