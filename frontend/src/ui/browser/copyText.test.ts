import { afterEach, expect, it, vi } from "vitest";
import { copyText } from "./copyText";

afterEach(() => vi.unstubAllGlobals());

it("copies a text", async () => {
  const texts: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: (text: string) => Promise.resolve(texts.push(text)) } });

  expect(await copyText("a")).toBe(true);
  expect(texts).toEqual(["a"]);
});

it("says where a page has no clipboard, or the user refuses it", async () => {
  vi.stubGlobal("navigator", {});
  expect(await copyText("a")).toBe(false);

  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("NotAllowedError")) } });
  expect(await copyText("a")).toBe(false);
});
