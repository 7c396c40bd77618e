import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Refusal } from "../../api/refusal";
import type { GraphNode } from "../../api/types";
import { add, EMPTY, type Document } from "../document/document";
import { Autosave, findLastSave } from "./saving";
import { readStash } from "./stash";
import { createDocumentStore } from "../document/documentStore";

const TOPOLOGY = 7;

/** A server that keeps every document it gets, one revision after the other. */
class Server {
  readonly documents: Document[] = [];
  revision = 1;
  /** What it answers instead, once each. */
  refusals: Refusal[] = [];
  /** How long (ms) it takes to answer. */
  takes = 0;
  asked = 0;

  readonly save = async (_topology: number, revision: number, document: Document) => {
    this.asked += 1;
    if (this.takes > 0) await new Promise((answer) => setTimeout(answer, this.takes));
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    if (revision !== this.revision) throw this.conflict();
    this.documents.push(document);
    this.revision += 1;
    return { revision: this.revision };
  };

  /** Another user saves. */
  keep(document: Document): void {
    this.documents.push(document);
    this.revision += 1;
  }

  private conflict(): Refusal {
    const theirs = structuredClone((this.documents.at(-1) ?? EMPTY).graph);
    const details = { revision: this.revision, base: EMPTY.graph, theirs };
    return new Refusal(409, "conflict", "ada saved revision 2 of this draft.", "Compare.", details);
  }
}

const unreachable = () => new Refusal(0, "unreachable", "The server cannot be reached.", "");
const renameId = (id: string): GraphNode => ({ id, operator: "filter", config: {}, position: { x: 0, y: 0 } });
const ids = (document: Document | undefined) => document?.graph.nodes.map(({ id }) => id);

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened() {
  const server = new Server();
  const editor = createDocumentStore(TOPOLOGY, EMPTY, 1);
  const autosave = new Autosave(editor, server.save);
  autosave.open();
  const draw = (id: string) => editor.getState().edit(add(renameId(id)));
  const word = () => editor.getState().saving.word;
  return { server, editor, autosave, draw, word };
}

it("saves soon after an edit, many edits at once", async () => {
  const { server, draw, word } = opened();

  draw("a");
  draw("b");
  expect(word()).toBe("unsaved");
  await vi.advanceTimersByTimeAsync(600);

  expect(word()).toBe("saved");
  expect(server.documents.map(ids)).toEqual([["a", "b"]]);
});

it("has nothing to save of what was undone at once", async () => {
  const { server, editor, draw, word } = opened();

  draw("a");
  editor.getState().undo();
  expect(word()).toBe("saved");
  await vi.advanceTimersByTimeAsync(600);

  expect(server.asked).toBe(0);
  expect(readStash(TOPOLOGY)).toBeNull();
});

it("keeps what was drawn while it saved as drawn on what it saved", async () => {
  const { server, draw } = opened();
  server.takes = 100;

  draw("a");
  await vi.advanceTimersByTimeAsync(520);
  draw("b");
  await vi.advanceTimersByTimeAsync(120);

  expect(readStash(TOPOLOGY)?.revision).toBe(2);
  expect(ids(readStash(TOPOLOGY)?.document)).toEqual(["a", "b"]);
});

it("saves nothing more once it was closed, but keeps what is left", async () => {
  const { server, autosave, draw } = opened();
  server.refusals = [unreachable()];

  draw("a");
  autosave.close();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(server.asked).toBe(1);
  expect(ids(readStash(TOPOLOGY)?.document)).toEqual(["a"]);
});

it("saves one at a time, and what was drawn meanwhile after that", async () => {
  const { server, draw, word } = opened();
  server.takes = 2_000;

  draw("a");
  await vi.advanceTimersByTimeAsync(600);
  expect(word()).toBe("saving");
  draw("b");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(server.asked).toBe(1);
  await vi.advanceTimersByTimeAsync(4_000);

  expect(word()).toBe("saved");
  expect(server.documents.map(ids)).toEqual([["a"], ["a", "b"]]);
});

it("keeps the topology in this browser until the server has it", async () => {
  const { server, draw } = opened();
  server.refusals = [unreachable()];

  draw("a");
  expect(ids(readStash(TOPOLOGY)?.document)).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(600);
  expect(ids(readStash(TOPOLOGY)?.document)).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(60_000);

  expect(readStash(TOPOLOGY)).toBeNull();
});

it("tries again by itself while the server is away, and says why it is not saved", async () => {
  const { server, editor, draw, word } = opened();
  server.refusals = [unreachable(), unreachable(), unreachable()];

  draw("a");
  await vi.advanceTimersByTimeAsync(510);
  expect(editor.getState().saving).toMatchObject({ word: "failed", refusal: { code: "unreachable" } });
  await vi.advanceTimersByTimeAsync(60_000);

  expect(word()).toBe("saved");
  expect(server.asked).toBe(4);
});

it("does not repeat what the server refuses until the graph changes", async () => {
  const { server, draw, word } = opened();
  server.refusals = [new Refusal(422, "graph.malformed", "Too many nodes.", "")];

  draw("a");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([word(), server.asked]).toEqual(["failed", 1]);
  draw("b");
  await vi.advanceTimersByTimeAsync(600);

  expect(word()).toBe("saved");
});

