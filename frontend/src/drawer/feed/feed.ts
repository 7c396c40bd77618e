/** Follows something that grows over a websocket. What comes is folded by the listener. */
import type { FeedMessage } from "../../api/feed";
import { Line, type Connection, type Wiring } from "../../live/line";

export interface Listener {
  readonly heard: (message: FeedMessage) => void;
  readonly changed: (connection: Connection) => void;
}

export class Feed {
  readonly line: Line;
  private paused = false;

  constructor(
    wiring: Wiring,
    private readonly listener: Listener,
  ) {
    this.line = new Line(wiring, {
      opened: () => this.opened(),
      heard: (message) => this.receive(message as FeedMessage),
      changed: (connection) => listener.changed(connection),
    });
  }

  /** The server reads nothing for us until `resume`; a new connection is paused too. */
  pause(): void {
    this.paused = true;
    this.line.say({ type: "pause" });
  }

  resume(): void {
    this.paused = false;
    this.line.say({ type: "resume" });
  }

  private opened(): void {
    if (this.paused) this.line.say({ type: "pause" });
    this.listener.changed("live");
  }

  /** A refused viewer is let in and sent away again: only what was really told makes the next try a first one. */
  private receive(message: FeedMessage): void {
    if (message.type !== "refused") this.line.hasSpoken();
    this.listener.heard(message);
  }
}
