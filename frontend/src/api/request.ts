import { cookie } from "./cookie";
import { refusalFrom, refusalOf } from "./refusal";
import { signIn } from "./session";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Ask the API: its answer as JSON, or a `Refusal` thrown. Anyone who is signed out is led to the sign-in page. */
export async function request<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const response = await send(method, path, body);
  if (response.status === 401) return signIn();
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusalOf(response.status, answer);
  return answer as Answer;
}

async function send(method: Method, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = cookie("csrftoken", document.cookie);
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const text = body === undefined ? null : JSON.stringify(body);
    // without a cache: in front of one, a browser lets a question wait for the answer to an equal one
    return await fetch(path, { method, headers, body: text, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    throw refusalFrom(error);
  }
}
