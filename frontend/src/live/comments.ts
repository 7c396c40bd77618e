/** The comments on the nodes of the open topology. The websocket of its users says when there are new ones. */
import { create } from "zustand";
import { listComments, type Comment } from "../api/comments";
import { AnswerOrder } from "../api/answerOrder";

export const useComments = create<{ readonly comments: readonly Comment[] }>()(() => ({ comments: [] }));

const order = new AnswerOrder();

/** Asks for the comments. Without an answer the last ones stay. */
export async function loadComments(topology: number): Promise<void> {
  const isNewer = order.begin();
  const comments = await listComments(topology).catch(() => null);
  if (comments !== null && isNewer()) useComments.setState({ comments });
}

/** The topology is left: an answer about it may still be on the way. */
export function forgetComments(): void {
  order.forget();
  useComments.setState({ comments: [] });
}

/** The number of open comments on a node. */
export function countOpen(comments: readonly Comment[], node: string): number {
  return comments.filter((comment) => comment.node === node && comment.resolved_at === null).length;
}
