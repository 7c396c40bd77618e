import { expect, it } from "vitest";
import { readCookie } from "./cookie";

it("finds a cookie among others, by its whole name", () => {
  expect(readCookie("csrftoken", "xcsrftoken=no; csrftoken=a%3Db=c; theme=dark")).toBe("a=b=c");
});

it("is empty when there is none", () => {
  expect(readCookie("csrftoken", "")).toBe("");
});
