/** A connection as its form holds it, and as the API takes it. */
import type { Cluster, Connection } from "../../api/types";

export const PROTOCOLS = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] as const;
export const MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** A setting of the connection: Kafka's name for it, and how it is written. */
export interface Part {
  readonly setting: string;
  readonly label: string;
  readonly kind: "text" | "password" | "pem" | "mechanism";
  readonly optional?: boolean;
}

const LOGIN: readonly Part[] = [
  { setting: "sasl.mechanism", label: "Mechanism", kind: "mechanism" },
  { setting: "sasl.username", label: "User", kind: "text" },
  { setting: "sasl.password", label: "Password", kind: "password" },
];
const TLS: readonly Part[] = [
  { setting: "ssl.ca.pem", label: "CA certificate", kind: "pem", optional: true },
  { setting: "ssl.certificate.pem", label: "Client certificate", kind: "pem", optional: true },
  { setting: "ssl.key.pem", label: "Client key", kind: "pem", optional: true },
  { setting: "ssl.key.password", label: "Key password", kind: "password", optional: true },
];
const SECRETS: ReadonlySet<string> = new Set(["sasl.password", "ssl.key.pem", "ssl.key.password"]);

/** What a protocol asks for, in the order it is filled in. */
export function partsOf(protocol: Protocol): Part[] {
  return [...(protocol.startsWith("SASL") ? LOGIN : []), ...(protocol.endsWith("SSL") ? TLS : [])];
}

export interface Written {
  readonly name: string;
  readonly servers: string;
  readonly prefix: string;
  readonly protocol: Protocol;
  /** What was typed, by setting; a secret that is kept is not here. */
  readonly texts: Readonly<Record<string, string>>;
  /** Secrets the server has already. */
  readonly kept: ReadonlySet<string>;
}

export function write(cluster: Cluster | null): Written {
  const config = cluster?.config ?? {};
  const { "security.protocol": protocol = "PLAINTEXT", ...texts } = config;
  return {
    name: cluster?.name ?? "",
    servers: cluster?.bootstrap_servers ?? "",
    prefix: cluster?.prefix ?? "",
    protocol: PROTOCOLS.find((known) => known === protocol) ?? "PLAINTEXT",
    texts,
    kept: new Set(cluster?.secrets ?? []),
  };
}

/** The connection with what its protocol has use for; null leaves a secret as the server has it. */
export function connectionOf(form: Written): Pick<Connection, "bootstrap_servers" | "config" | "prefix"> {
  const { servers, prefix, protocol, texts, kept } = form;
  const parts = partsOf(protocol).flatMap(({ setting, kind }): [string, string | null][] => {
    const text = texts[setting] ?? (kind === "mechanism" ? MECHANISMS[0] : "");
    if (text !== "") return [[setting, text]];
    return SECRETS.has(setting) && kept.has(setting) ? [[setting, null]] : [];
  });
  const own = Object.entries(texts).filter(([setting]) => !KNOWN.has(setting));
  const security = protocol === "PLAINTEXT" ? [] : [["security.protocol", protocol] as const];
  const config = Object.fromEntries([...security, ...parts, ...own]);
  return { bootstrap_servers: servers.trim(), prefix: prefix.trim(), config };
}

const KNOWN: ReadonlySet<string> = new Set([...LOGIN, ...TLS].map(({ setting }) => setting));

/** How a cluster is reached, in a few words. */
export function securityOf({ config }: Pick<Cluster, "config">): string {
  const protocol = config["security.protocol"] ?? "PLAINTEXT";
  const user = config["sasl.username"];
  return user === undefined ? protocol : `${protocol} as ${user}`;
}
