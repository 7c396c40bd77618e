/** Requests and answers of each API path, from the generated types. */
import type { paths } from "./schema";

export type Method = "get" | "post" | "put" | "patch" | "delete";
/** The paths that a method has. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];
/** A method of a path, as the API describes it. */
export type Operation<M extends Method, P extends PathOf<M>> =
  paths[P] extends Readonly<Record<M, infer Of>> ? Of : never;

/** The rest of a request beside its method and path: only members of the operation, and all required ones. */
export type Ask<Of> = PathPart<Of> & QueryPart<Of> & BodyPart<Of>;
/** Empty if a request needs nothing more. */
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

/** The answer to an accepted request, or null if it has no body. */
export type AnswerOf<Of> = Of extends { readonly responses: infer Responses }
  ? { [S in keyof Responses & Success]: Responses[S] extends Json<infer Answer> ? Answer : null }[keyof Responses &
      Success]
  : never;

type Success = 200 | 201 | 202 | 204;
interface Json<Content> {
  readonly content: { readonly "application/json": Content };
}
