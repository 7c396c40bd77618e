/** Follows something that grows over a websocket, connected anew after a loss. What comes is folded by the listener. */
import type { FeedMessage } from "../api/feed";
import { backoff } from "../live/backoff";
import type { Connection, Socket } from "../live/watch";

/** gone: there is nothing to follow here, and trying again is useless. */
export type FeedConnection = Connection | "gone";

/** The part of a WebSocket that is used here. */
export interface FeedSocket extends Omit<Socket, "addEventListener"> {
  addEventListener(type: "open", opened: () => void): void;
  addEventListener(type: "message", heard: (message: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", lost: (closing: { readonly code: number }) => void): void;
  send(text: string): void;
}

export interface FeedWiring {
  readonly open: () => FeedSocket;
  readonly heard: (message: FeedMessage) => void;
  readonly changed: (connection: FeedConnection) => void;
  readonly signIn: () => void;
  /** Calls `then` after `ms`; what it returns calls that off. */
  readonly wait: (ms: number, then: () => void) => () => void;
}

const NOT_SIGNED_IN = 4401;
const NOT_FOUND = 4404;

export class Feed {
  private socket: FeedSocket | null = null;
  private cancelRetry: (() => void) | null = null;
  private attempt = 0;
  private ended = false;
  private paused = false;
  private isOpen = false;

  constructor(private readonly wiring: FeedWiring) {}

  /** Begin, or go on after `sleep`. */
  wake(): void {
    if (this.ended || this.socket !== null || this.cancelRetry !== null) return;
    this.connect();
  }

  /** Do not wait out the back-off: the network is back. */
  hurry(): void {
    if (this.cancelRetry === null) return;
    this.cancelRetry();
    this.cancelRetry = null;
    this.connect();
  }

  /** Let go of the connection. */
  sleep(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.drop();
    if (!this.ended) this.wiring.changed("asleep");
  }

  /** The server reads nothing for us until `resume`; a connection made anew is paused too. */
  pause(): void {
    this.paused = true;
    if (this.isOpen) this.say("pause");
  }

  resume(): void {
    this.paused = false;
    if (this.isOpen) this.say("resume");
  }

  private connect(): void {
    const socket = this.wiring.open();
    this.socket = socket;
    this.wiring.changed("connecting");
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.opened();
      else socket.close();
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) this.receive(JSON.parse(String(data)) as FeedMessage);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.socket) this.closed(code);
    });
  }

  private opened(): void {
    this.isOpen = true;
    if (this.paused) this.say("pause");
    this.wiring.changed("live");
  }

  /** A refused viewer is let in and sent away again: only what was really told makes the next try a first one. */
  private receive(message: FeedMessage): void {
    if (message.type !== "refused") this.attempt = 0;
    this.wiring.heard(message);
  }

  private closed(code: number): void {
    this.drop();
    this.ended = code === NOT_SIGNED_IN || code === NOT_FOUND;
    if (code === NOT_SIGNED_IN) this.wiring.signIn();
    this.wiring.changed(this.ended ? "gone" : "lost");
    if (this.ended) return;
    this.cancelRetry = this.wiring.wait(backoff(this.attempt), () => {
      this.cancelRetry = null;
      this.connect();
    });
    this.attempt += 1;
  }

  /** A connection still being made is closed once it is there: the browser calls anything else an error. */
  private drop(): void {
    const socket = this.isOpen ? this.socket : null;
    this.socket = null;
    this.isOpen = false;
    socket?.close();
  }

  private say(type: "pause" | "resume"): void {
    this.socket?.send(JSON.stringify({ type }));
  }
}
