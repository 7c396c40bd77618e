import { describe, expect, it } from "vitest";
import { applyMessage, chooseColour, forgetSilent, listNames, NO_PEERS, type Peers } from "./peers";

const ADA = { type: "peer", page: "p1", name: "ada", x: 10, y: 20, selection: ["orders"] } as const;

function hear(peers: Peers, page: string, name: string, now = 0): Peers {
  return applyMessage(peers, { ...ADA, selection: [...ADA.selection], page, name }, now);
}

describe("peers", () => {
  it("are where they said last", () => {
    const peers = applyMessage(hear(NO_PEERS, "p1", "ada"), { ...ADA, selection: [], x: null, y: null }, 5);

    expect(peers.get("p1")).toEqual({ page: "p1", name: "ada", pointer: null, selection: [], heardAt: 5 });
  });

  it("leave with a word, or after 30 s of silence", () => {
    const peers = hear(hear(NO_PEERS, "p1", "ada", 0), "p2", "ben", 20_000);

    expect([...applyMessage(peers, { type: "peer_left", page: "p1" }, 0).keys()]).toEqual(["p2"]);
    expect([...forgetSilent(peers, 30_001).keys()]).toEqual(["p2"]);
    expect(forgetSilent(peers, 30_000)).toBe(peers);
  });

  it("are named once, even with two tabs, and keep their colour", () => {
    const peers = hear(hear(hear(NO_PEERS, "p1", "zoe"), "p2", "ada"), "p3", "ada");

    expect(listNames(peers)).toEqual([
      { name: "ada", page: "p2" },
      { name: "zoe", page: "p1" },
    ]);
    expect([chooseColour("00000007"), chooseColour("00000008")]).toEqual(["orange", "green"]);
  });
});
