/** Why the server did not do what was asked: what, and the next step. `details` is whatever else it said. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** The refusal in an answer's body, or one made from its status when the body is none of ours. */
export function refusalOf(status: number, body: unknown): Refusal {
  if (isRecord(body) && typeof body.message === "string") {
    const { code, message, hint, ...details } = body;
    return new Refusal(status, text(code, "refused"), text(message, ""), text(hint, ""), details);
  }
  return new Refusal(status, "unexpected", ...unexpectedRefusal(status));
}

/** The refusal that stands for anything thrown on the way to the server. */
export function refusalFrom(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(0, "unreachable", "The server cannot be reached.", "Check that `make run` is up, then try again.");
}

function unexpectedRefusal(status: number): [message: string, hint: string] {
  if (status === 404) return ["This no longer exists.", "Go back to the home page and pick another."];
  if (status === 403) {
    return ["You are not allowed to do this.", "Ask someone whose role allows it, or sign in as another user."];
  }
  return [`The server answered ${status} without a reason.`, "Try again; the server's log has the cause."];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
