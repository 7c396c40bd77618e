/** A websocket that is reconnected after a loss, and let go while no one looks. */
import { computeBackoff } from "./backoff";

/** gone: there is nothing here for us, and trying again is useless. */
export type Connection = "connecting" | "live" | "lost" | "asleep" | "gone";

/** The part of a WebSocket that is used here. */
export interface Socket {
  addEventListener(type: "open", listen: () => void): void;
  addEventListener(type: "message", listen: (message: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listen: (closing: { readonly code: number }) => void): void;
  send(text: string): void;
  close(): void;
}

/** Where a line leads, and how it waits. */
export interface Wiring {
  readonly open: () => Socket;
  readonly signIn: () => void;
  /** Calls `then` after `ms`; what it returns calls that off. */
  readonly wait: (ms: number, then: () => void) => () => void;
}

/** What holds a line. What is "live" is the holder's to say. */
export interface Holder {
  readonly onOpen?: () => void;
  readonly onMessage: (message: unknown) => void;
  readonly onChange: (connection: Exclude<Connection, "live">) => void;
}

const NOT_SIGNED_IN = 4401;
const NOT_PERMITTED = 4403;
const NOT_FOUND = 4404;

export class Line {
  private socket: Socket | null = null;
  private cancelRetry: (() => void) | null = null;
  private attempt = 0;
  private isOpen = false;
  private isGone = false;

  constructor(
    private readonly wiring: Wiring,
    private readonly holder: Holder,
  ) {}

  /** Begin, or continue after `sleep`. */
  wake(): void {
    if (this.isGone || this.socket !== null || this.cancelRetry !== null) return;
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
    if (!this.isGone) this.holder.onChange("asleep");
  }

  /** Something worth the connection was sent: the next try after a loss is a first one. */
  hasSpoken(): void {
    this.attempt = 0;
  }

  /** Tell the server, if it is there. */
  say(message: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }

  /** Give up this connection, and make another after a while. */
  lose(): void {
    this.handleClose(0);
  }

  private connect(): void {
    const socket = this.wiring.open();
    this.socket = socket;
    this.holder.onChange("connecting");
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.handleOpen();
      else socket.close();
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) this.holder.onMessage(JSON.parse(String(data)));
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.socket) this.handleClose(code);
    });
  }

  private handleOpen(): void {
    this.isOpen = true;
    this.holder.onOpen?.();
  }

  private handleClose(code: number): void {
    this.drop();
    this.isGone = [NOT_SIGNED_IN, NOT_PERMITTED, NOT_FOUND].includes(code);
    if (code === NOT_SIGNED_IN) this.wiring.signIn();
    this.holder.onChange(this.isGone ? "gone" : "lost");
    if (this.isGone) return;
    this.cancelRetry = this.wiring.wait(computeBackoff(this.attempt), () => {
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
}
