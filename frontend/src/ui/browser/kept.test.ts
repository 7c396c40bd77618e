import { beforeEach, expect, it, vi } from "vitest";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
  vi.stubGlobal("document", { cookie: "" });
});

/** The page as a user opens it, on the same browser. */
async function openAs(user: string) {
  vi.resetModules();
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ user, projects: [], why_not: {} })));
  await (await import("../../api/rights")).fetchRights();
  return import("./kept");
}

it("keeps a text for the user who wrote it, and not for the next one", async () => {
  const ada = await openAs("ada");
  ada.keep("draft", 7, "of ada");

  const bob = await openAs("bob");
  expect(bob.readKept("draft", 7)).toBeNull();
  bob.keep("draft", 7, "of bob");
  bob.keep("draft", 7, null);

  const again = await openAs("ada");
  expect(again.readKept("draft", 7)).toBe("of ada");
  expect([again.readKept("draft", 8), again.readKept("trial", 7)]).toEqual([null, null]);
});

it("gives a text of version 0.1.0, which named no user, to the next who opens the topology, once", async () => {
  stored.set("streamwright:draft:7", "of nobody");

  expect((await openAs("ada")).readKept("draft", 7)).toBe("of nobody");
  expect((await openAs("bob")).readKept("draft", 7)).toBeNull();
});
