/** A websocket that reconnects after a loss and closes while the tab is hidden. */
import { computeBackoff } from "./backoff";

/** gone: there is nothing here for us, and another try is useless. */
export type Connection = "connecting" | "live" | "lost" | "asleep" | "gone";

/** The used part of a WebSocket. */
export interface Socket {
  addEventListener(type: "open", listen: () => void): void;
  addEventListener(type: "message", listen: (message: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listen: (closing: { readonly code: number }) => void): void;
  send(text: string): void;
  close(): void;
}

/** The address of a line, and its timer. */
export interface Wiring {
  readonly open: () => Socket;
  readonly signIn: () => void;
  /** Calls `then` after `ms`. Returns a function that cancels it. */
  readonly wait: (ms: number, then: () => void) => () => void;
}

/** The owner of a line. It decides what "live" means. */
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

  /** Begins, or continues after `sleep`. */
  wake(): void {
    if (this.isGone || this.socket !== null || this.cancelRetry !== null) return;
    this.connect();
  }

  /** Skips the wait: the network is back. */
  hurry(): void {
    if (this.cancelRetry === null) return;
    this.cancelRetry();
    this.cancelRetry = null;
    this.connect();
  }

  /** Closes the connection. */
  sleep(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.drop();
    if (!this.isGone) this.holder.onChange("asleep");
  }

  /** The server sent something useful: the next try after a loss counts as the first. */
  hasSpoken(): void {
    this.attempt = 0;
  }

  /** Tells the server, if connected. */
  say(message: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }

  /** Gives up this connection, and makes another after a while. */
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

  /** A connection is closed after it opened: otherwise the browser reports an error. */
  private drop(): void {
    const socket = this.isOpen ? this.socket : null;
    this.socket = null;
    this.isOpen = false;
    socket?.close();
  }
}
