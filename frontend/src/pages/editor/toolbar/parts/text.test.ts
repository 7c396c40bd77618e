import { expect, it } from "vitest";
import { explainName, explainRename } from "./text";

it("says what follows from a new name before the first deploy, and what stays after it", () => {
  expect(explainName("late-orders")).toBe(
    "The first deploy will name the job, its group and its topics `late-orders`. Later names change none of them.",
  );
  expect(explainRename("orders")).toContain("The application id stays `orders`");
});
