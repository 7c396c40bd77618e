import { expect, it } from "vitest";
import { cookie } from "./cookie";

it("finds a cookie among others, by its whole name", () => {
  expect(cookie("csrftoken", "xcsrftoken=no; csrftoken=a%3Db=c; theme=dark")).toBe("a=b=c");
});

it("is empty when there is none", () => {
  expect(cookie("csrftoken", "")).toBe("");
});
