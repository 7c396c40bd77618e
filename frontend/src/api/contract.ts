/** What each path of the API takes and answers, from the types that are generated of it. */
import type { paths } from "./schema";

export type Method = "get" | "post" | "put" | "patch" | "delete";
/** The paths that a method has. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];
/** A method of a path, as the API describes it. */
export type Operation<M extends Method, P extends PathOf<M>> =
  paths[P] extends Readonly<Record<M, infer Of>> ? Of : never;

/** What a request says beside its method and path; only what the operation knows, and all that it must have. */
export type Ask<Of> = PathPart<Of> & QueryPart<Of> & BodyPart<Of>;
/** Nothing if a request need not say more. */
export type Asks<Of> = object extends Ask<Of> ? readonly [ask?: Ask<Of>] : readonly [ask: Ask<Of>];

type Parameters<Of> = Of extends { readonly parameters: infer Part } ? Part : never;
type PathPart<Of> =
  Parameters<Of> extends { readonly path: infer Path } ? { readonly path: Path } : { readonly path?: never };
type QueryPart<Of> =
  Parameters<Of> extends { readonly query: infer Query }
    ? { readonly query: Query }
    : Parameters<Of> extends { readonly query?: infer Query }
      ? { readonly query?: Query }
      : never;
type BodyPart<Of> = Of extends { readonly requestBody: Json<infer Body> }
  ? { readonly body: Body }
  : { readonly body?: never };

/** The answer to a request that is not refused; null if there is none to read. */
export type AnswerOf<Of> = Of extends { readonly responses: infer Responses }
  ? { [S in keyof Responses & Success]: Responses[S] extends Json<infer Answer> ? Answer : null }[keyof Responses &
      Success]
  : never;

type Success = 200 | 201 | 202 | 204;
interface Json<Content> {
  readonly content: { readonly "application/json": Content };
}