it("sends what was corrected while the server refused what came before", async () => {
  const { server, draw, word } = opened();
  server.takes = 1_000;
  server.refusals = [new Refusal(422, "graph.malformed", "Too many nodes.", "")];

  draw("a");
  await vi.advanceTimersByTimeAsync(510);
  draw("b");
  await vi.advanceTimersByTimeAsync(5_000);

  expect([word(), ids(server.documents.at(-1))]).toEqual(["saved", ["a", "b"]]);
});

it("has nothing to save of what was undone while the server refused it", async () => {
  const { server, editor, draw, word } = opened();
  server.takes = 100;
  server.refusals = [new Refusal(422, "graph.malformed", "Too many nodes.", "")];

  draw("a");
  await vi.advanceTimersByTimeAsync(510);
  editor.getState().undo();
  await vi.advanceTimersByTimeAsync(5_000);

  expect([word(), server.asked, readStash(TOPOLOGY)]).toEqual(["saved", 1, null]);
});

it.each([
  ["while it was being saved", 510],
  ["after the answer got lost", 620],
])("takes back from the server what was undone %s", async (_, at) => {
  const { server, editor, draw, word } = opened();
  server.takes = 100;
  server.refusals = [unreachable()];

  draw("a");
  await vi.advanceTimersByTimeAsync(510);
  server.keep(editor.getState().document); // it has it, but the answer gets lost
  await vi.advanceTimersByTimeAsync(at - 510);
  editor.getState().undo();
  await vi.advanceTimersByTimeAsync(30_000);

  expect([word(), ids(server.documents.at(-1))]).toEqual(["saved", []]);
});

it("stops at a conflict, and overwrites nothing", async () => {
  const { server, draw, word } = opened();
  server.keep({ ...EMPTY, graph: { nodes: [renameId("theirs")], edges: [] } });

  draw("mine");
  await vi.advanceTimersByTimeAsync(600);
  expect(word()).toBe("conflict");
  draw("more");
  await vi.advanceTimersByTimeAsync(60_000);

  expect(server.asked).toBe(1);
  expect(ids(readStash(TOPOLOGY)?.document)).toEqual(["mine", "more"]);
});

it("saves what was chosen in a conflict on top of theirs; undo leads to theirs and to mine", async () => {
  const { server, editor, autosave, draw, word } = opened();
  const theirs = { ...EMPTY, graph: { nodes: [renameId("theirs")], edges: [] } };
  server.keep(theirs);
  draw("mine");
  await vi.advanceTimersByTimeAsync(600);
  const mine = editor.getState().document;

  autosave.resolve({ revision: server.revision }, theirs, mine);
  await vi.advanceTimersByTimeAsync(600);

  expect(word()).toBe("saved");
  expect(server.documents.map(ids)).toEqual([["theirs"], ["mine"]]);
  editor.getState().undo();
  expect(ids(editor.getState().document)).toEqual(["theirs"]);
  editor.getState().undo();
  expect(editor.getState().document).toBe(mine);
});

it("has nothing to save where theirs was taken", async () => {
  const { server, editor, autosave, draw, word } = opened();
  const theirs = { ...EMPTY, graph: { nodes: [renameId("theirs")], edges: [] } };
  server.keep(theirs);
  draw("mine");
  await vi.advanceTimersByTimeAsync(600);

  autosave.resolve({ revision: server.revision }, theirs, theirs);
  await vi.advanceTimersByTimeAsync(600);

  expect([word(), server.asked, readStash(TOPOLOGY)]).toEqual(["saved", 1, null]);
  editor.getState().undo();
  expect(ids(editor.getState().document)).toEqual(["mine"]);
});

it("takes its own save, whose answer got lost, for no conflict", async () => {
  const { server, editor, draw, word } = opened();
  server.takes = 100;
  server.refusals = [unreachable()];

  draw("a");
  await vi.advanceTimersByTimeAsync(510);
  server.keep(editor.getState().document);
  draw("b");
  await vi.advanceTimersByTimeAsync(10_000);

  expect(word()).toBe("saved");
  expect(ids(server.documents.at(-1))).toEqual(["a", "b"]);
});

it("flushes at once, waiting for the save under way", async () => {
  const { server, autosave, draw } = opened();
  server.takes = 300;
  draw("a");
  await vi.advanceTimersByTimeAsync(510);
  draw("b");

  const flushed = autosave.flush();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(await flushed).toBe(true);
  expect(server.documents.map(ids)).toEqual([["a"], ["a", "b"]]);
});

it("says so when a flush could not save", async () => {
  const { server, autosave, draw } = opened();
  server.refusals = [unreachable()];
  draw("a");

  expect(await autosave.flush()).toBe(false);
});

it("saves what is left when it is closed", async () => {
  const { server, autosave, draw } = opened();
  draw("a");

  autosave.close();
  await findLastSave(TOPOLOGY);

  expect(server.documents.map(ids)).toEqual([["a"]]);
  expect(readStash(TOPOLOGY)).toBeNull();
});
