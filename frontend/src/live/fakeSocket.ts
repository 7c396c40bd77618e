/** For tests: the server's end of a socket, and lines wired to such sockets. */
import type { Socket, Wiring } from "./line";

export class FakeSocket implements Socket {
  isClosed = false;
  readonly messages: unknown[] = [];
  private readonly listeners: Partial<Record<string, (event: never) => void>> = {};

  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners[type] = listener;
  }

  open(): void {
    this.listeners.open?.({} as never);
  }

  tell(message: unknown): void {
    this.listeners.message?.({ data: JSON.stringify(message) } as never);
  }

  lose(code = 1006): void {
    this.listeners.close?.({ code } as never);
  }

  send(text: string): void {
    this.messages.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }
}

export class FakeSite implements Wiring {
  readonly sockets: FakeSocket[] = [];
  waits: { readonly ms: number; readonly then: () => void }[] = [];
  isSignedOut = false;

  /** The newest connection. */
  get socket(): FakeSocket {
    const last = this.sockets.at(-1);
    if (last === undefined) throw new Error("No connection was opened.");
    return last;
  }

  readonly open = (): Socket => {
    this.sockets.push(new FakeSocket());
    return this.socket;
  };

  readonly signIn = (): void => {
    this.isSignedOut = true;
  };

  readonly wait = (ms: number, then: () => void): (() => void) => {
    const waiting = { ms, then };
    this.waits.push(waiting);
    return () => (this.waits = this.waits.filter((one) => one !== waiting));
  };

  /** The time of the first waiting call has come. */
  elapse(): void {
    const next = this.waits.shift();
    if (next === undefined) throw new Error("Nothing waits.");
    next.then();
  }
}
