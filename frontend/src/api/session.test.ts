import { expect, it, vi } from "vitest";
import { signOut } from "./session";

const assign = vi.fn();

function answer(send: () => Promise<Partial<Response>>) {
  assign.mockClear();
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("window", { location: { assign } });
  vi.stubGlobal("fetch", send);
}

it("leaves for the sign-in page where the server sends it", async () => {
  answer(() => Promise.resolve({ type: "opaqueredirect", ok: false, status: 0 }));

  await signOut();

  expect(assign).toHaveBeenCalledWith("/login");
});

it.each([
  ["is away", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["refuses", () => Promise.resolve({ type: "basic", ok: false, status: 403 } as const)],
])("stays and says so if the server %s", async (_, send) => {
  answer(send);

  await expect(signOut()).rejects.toThrow();

  expect(assign).not.toHaveBeenCalled();
});
