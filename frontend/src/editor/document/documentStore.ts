/** The document of one topology: its content, history, issues and saving. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { CheckResult } from "../../api/checkResult";
import type { Draft, Issue } from "../../api/types";
import type { Refusal } from "../../api/refusal";
import { areSame } from "./areSame";
import { makeContentKey } from "./contentKey";
import { makeEdgeKey, type Document, type Edit } from "./document";
import { addEdit, redo, rebase, startHistory, undo, type History } from "./history";

export type Saving =
  | { readonly word: "saved" | "unsaved" | "saving" }
  | { readonly word: "failed"; readonly refusal: Refusal }
  | { readonly word: "conflict"; readonly conflict: Conflict };

/** Another user saved first: the common base (null if too old), and their version with its revision. */
export interface Conflict {
  readonly message: string;
  readonly revision: number;
  readonly base: Document["graph"] | null;
  readonly theirs: Document["graph"];
}

export interface DocumentValues {
  readonly topology: number;
  readonly document: Document;
  readonly history: History<Document>;
  readonly saving: Saving;
  /** The revision that the document is based on. */
  readonly revision: number;
  /** The newest answer of the checks, which may be a few keystrokes old. Null before the first. */
  readonly checkResult: CheckResult | null;
  /** The content key of the document that was checked. */
  readonly checkedKey: string | null;
  /** The cluster's issues with the topics (missing ones, colliding names, unlikely times) and its hints. */
  readonly topicIssues: readonly Issue[];
  /** The node whose topic the user types now. A name that is not there yet may be the beginning of one that is. */
  readonly typing: string | null;
  /** All issues of the checks and the cluster. Null before the first check. */
  readonly issues: readonly Issue[] | null;
  /** What is allowed but seldom meant. It does not prevent a deploy. */
  readonly hints: readonly Issue[];
  /** The keys of the edges where records go to the task of a new key. */
  readonly shuffles: ReadonlySet<string>;
  readonly issuesByNode: ReadonlyMap<string, readonly Issue[]>;
  /** The hints that the canvas marks. */
  readonly warningsByNode: ReadonlyMap<string, readonly Issue[]>;
  /** Why the user may not draw. An edit then does nothing. */
  readonly whyReadOnly: string | null;
}

/** Actions on the document. These functions never change. */
export interface DocumentActions {
  /** Steps with the same `burst` soon after each other are one step of undo. What changes nothing is no step. */
  readonly edit: (change: Edit, burst?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;

  /** `checked`: the document that the server checked. */
  readonly setCheckResult: (result: CheckResult, checked: Document) => void;
  readonly setTopicIssues: (issues: readonly Issue[]) => void;
  readonly setTyping: (node: string | null) => void;
  readonly setSaving: (saving: Saving, revision?: number) => void;
  /** Takes over the version that another user saved. Undo can revert it. */
  readonly adopt: (draft: Pick<Draft, "revision">, document: Document) => void;
  /** Takes over what another user saved, below the steps of this user: `change` brings it into each of them. */
  readonly rebase: (draft: Pick<Draft, "revision">, document: Document, change: Edit) => void;
}

export type DocumentState = DocumentValues & DocumentActions;
export type DocumentStore = StoreApi<DocumentState>;

export function createDocumentStore(
  topology: number,
  document: Document,
  revision: number,
  whyReadOnly: string | null = null,
): DocumentStore {
  return createStore<DocumentState>()((set, get) => {
    const become = (history: History<Document>) => {
      if (history.present === get().document) return;
      set({ history, document: history.present, saving: markEdit(get().saving) });
    };
    const gather = () => {
      const { checkResult, typing, issuesByNode, warningsByNode } = get();
      if (checkResult === null) return;
      const topicIssues = get().topicIssues.filter(({ code, node }) => code !== "topic.missing" || node !== typing);
      const issues = [...checkResult.issues, ...topicIssues.filter(isError)];
      const hints = [...checkResult.hints, ...topicIssues.filter((issue) => !isError(issue))];
      const warnings = hints.filter(({ level }) => level === "warning");
      set({
        issues,
        hints,
        issuesByNode: groupByNode(issues, issuesByNode),
        warningsByNode: groupByNode(warnings, warningsByNode),
      });
    };
    return {
      topology,
      document,
      revision,
      history: startHistory(document),
      saving: { word: "saved" },
      checkResult: null,
      checkedKey: null,
      topicIssues: [],
      typing: null,
      issues: null,
      hints: [],
      issuesByNode: new Map(),
      warningsByNode: new Map(),
      shuffles: new Set(),

      whyReadOnly,
      edit: (change, burst) => {
        if (whyReadOnly !== null) return;
        const { history, document: before } = get();
        const document = change(before);
        // such as a node dragged back to its place: a step for it would take away what can be redone
        if (!areSame(document, before)) become(addEdit(history, document, burst ?? null, Date.now()));
      },
      undo: () => become(undo(get().history)),
      redo: () => become(redo(get().history)),

      setCheckResult: (checkResult, checked) => {
        const shuffles = new Set(checkResult.shuffles.map(makeEdgeKey));
        set({ checkResult, checkedKey: makeContentKey(checked), shuffles });
        gather();
      },
      setTopicIssues: (topicIssues) => {
        set({ topicIssues });
        gather();
      },
      setTyping: (typing) => {
        if (typing === get().typing) return;
        set({ typing });
        gather();
      },
      setSaving: (saving, revision = get().revision) => set({ saving, revision }),
      adopt: (draft, document) => {
        const history = addEdit(get().history, document, null, Date.now());
        set({ history, document, revision: draft.revision });
      },
      rebase: (draft, document, change) => {
        const history = rebase(get().history, document, change);
        set({ history, document, revision: draft.revision });
      },
    };
  });
}

/** Only an error prevents a deploy. */
export function isError({ level }: Issue): boolean {
  return level === "error";
}

/** An edit does not change the state of a running save or a conflict. */
function markEdit(saving: Saving): Saving {
  return saving.word === "conflict" ? saving : { word: "unsaved" };
}

/** The issues of each node. A node with unchanged issues keeps its list, and is not redrawn. */
function groupByNode(
  issues: readonly Issue[],
  before: ReadonlyMap<string, readonly Issue[]>,
): ReadonlyMap<string, readonly Issue[]> {
  const byNode = new Map<string, Issue[]>();
  for (const issue of issues) {
    if (issue.node !== null) byNode.set(issue.node, [...(byNode.get(issue.node) ?? []), issue]);
  }
  const same = (id: string, list: readonly Issue[]) => JSON.stringify(before.get(id)) === JSON.stringify(list);
  return new Map([...byNode].map(([id, list]) => [id, same(id, list) ? (before.get(id) ?? list) : list]));
}
