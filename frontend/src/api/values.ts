/** Limits and closed lists as the server states them. `make types` writes this file. */
export const MAX_LENGTHS = {
  caseName: 100,
  channelAddress: 1000,
  channelName: 100,
  deployMessage: 500,
  expression: 4096,
  nodeId: 64,
  note: 4000,
  principal: 256,
  silenceReason: 200,
  tokenName: 100,
  topologyName: 100,
  userName: 150,
} as const;
export const MAX_FEED_RATE = 50000 as const;
export const MAX_DEAD_LETTERS_CHOICE = 10000 as const;
export const MAX_PRECISION = 38 as const;
export const MAX_TOKEN_DAYS = 366 as const;
export const STALE_MS = 5000 as const;
export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "grey"] as const;
export const MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"] as const;
export const PROTOCOLS = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] as const;
export const PURPOSES = ["count", "join", "window", "detect", "clean", "move"] as const;
export const ROLES = ["viewer", "editor", "operator", "administrator"] as const;
