/** Follows something that grows over a websocket. What comes is folded by the listener. */
import type { FeedMessage } from "../../api/feed";
import { Line, type Connection, type Wiring } from "../../live/line";

export interface Listener {
  readonly onMessage: (message: FeedMessage) => void;
  readonly onChange: (connection: Connection) => void;
}

export class Feed {
  readonly line: Line;
  private isPaused = false;

  constructor(
    wiring: Wiring,
    private readonly listener: Listener,
  ) {
    this.line = new Line(wiring, {
      onOpen: () => this.handleOpen(),
      onMessage: (message) => this.receive(message as FeedMessage),
      onChange: (connection) => listener.onChange(connection),
    });
  }

  /** The server reads nothing for us until `resume`; a new connection is paused too. */
  pause(): void {
    this.isPaused = true;
    this.line.say({ type: "pause" });
  }

  resume(): void {
    this.isPaused = false;
    this.line.say({ type: "resume" });
  }

  private handleOpen(): void {
    if (this.isPaused) this.line.say({ type: "pause" });
    this.listener.onChange("live");
  }

  /** A refused viewer is let in and sent away again: only what was really sent makes the next try a first one. */
  private receive(message: FeedMessage): void {
    if (message.type !== "refused") this.line.hasSpoken();
    this.listener.onMessage(message);
  }
}
