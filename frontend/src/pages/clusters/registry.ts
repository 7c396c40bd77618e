/** The connection to a cluster's schema registry, in its form and in the API. */
import type { Access, Cluster, Connection } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { listSettings, TLS, type Part, type Settings } from "./connection";

export const SIGN_INS = ["none", "password", "token"] as const;
export type SignIn = (typeof SIGN_INS)[number];

const PASSWORD: readonly Part[] = [
  { setting: "basic.auth.user", label: "User", kind: "text" },
  { setting: "basic.auth.password", label: "Password", kind: "password" },
];
const TOKEN: readonly Part[] = [
  { setting: "bearer.auth.issuer.endpoint.url", label: "Token endpoint", kind: "text" },
  { setting: "bearer.auth.client.id", label: "Client", kind: "text" },
  { setting: "bearer.auth.client.secret", label: "Client secret", kind: "password" },
  { setting: "bearer.auth.scope", label: "Scope", kind: "text", isOptional: true },
  { setting: "bearer.auth.logical.cluster", label: "Logical cluster", kind: "text", isOptional: true },
  { setting: "bearer.auth.identity.pool.id", label: "Identity pool", kind: "text", isOptional: true },
];

export interface RegistryForm extends Settings {
  readonly url: string;
  readonly isInternal: boolean;
  readonly signIn: SignIn;
}

/** The settings of an address and a sign-in, in the order of the form. */
export function listRegistryParts({ url, signIn }: Pick<RegistryForm, "url" | "signIn">): Part[] {
  const login = { none: [], password: PASSWORD, token: TOKEN }[signIn];
  return url.trim() === "" ? [] : [...login, ...(url.trim().startsWith("https:") ? TLS : [])];
}

export function writeRegistry(cluster: Pick<Cluster, "registry"> | null): RegistryForm {
  const registry = cluster?.registry ?? null;
  const texts = registry?.config ?? {};
  const signIn = "basic.auth.user" in texts ? "password" : "bearer.auth.client.id" in texts ? "token" : "none";
  return {
    url: registry?.url ?? "",
    isInternal: registry?.is_internal ?? false,
    signIn,
    texts,
    secrets: new Set(registry?.secrets ?? []),
  };
}

/** The registry with the settings of its sign-in. */
export function makeRegistry(form: RegistryForm): NonNullable<Connection["registry"]> {
  const config = Object.fromEntries(listSettings(listRegistryParts(form), form));
  return { url: form.url.trim(), is_internal: form.isInternal, config };
}

/** What a registry lets its user do, in words. */
export function describeAccess(access: Access): string {
  const allowed = [
    ...(access.may_read ? ["read schemas"] : []),
    ...(access.subjects === null ? [] : [`list its ${formatAmount(access.subjects, "subject")}`]),
    ...(access.may_register ? ["register schemas"] : []),
  ];
  const denied = [
    ...(access.may_read ? [] : ["read schemas"]),
    ...(access.may_list ? [] : ["list subjects"]),
    ...(access.may_register ? [] : ["register schemas"]),
  ];
  const level = access.level === "" ? "" : ` Global compatibility: ${access.level}.`;
  const not = denied.length === 0 ? "" : ` It may not ${denied.join(" or ")}.`;
  return `Schema registry answers. The user may ${allowed.join(", ") || "do nothing here"}.${not}${level}`;
}
