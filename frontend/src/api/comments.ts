/** Requests about comments on nodes, and the mentions in them. */
import { request } from "./request";
import type { components } from "./schema";

export type Comment = components["schemas"]["CommentOut"];
export type Mention = components["schemas"]["MentionOut"];

export const listComments = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/comments", { path: { topology_id: topology } });
export const addComment = (topology: number, node: string, text: string) =>
  request("post", "/api/topologies/{topology_id}/comments", {
    path: { topology_id: topology },
    body: { node, text },
  });
export const resolveComment = (topology: number, comment: number, isResolved: boolean) =>
  request("patch", "/api/topologies/{topology_id}/comments/{comment_id}", {
    path: { topology_id: topology, comment_id: comment },
    body: { is_resolved: isResolved },
  });
export const listMentions = () => request("get", "/api/mentions");
export const noteMentionsSeen = (topology: number) =>
  request("post", "/api/topologies/{topology_id}/mentions/seen", { path: { topology_id: topology } });
/** The names of the users whom a comment can mention. */
export const listPeople = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/people", { path: { topology_id: topology } });
