/** The view of the editor: selection, open panels, unsaved text. Undo and saving ignore it. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Differences, Graph } from "../../api/types";

export interface Selection {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

/** A selection with a number that changes with its nodes, but not with their names: a form keeps its text and focus. */
export interface NumberedSelection extends Selection {
  readonly number: number;
}

/** A version shown instead of the draft. With differences, `before` is the compared one. */
export interface VersionView {
  /** The number of a version, or `draft`. */
  readonly after: string;
  readonly graph: Graph;
  readonly before: string | null;
  readonly differences: Differences | null;
}

export type DrawerTab = "problems" | "trial" | "cases" | "proof" | "metrics" | "records" | "tables" | "letters" | "log";
/** The edited lines of a test case that are not saved yet, and their base revision. */
export interface WrittenCase {
  readonly records: string;
  readonly expected: string;
  readonly revision: number;
}
/** A question of the toolbar that is open. `check` looks for problems, and then asks to deploy. */
export type Asking =
  | "check"
  | "deploy"
  | "versions"
  | "acls"
  | "picture"
  | "share"
  | "move"
  | "stop"
  | "start"
  | "restart"
  | "delete job"
  | "delete topology";

/** The graph on the canvas: the draft, the deployed version, that of a kept batch, or another version. */
export type View = "draft" | "running" | "past" | "version";

interface Values {
  readonly selection: NumberedSelection;
  readonly view: View;
  /** The version in view, and the compared one. Null in the other views. */
  readonly versionView: VersionView | null;
  /** The nodes that were there at first, or that the user selected and left: only these have loud problems. */
  readonly leftIds: ReadonlySet<string>;
  readonly drawer: DrawerTab | null;
  readonly asking: Asking | null;
  /** The user's own records for the Trial tab, one a line. Null: the newest of the topics. */
  readonly ownRecords: string | null;
  /** Edits of test cases, by id. They wait here while another tab is open. */
  readonly writtenCases: ReadonlyMap<number, WrittenCase>;
  /** Comments that are not sent yet, by node. They wait here while another node is selected. */
  readonly writtenComments: ReadonlyMap<string, string>;
  /** How many test cases fail with the shown graph, as far as it is known. */
  readonly failingCases: number;
  /** Where the inspector should put the cursor: at the dotted path of a node's field, or its first field. */
  readonly focus: { readonly node: string; readonly field: string | null } | null;
}

/** Actions on the view. These functions never change. */
export interface InterfaceActions {
  readonly select: (nodes: Iterable<string>, edges?: Iterable<string>) => void;
  /** Nodes have other names now, by the old ones. */
  readonly rename: (names: ReadonlyMap<string, string>) => void;
  readonly show: (view: Exclude<View, "version">) => void;
  readonly lookAt: (versionView: VersionView) => void;
  readonly ask: (asking: Asking | null) => void;
  readonly openDrawer: (tab: DrawerTab | null) => void;
  readonly tryOwn: (records: string | null) => void;
  readonly countFailingCases: (failingCases: number) => void;
  /** Null: it is saved, or discarded. */
  readonly writeCase: (id: number, edits: WrittenCase | null) => void;
  /** Forgets edits that were saved as a revision. Those that were written meanwhile begin at it. */
  readonly settleCase: (id: number, saved: WrittenCase, revision: number) => void;
  /** Empty: nothing waits. */
  readonly writeComment: (node: string, text: string) => void;
  /** Forgets a comment that was sent, unless more of it was written meanwhile. */
  readonly settleComment: (node: string, sent: string) => void;
  /** Selects a node and goes to one of its fields. */
  readonly goTo: (node: string, field?: string | null) => void;
  /** Selects a node and goes to the first of its fields. */
  readonly setUp: (node: string) => void;
}

export type InterfaceState = Values & InterfaceActions;
export type InterfaceStore = StoreApi<InterfaceState>;

const NONE: ReadonlySet<string> = new Set();

function selectNext({ nodes: before, number }: NumberedSelection, nodes: Iterable<string>, edges: Iterable<string>) {
  const selection = { nodes: new Set(nodes), edges: new Set(edges) };
  const isSame = selection.nodes.size === before.size && [...before].every((id) => selection.nodes.has(id));
  return { ...selection, number: isSame ? number : number + 1 };
}

export function createInterfaceStore(firstIds: Iterable<string> = []): InterfaceStore {
  return createStore<InterfaceState>()((set, get) => ({
    selection: { nodes: NONE, edges: NONE, number: 0 },
    view: "draft",
    versionView: null,
    leftIds: new Set(firstIds),
    drawer: null,
    asking: null,
    ownRecords: null,
    writtenCases: new Map(),
    writtenComments: new Map(),
    failingCases: 0,
    focus: null,

    select: (nodes, edges = NONE) => {
      const { selection: before, leftIds } = get();
      const selection = selectNext(before, nodes, edges);
      const left = [...before.nodes].filter((id) => !selection.nodes.has(id) && !leftIds.has(id));
      set({ selection, focus: null, ...(left.length > 0 && { leftIds: new Set([...leftIds, ...left]) }) });
    },
    rename: (names) => {
      const { selection, leftIds, writtenComments } = get();
      const rename = (id: string) => names.get(id) ?? id;
      if (names.size === 0) return;
      set({
        selection: { ...selection, nodes: new Set([...selection.nodes].map(rename)) },
        leftIds: new Set([...leftIds].map(rename)),
        writtenComments: new Map([...writtenComments].map(([id, text]) => [rename(id), text])),
      });
    },
    show: (view) => {
      const selection = selectNext(get().selection, NONE, NONE);
      if (view !== get().view) set({ view, versionView: null, selection });
    },
    lookAt: (versionView) => {
      const selection = selectNext(get().selection, NONE, NONE);
      set({ view: "version", versionView, selection, focus: null });
    },
    ask: (asking) => set({ asking }),
    openDrawer: (drawer) => set({ drawer }),
    countFailingCases: (failingCases) => set({ failingCases }),
    tryOwn: (ownRecords) => set({ ownRecords }),
    settleCase: (id, saved, revision) => {
      const edits = get().writtenCases.get(id);
      if (edits !== undefined) get().writeCase(id, edits === saved ? null : { ...edits, revision });
    },
    writeCase: (id, edits) => {
      const writtenCases = new Map(get().writtenCases);
      if (edits === null) writtenCases.delete(id);
      else writtenCases.set(id, edits);
      set({ writtenCases });
    },
    writeComment: (node, text) => {
      const writtenComments = new Map(get().writtenComments);
      if (text === "") writtenComments.delete(node);
      else writtenComments.set(node, text);
      set({ writtenComments });
    },
    settleComment: (node, sent) => {
      if (get().writtenComments.get(node) === sent) get().writeComment(node, "");
    },
    goTo: (node, field) =>
      set({
        selection: selectNext(get().selection, [node], NONE),
        focus: typeof field === "string" ? { node, field } : null,
        view: "draft",
        versionView: null,
      }),
    setUp: (node) =>
      set({ selection: selectNext(get().selection, [node], NONE), focus: { node, field: null } }),
  }));
}
