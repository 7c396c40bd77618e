/** What is looked at in the editor: selection, open panels, text that waits there. Undo and saving know none of it. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Differences, Graph } from "../../api/types";

export interface Selection {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

/** What is looked at instead of the draft; with differences, what it is compared with is before it. */
export interface VersionView {
  /** The number of a version, or `draft`. */
  readonly after: string;
  readonly graph: Graph;
  readonly before: string | null;
  readonly differences: Differences | null;
}

export type DrawerTab = "problems" | "trial" | "cases" | "metrics" | "records" | "tables" | "letters" | "log";
/** The lines of a test case as someone has written them over and not saved yet, on top of which revision. */
export interface WrittenCase {
  readonly records: string;
  readonly expected: string;
  readonly revision: number;
}
/** Which graph the canvas shows: the one being drawn, the one that is deployed, or a version that is looked at. */
export type View = "draft" | "running" | "version";

interface Values {
  readonly selection: Selection;
  readonly view: View;
  /** The version that is looked at, and what it is compared with; null in the other views. */
  readonly versionView: VersionView | null;
  readonly drawer: DrawerTab | null;
  /** Records of one's own that the tab Trial tries, a line each; null: the newest of the topics. */
  readonly ownRecords: string | null;
  /** What is written over test cases, by id: it waits here while another tab is looked at. */
  readonly writtenCases: ReadonlyMap<number, WrittenCase>;
  /** Where the inspector should put the cursor: a field's dotted path of a node, or its first field. */
  readonly focus: { readonly node: string; readonly field: string | null } | null;
}

/** What can be looked at; these functions never change. */
export interface InterfaceActions {
  readonly select: (nodes: Iterable<string>, edges?: Iterable<string>) => void;
  readonly show: (view: Exclude<View, "version">) => void;
  readonly lookAt: (versionView: VersionView) => void;
  readonly openDrawer: (tab: DrawerTab | null) => void;
  readonly tryOwn: (records: string | null) => void;
  /** Null: it is saved, or given up. */
  readonly writeCase: (id: number, edits: WrittenCase | null) => void;
  /** Select a node and go to one of its fields. */
  readonly goTo: (node: string, field?: string | null) => void;
  /** Select a node and go to the first of its fields. */
  readonly setUp: (node: string) => void;
}

export type InterfaceState = Values & InterfaceActions;
export type InterfaceStore = StoreApi<InterfaceState>;

const NOTHING: Selection = { nodes: new Set(), edges: new Set() };

export function createInterfaceStore(): InterfaceStore {
  return createStore<InterfaceState>()((set, get) => ({
    selection: NOTHING,
    view: "draft",
    versionView: null,
    drawer: null,
    ownRecords: null,
    writtenCases: new Map(),
    focus: null,

    select: (nodes, edges = []) => set({ selection: { nodes: new Set(nodes), edges: new Set(edges) }, focus: null }),
    show: (view) => {
      if (view !== get().view) set({ view, versionView: null, selection: NOTHING });
    },
    lookAt: (versionView) => set({ view: "version", versionView, selection: NOTHING, focus: null }),
    openDrawer: (drawer) => set({ drawer }),
    tryOwn: (ownRecords) => set({ ownRecords }),
    writeCase: (id, edits) => {
      const writtenCases = new Map(get().writtenCases);
      if (edits === null) writtenCases.delete(id);
      else writtenCases.set(id, edits);
      set({ writtenCases });
    },
    goTo: (node, field) =>
      set({
        selection: { nodes: new Set([node]), edges: new Set() },
        focus: typeof field === "string" ? { node, field } : null,
        view: "draft",
        versionView: null,
      }),
    setUp: (node) => set({ selection: { nodes: new Set([node]), edges: new Set() }, focus: { node, field: null } }),
  }));
}
