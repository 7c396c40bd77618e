import { backoff } from "./backoff";

/** Anything that carries the number of the last event folded into it. */
export interface Numbered {
  readonly sequence: number;
}

export type Connection = "connecting" | "live" | "lost" | "asleep";

/** The part of a WebSocket that is used here. */
export interface Socket {
  addEventListener(type: "message", heard: (message: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", lost: (closing: { readonly code: number }) => void): void;
  close(): void;
}

export interface Wiring<State extends Numbered, Event extends Numbered> {
  readonly open: () => Socket;
  /** The whole state over HTTP, to heal a gap. */
  readonly fetchState: () => Promise<State>;
  /** The snapshot a message holds, or null when it is an event. */
  readonly snapshotOf: (message: unknown) => State | null;
  readonly eventOf: (message: unknown) => Event;
  readonly apply: (state: State, event: Event) => State;
  readonly changed: (state: State | null, connection: Connection) => void;
  /** Close codes after which trying again is useless: not signed in, not there. */
  readonly refused: (code: number) => boolean;
  /** How long (ms) the server may say nothing in this state before the line counts as dead; null: for ever. */
  readonly mostSilence: (state: State) => number | null;
  /** Calls `then` after `ms`; what it returns calls that off. */
  readonly wait: (ms: number, then: () => void) => () => void;
}

const MOST_HEALS = 3;

/** Keeps one state current: snapshot, events in order, healed after a gap, connected anew after a loss. */
export class Watch<State extends Numbered, Event extends Numbered> {
  private state: State | null = null;
  private socket: Socket | null = null;
  private cancelRetry: (() => void) | null = null;
  private cancelSilence: (() => void) | null = null;
  private attempt = 0;
  private healing = false;
  private heals = 0;
  private early: Event[] = [];

  constructor(private readonly wiring: Wiring<State, Event>) {}

  /** Begin, or go on after `sleep`. */
  wake(): void {
    if (this.socket !== null || this.cancelRetry !== null) return;
    this.connect();
  }

  /** Do not wait out the back-off: the network is back. */
  hurry(): void {
    if (this.cancelRetry === null) return;
    this.cancelRetry();
    this.cancelRetry = null;
    this.connect();
  }

  /** Let go of the connection; the last state stays. */
  sleep(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.drop();
    this.wiring.changed(this.state, "asleep");
  }

  private connect(): void {
    const socket = this.wiring.open();
    this.socket = socket;
    this.wiring.changed(this.state, "connecting");
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) this.receive(JSON.parse(String(data)));
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.socket) this.closed(code);
    });
  }

  private receive(message: unknown): void {
    const snapshot = this.wiring.snapshotOf(message);
    if (snapshot === null) {
      this.fold(this.wiring.eventOf(message));
      return;
    }
    this.attempt = 0;
    this.heals = 0;
    this.adopt(snapshot);
  }

  private fold(event: Event): void {
    if (this.state === null || this.healing) {
      this.early.push(event);
      return;
    }
    if (event.sequence <= this.state.sequence) return;
    if (event.sequence > this.state.sequence + 1) {
      this.early.push(event);
      void this.heal();
      return;
    }
    this.heals = 0;
    this.become(this.wiring.apply(this.state, event));
  }

  private become(state: State): void {
    this.state = state;
    this.listen(state);
    this.wiring.changed(state, "live");
  }

  private listen(state: State): void {
    this.cancelSilence?.();
    const most = this.wiring.mostSilence(state);
    this.cancelSilence = most === null ? null : this.wiring.wait(most, () => this.closed(0));
  }

  /** Take a whole state, then fold in the events that came before it could be. */
  private adopt(state: State): void {
    this.healing = false;
    this.become(state);
    const early = this.early;
    this.early = [];
    for (const event of early) this.fold(event);
  }

  /** Fetch the state whole. Where that does not close the gap either, begin anew with a fresh snapshot. */
  private async heal(): Promise<void> {
    const socket = this.socket;
    this.healing = true;
    const turn = (this.heals += 1);
    const fetched = turn > MOST_HEALS ? null : await this.wiring.fetchState().catch(() => null);
    if (socket !== this.socket || turn !== this.heals) return;
    if (fetched === null) this.closed(0);
    else this.adopt(fetched);
  }

  private closed(code: number): void {
    this.drop();
    this.wiring.changed(this.state, "lost");
    if (this.wiring.refused(code)) return;
    this.cancelRetry = this.wiring.wait(backoff(this.attempt), () => {
      this.cancelRetry = null;
      this.connect();
    });
    this.attempt += 1;
  }

  private drop(): void {
    const socket = this.socket;
    this.cancelSilence?.();
    this.cancelSilence = null;
    this.socket = null;
    this.healing = false;
    this.early = [];
    socket?.close();
  }
}
