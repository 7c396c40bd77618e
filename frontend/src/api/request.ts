import type { AnswerOf, Ask, Asks, Method, Operation, PathOf } from "./contract";
import { readCookie } from "./cookie";
import { noteAnswer, noteLoss } from "./reach";
import { readRefusal, Refusal, toRefusal } from "./refusal";
import { signIn } from "./session";

/** The parts of `Ask` for any operation. */
interface Parts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
}

/** Ask the API and return its JSON, or throw a `Refusal`. A user who is signed out goes to the sign-in page. */
export async function request<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[ask]: Asks<Operation<M, P>>
): Promise<AnswerOf<Operation<M, P>>> {
  const parts = ask as Parts | undefined;
  const response = await send(method.toUpperCase(), fill(path, parts), parts?.body);
  if (response.status === 401) return signIn();
  return (await readAnswer(response)) as AnswerOf<Operation<M, P>>;
}

/** The JSON of an answer, or null if it has no body. Throws a `Refusal` also if the answer is cut or not ours. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text().catch(refuseLost);
  const answer = text === "" ? null : parse(text);
  if (!response.ok) throw readRefusal(response.status, answer);
  if (answer === undefined) throw new Refusal(0, "unexpected", "The answer is not from Streamwright.", PROXY);
  return answer;
}

const PROXY = "A proxy between this page and the server may have answered instead. Reload the page.";

/** Undefined for a text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The address of something that the browser loads itself, such as a file. */
export function makeAddress<P extends PathOf<"get">>(path: P, ask: Ask<Operation<"get", P>>): string {
  return fill(path, ask as Parts);
}

/** A path with its parameters filled in. The query leaves out null and undefined. */
export function fill(path: string, { path: values = {}, query = {} }: Parts = {}): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? place : `${place}?${new URLSearchParams(pairs).toString()}`;
}

async function send(method: string, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = readCookie("csrftoken", document.cookie);
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const text = body === undefined ? null : JSON.stringify(body);
    // without a cache: otherwise the browser delays a request until an equal one has its answer
    const response = await fetch(path, { method, headers, body: text, credentials: "same-origin", cache: "no-store" });
    noteAnswer();
    return response;
  } catch (error) {
    return refuseLost(error);
  }
}

function refuseLost(error: unknown): never {
  noteLoss();
  throw toRefusal(error);
}
