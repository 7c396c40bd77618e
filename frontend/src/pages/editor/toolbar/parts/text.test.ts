import { expect, it } from "vitest";
import { describeProblems, explainName, explainRename } from "./text";

it("says what follows from a new name before the first deploy, and what stays after it", () => {
  expect(explainName("late-orders")).toBe(
    "The first deploy will name the job, its group and its topics `late-orders`. Later names change none of them.",
  );
  expect(explainRename("orders")).toContain("The application id stays `orders`");
});

it("counts problems, and calls a drawing with loose ends unfinished", () => {
  const [loose, wrong] = [{ code: "node.unused" }, { code: "field.invalid" }] as const;

  expect(describeProblems([wrong, loose])).toBe("Fix 1 problem before deploying.");
  expect(describeProblems([loose, { code: "graph.no_sink" }])).toBe("Finish the drawing before deploying.");
});
