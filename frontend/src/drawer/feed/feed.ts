/** Follows growing data over a websocket. The listener folds the messages. */
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

  /** The server reads nothing for us until `resume`. A new connection is paused too. */
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

  /** The server lets a refused viewer in before it closes. Only a sent message resets the retries. */
  private receive(message: FeedMessage): void {
    if (message.type !== "refused") this.line.hasSpoken();
    this.listener.onMessage(message);
  }
}
