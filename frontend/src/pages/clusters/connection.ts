/** A connection in its form, and in the API. */
import type { Cluster, Connection } from "../../api/types";
import { MECHANISMS, PROTOCOLS } from "../../api/values";
import { formatAmount, formatCount } from "../../ui/text/format";

export type Protocol = (typeof PROTOCOLS)[number];

/** A setting of the connection: its name in Kafka, and its control. */
export interface Part {
  readonly setting: string;
  readonly label: string;
  readonly kind: "text" | "password" | "pem" | "mechanism";
  readonly isOptional?: boolean;
}

const MECHANISM: Part = { setting: "sasl.mechanism", label: "Mechanism", kind: "mechanism" };
const LOGIN: readonly Part[] = [
  { setting: "sasl.username", label: "User", kind: "text" },
  { setting: "sasl.password", label: "Password", kind: "password" },
];
const TOKENS: readonly Part[] = [
  { setting: "sasl.oauthbearer.token.endpoint.url", label: "Token endpoint", kind: "text" },
  { setting: "sasl.oauthbearer.client.id", label: "Client", kind: "text" },
  { setting: "sasl.oauthbearer.client.secret", label: "Client secret", kind: "password" },
  { setting: "sasl.oauthbearer.scope", label: "Scope", kind: "text", isOptional: true },
  { setting: "sasl.oauthbearer.extensions", label: "Extensions", kind: "text", isOptional: true },
  { setting: "https.ca.pem", label: "CA of the token endpoint", kind: "pem", isOptional: true },
];
export const TLS: readonly Part[] = [
  { setting: "ssl.ca.pem", label: "CA certificate", kind: "pem", isOptional: true },
  { setting: "ssl.certificate.pem", label: "Client certificate", kind: "pem", isOptional: true },
  { setting: "ssl.key.pem", label: "Client key", kind: "pem", isOptional: true },
  { setting: "ssl.key.password", label: "Key password", kind: "password", isOptional: true },
];
const ALL: readonly Part[] = [MECHANISM, ...LOGIN, ...TOKENS, ...TLS];

/** The settings of a protocol and a mechanism, in the order of the form. */
export function listParts(protocol: Protocol, mechanism: string | undefined): Part[] {
  const login = [MECHANISM, ...(mechanism === "OAUTHBEARER" ? TOKENS : LOGIN)];
  return [...(protocol.startsWith("SASL") ? login : []), ...(protocol.endsWith("SSL") ? TLS : [])];
}

/** What a form has for some parts. */
export interface Settings {
  /** Typed texts, by setting. A kept secret is not here. */
  readonly texts: Readonly<Record<string, string>>;
  /** Secrets that the server already has. */
  readonly secrets: ReadonlySet<string>;
}

/** The settings of some parts for the API. Null keeps the server's secret. */
export function listSettings(parts: readonly Part[], { texts, secrets }: Settings): [string, string | null][] {
  return parts.flatMap(({ setting, kind }): [string, string | null][] => {
    const text = texts[setting] ?? (kind === "mechanism" ? MECHANISMS[0] : "");
    if (text !== "") return [[setting, text]];
    return secrets.has(setting) ? [[setting, null]] : [];
  });
}

export interface ConnectionForm extends Settings {
  readonly name: string;
  readonly servers: string;
  readonly prefix: string;
  readonly protocol: Protocol;
}

export function write(cluster: Cluster | null): ConnectionForm {
  const config = cluster?.config ?? {};
  const { "security.protocol": protocol = "PLAINTEXT", ...texts } = config;
  return {
    name: cluster?.name ?? "",
    servers: cluster?.bootstrap_servers ?? "",
    prefix: cluster?.prefix ?? "",
    protocol: PROTOCOLS.find((name) => name === protocol) ?? "PLAINTEXT",
    texts,
    secrets: new Set(cluster?.secrets ?? []),
  };
}

/** The connection with the settings of its protocol. */
export function makeConnection(form: ConnectionForm): Pick<Connection, "bootstrap_servers" | "config" | "prefix"> {
  const { servers, prefix, protocol, texts } = form;
  const answers = listSettings(listParts(protocol, texts[MECHANISM.setting]), form);
  const own = Object.entries(texts).filter(([setting]) => !KNOWN.has(setting));
  const security = protocol === "PLAINTEXT" ? [] : [["security.protocol", protocol] as const];
  const config = Object.fromEntries([...security, ...answers, ...own]);
  return { bootstrap_servers: servers.trim(), prefix: prefix.trim(), config };
}

const KNOWN: ReadonlySet<string> = new Set(ALL.map(({ setting }) => setting));

/** The security of a cluster, in a few words. */
export function describeSecurity({ config }: Pick<Cluster, "config">): string {
  const protocol = config["security.protocol"] ?? "PLAINTEXT";
  const user = config["sasl.username"] ?? config["sasl.oauthbearer.client.id"];
  return user === undefined ? protocol : `${protocol} as ${user}`;
}

/** A certificate is shown this long before its end. */
const NEAR_DAYS = 30;

/** The certificates of a cluster that end soon or have ended, in words. */
export function listEndingCertificates({ certificates }: Pick<Cluster, "certificates">): string[] {
  return certificates
    .filter(({ days }) => days < NEAR_DAYS)
    .map(({ setting, days, ends_at }) => {
      const own = ALL.find((part) => part.setting === setting)?.label;
      const label = own ?? setting.replace(/^broker /, "Certificate of ");
      const day = ends_at.slice(0, 10);
      return days < 0 ? `${label}: ended on ${day}` : `${label}: ends in ${formatAmount(days, "day")}, on ${day}`;
    });
}

/** What the jobs on a cluster do while it does not answer. */
export function describeWaiting(jobs: number): string {
  if (jobs === 0) return "";
  const [who, verb] = jobs === 1 ? ["The job on it", "continues"] : [`The ${formatCount(jobs)} jobs on it`, "continue"];
  return ` ${who} lose${jobs === 1 ? "s" : ""} nothing, and ${verb} when it answers again.`;
}
