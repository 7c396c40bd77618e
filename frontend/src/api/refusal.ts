import type { components } from "./schema";

type Body = components["schemas"]["RefusalOut"];

/** The reason, as a code of the server or of the page. */
export type RefusalCode =
  | Body["code"]
  | "unexpected"
  | "unreachable"
  | "file.large"
  | "import.unknown"
  | "name.wrong"
  | "line.no_key";
/** Other members of a refusal, by its code. */
export type Details = Omit<Body, "code" | "message" | "hint">;

/** The server refused a request: the reason and the next step. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: RefusalCode,
    message: string,
    readonly hint: string,
    readonly details: Details = {},
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** Reads the refusal in an answer's body. Makes one from the status if the body is not ours. */
export function readRefusal(status: number, body: unknown): Refusal {
  if (isRefusal(body)) {
    const { code, message, hint, ...details } = body;
    return new Refusal(status, code, message, hint, details);
  }
  return new Refusal(status, "unexpected", ...describeStatus(status));
}

/** Makes a refusal from anything that a request throws. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const hint = "Check your network and that the server runs, then try again.";
  return new Refusal(0, "unreachable", "The server cannot be reached.", hint);
}

/** Whether the same request may be answered later: the server was not reached, or it or what it needs has failed. */
export function mayPass({ status }: Pick<Refusal, "status">): boolean {
  return status === 0 || status >= 500;
}

function describeStatus(status: number): [message: string, hint: string] {
  if (status === 404) return ["This no longer exists.", "Go back to the home page and pick another."];
  if (status === 403) {
    return ["You are not allowed to do this.", "Ask someone whose role allows it, or sign in as another user."];
  }
  return [`The server answered ${status} without a reason.`, "Try again; the server's log has the cause."];
}

/** A proxy between the page and the server may also answer. */
function isRefusal(body: unknown): body is Body {
  return typeof body === "object" && body !== null && "code" in body && "message" in body && "hint" in body;
}
