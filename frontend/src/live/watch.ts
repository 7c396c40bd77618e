import { Line, type Connection, type Wiring } from "./line";

/** Anything with the number of its last event. */
export interface WithSequence {
  readonly sequence: number;
}

export interface WatchSource<State extends WithSequence, Event extends WithSequence> {
  /** The whole state over HTTP, to heal a gap. */
  readonly fetchState: () => Promise<State>;
  /** The snapshot in a message, or null for an event. */
  readonly snapshotOf: (message: unknown) => State | null;
  readonly eventOf: (message: unknown) => Event;
  readonly apply: (state: State, event: Event) => State;
  readonly onChange: (state: State | null, connection: Connection) => void;
  /** Maximum silence (ms) of the server in this state before the line counts as dead. Null: no limit. */
  readonly mostSilence: (state: State) => number | null;
}

const MAX_HEALS = 3;

/** Keeps one state current: snapshot, events in order, healed after a gap, reconnected after a loss. */
export class Watch<State extends WithSequence, Event extends WithSequence> {
  readonly line: Line;
  private state: State | null = null;
  private cancelSilence: (() => void) | null = null;
  private healing: object | null = null;
  private heals = 0;
  private early: Event[] = [];

  constructor(
    private readonly wiring: Wiring,
    private readonly source: WatchSource<State, Event>,
  ) {
    this.line = new Line(wiring, {
      onMessage: (message) => this.receive(message),
      onChange: (connection) => this.leaveLine(connection),
    });
  }

  private receive(message: unknown): void {
    const snapshot = this.source.snapshotOf(message);
    if (snapshot === null) {
      this.fold(this.source.eventOf(message));
      return;
    }
    this.line.hasSpoken();
    this.heals = 0;
    this.adopt(snapshot);
  }

  private fold(event: Event): void {
    if (this.state === null || this.healing !== null) {
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
    this.become(this.source.apply(this.state, event));
  }

  private become(state: State): void {
    this.state = state;
    this.listen(state);
    this.source.onChange(state, "live");
  }

  private listen(state: State): void {
    this.cancelSilence?.();
    const most = this.source.mostSilence(state);
    this.cancelSilence = most === null ? null : this.wiring.wait(most, () => this.line.lose());
  }

  /** Takes a whole state, then adds the events that arrived before it. */
  private adopt(state: State): void {
    this.healing = null;
    this.become(state);
    const early = this.early;
    this.early = [];
    for (const event of early) this.fold(event);
  }

  /** Fetches the whole state. If that does not close the gap, starts over with a fresh snapshot. */
  private async heal(): Promise<void> {
    const healing = (this.healing = {});
    this.heals += 1;
    const state = this.heals > MAX_HEALS ? null : await this.source.fetchState().catch(() => null);
    if (healing !== this.healing) return;
    if (state === null) this.line.lose();
    else this.adopt(state);
  }

  /** Without a connection the last state stays, and work for it ends. */
  private leaveLine(connection: Exclude<Connection, "live">): void {
    this.cancelSilence?.();
    this.cancelSilence = null;
    this.healing = null;
    this.early = [];
    this.source.onChange(this.state, connection);
  }
}
