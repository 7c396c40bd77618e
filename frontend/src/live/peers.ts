/** Other users who have the same topology open: where their pointers are, and what they have selected. */
import { compareNames } from "../api/byName";
import type { components } from "../api/schema";
import { Line } from "./line";
import { keepWhileVisible, makeWiring } from "./socket";

type Message = components["schemas"]["PresenceMessage"];

export interface Peer {
  readonly page: string;
  readonly name: string;
  /** Of the pointer, in coordinates of the canvas. Null while it is elsewhere. */
  readonly pointer: { readonly x: number; readonly y: number } | null;
  readonly selection: readonly string[];
  readonly heardAt: number;
}

/** What this page says of its own user. */
export interface Here {
  readonly pointer: Peer["pointer"];
  readonly selection: readonly string[];
}

export type Peers = ReadonlyMap<string, Peer>;

export const NO_PEERS: Peers = new Map();
/** Each page repeats itself every 10 s, so one that is silent for longer is gone. */
const FORGET_MS = 30_000;
const LOOK_MS = 5_000;
const COLOURS = ["blue", "orange", "green", "purple", "red", "yellow"] as const;

/** Adds what a page said to the peers. */
export function applyMessage(peers: Peers, message: Message, now: number): Peers {
  const next = new Map(peers);
  if (message.type === "peer_left") {
    next.delete(message.page);
    return next;
  }
  if (message.type !== "peer") return peers;
  const { page, name, x, y, selection } = message;
  const pointer = x === null || y === null ? null : { x, y };
  return next.set(page, { page, name, pointer, selection, heardAt: now });
}

/** The peers without those that have been silent for too long. The same object if there are none. */
export function forgetSilent(peers: Peers, now: number): Peers {
  const heard = [...peers].filter(([, { heardAt }]) => now - heardAt <= FORGET_MS);
  return heard.length === peers.size ? peers : new Map(heard);
}

/** A colour that a page keeps, for its pointer and its selection. */
export function chooseColour(page: string): (typeof COLOURS)[number] {
  return COLOURS[Number.parseInt(page.slice(-4), 16) % COLOURS.length] ?? "blue";
}

/** The users behind the pages, each once with its first page, by name. */
export function listNames(peers: Peers): readonly Pick<Peer, "name" | "page">[] {
  const byName = new Map([...peers.values()].reverse().map(({ name, page }) => [name, { name, page }]));
  return [...byName.values()].sort((a, b) => compareNames(a.name, b.name));
}

interface Listeners {
  readonly onChange: (peers: Peers) => void;
  /** There are new comments, or the connection begins again. */
  readonly onComments: () => void;
  /** The server has this revision of the draft. */
  readonly onDraft: (revision: number) => void;
}

/** Follows the peers of a topology until `stop` is called. `say` tells them where this user is. */
export function followPeers(
  topology: number,
  { onChange, onComments, onDraft }: Listeners,
): { readonly say: (here: Here) => void; readonly stop: () => void } {
  let peers = NO_PEERS;
  let here: Here | null = null;
  const become = (next: Peers) => {
    if (next === peers) return;
    peers = next;
    onChange(peers);
  };
  const say = () => {
    if (here !== null) line.say({ type: "here", ...here.pointer, selection: here.selection });
  };
  const line = new Line(makeWiring(`/ws/topologies/${topology}/presence/`), {
    onOpen: () => {
      line.hasSpoken();
      onComments();
      say();
    },
    onMessage: (text) => {
      const message = text as Message;
      if (message.type === "comments_changed") onComments();
      if (message.type === "draft_saved") onDraft(message.revision);
      become(applyMessage(peers, message, Date.now()));
    },
    onChange: (connection) => {
      if (connection !== "connecting") become(NO_PEERS);
    },
  });
  const timer = window.setInterval(() => become(forgetSilent(peers, Date.now())), LOOK_MS);
  const sleep = keepWhileVisible(line);
  return {
    say: (next) => {
      here = next;
      say();
    },
    stop: () => {
      window.clearInterval(timer);
      sleep();
    },
  };
}
