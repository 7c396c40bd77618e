import { describe, expect, it } from "vitest";
import type { Job } from "./types";
import { fill, makeAddress, readAnswer, request } from "./request";

it("puts parameters in their places, so that no name reaches another path", () => {
  const topic = makeAddress("/api/clusters/{name}/topics/{topic}", { path: { name: "local", topic: "a/b c" } });

  expect(topic).toBe("/api/clusters/local/topics/a%2Fb%20c");
});

it("leaves out of a query what is not asked for", () => {
  expect(fill("/api/audit", { query: { by: "ada", before: null, since: undefined, what: "a&b" } })).toBe(
    "/api/audit?by=ada&what=a%26b",
  );
  expect(fill("/api/audit", { query: { before: null } })).toBe("/api/audit");
});

it("knows an answer without a body from one that cannot be read", async () => {
  await expect(readAnswer(new Response(null, { status: 204 }))).resolves.toBeNull();
  await expect(readAnswer(new Response("[1]"))).resolves.toEqual([1]);
  await expect(readAnswer(new Response("<html>Sign in</html>"))).rejects.toMatchObject({
    code: "unexpected",
    status: 0,
  });
  await expect(readAnswer(new Response("<html>Bad gateway</html>", { status: 502 }))).rejects.toMatchObject({
    code: "unexpected",
    status: 502,
  });
});

it("does not take an answer whose connection broke for an empty one", async () => {
  const cut = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("network error")),
  });

  await expect(readAnswer(new Response(cut))).rejects.toMatchObject({ code: "unreachable", status: 0 });
});

/** Each of these is refused by `tsc`; one that is not is an error of its own there. None is called. */
describe("what the API does not know", () => {
  const asks = [
    // @ts-expect-error -- no such path
    () => request("get", "/api/operator"),
    // @ts-expect-error -- the path has no such method
    () => request("post", "/api/operators"),
    // @ts-expect-error -- its parameter is missing
    () => request("get", "/api/jobs/{job_id}"),
    // @ts-expect-error -- its parameter is a number
    () => request("get", "/api/jobs/{job_id}", { path: { job_id: "seven" } }),
    // @ts-expect-error -- no such parameter
    () => request("get", "/api/alerts", { query: { has_begun: true } }),
    // @ts-expect-error -- no such member of the body
    () => request("post", "/api/groups", { body: { title: "pilots" } }),
    // @ts-expect-error -- it takes no body
    () => request("get", "/api/jobs", { body: {} }),
    // @ts-expect-error -- it answers a list of jobs
    async (): Promise<readonly string[]> => await request("get", "/api/jobs"),
    // @ts-expect-error -- it answers nothing
    async (): Promise<Job> => await request("delete", "/api/jobs/{job_id}", { path: { job_id: 7 } }),
  ];

  it("is not called", () => expect(asks).toHaveLength(9));
});
