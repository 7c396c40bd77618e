/** Requests about share links: those of editors, and those of a reader whose only right is the link's secret. */
import type { AnswerOf, Operation } from "./contract";
import { toRefusal } from "./refusal";
import { readAnswer, request } from "./request";
import type { components } from "./schema";

export type ShareLink = components["schemas"]["ShareLinkOut"];
export type Shared = components["schemas"]["SharedOut"];
export type SharedLive = components["schemas"]["SharedLive"];
export type SharedTopic = components["schemas"]["SharedTopicOut"];

export const listShareLinks = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/share-links", { path: { topology_id: topology } });
export const createShareLink = (topology: number, hours: number, showsRecords: boolean) =>
  request("post", "/api/topologies/{topology_id}/share-links", {
    path: { topology_id: topology },
    body: { hours, shows_records: showsRecords },
  });
export const revokeShareLink = (topology: number, link: number) =>
  request("delete", "/api/topologies/{topology_id}/share-links/{share_link_id}", {
    path: { topology_id: topology, share_link_id: link },
  });

type SharedPath = "/api/shared" | "/api/shared/live" | "/api/shared/records";

/** Asks with the secret of a link, without the session of whoever reads it. */
export async function readShared<P extends SharedPath>(
  path: P,
  secret: string,
): Promise<AnswerOf<Operation<"get", P>>> {
  const headers = { Accept: "application/json", Authorization: `Bearer ${secret}` };
  const response = await fetch(path, { headers, credentials: "omit", cache: "no-store" }).catch((error: unknown) => {
    throw toRefusal(error);
  });
  return (await readAnswer(response)) as AnswerOf<Operation<"get", P>>;
}
