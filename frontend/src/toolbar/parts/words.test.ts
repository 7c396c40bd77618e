import { expect, it } from "vitest";
import { whatFollows, whatStays } from "./words";

it("says what follows from a new name before the first deploy, and what stays after it", () => {
  expect(whatFollows("late-orders")).toBe(
    "The first deploy will name the job, its group and its topics `late-orders`. Later names change none of them.",
  );
  expect(whatStays("orders")).toContain("The application id stays `orders`");
});
