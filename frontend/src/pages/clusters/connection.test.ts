import { describe, expect, it } from "vitest";
import type { Cluster } from "../../api/types";
import { describeSecurity, listEndingCertificates, listParts, makeConnection, write } from "./connection";

const ORDERS: Cluster = {
  name: "orders",
  bootstrap_servers: "kafka:9092",
  config: {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "SCRAM-SHA-512",
    "sasl.username": "ada",
    "client.id": "us",
  },
  secrets: ["sasl.password"],
  certificates: [],
  prefix: "",
  jobs: [],
  is_local: false,
  no_answer: null,
  registry: null,
};

describe("a connection", () => {
  it("asks for what its protocol needs", () => {
    expect(listParts("PLAINTEXT", undefined)).toEqual([]);
    expect(listParts("SASL_PLAINTEXT", "PLAIN").map(({ label }) => label)).toEqual(["Mechanism", "User", "Password"]);
    expect(listParts("SSL", undefined).every(({ isOptional }) => isOptional)).toBe(true);
    expect(listParts("SASL_SSL", undefined)).toHaveLength(7);
  });

  it("asks for a client where tokens are wanted, and sends no user", () => {
    const form = { ...write(ORDERS), texts: { "sasl.mechanism": "OAUTHBEARER", "sasl.oauthbearer.client.id": "job" } };

    expect(listParts("SASL_SSL", "OAUTHBEARER").map(({ label }) => label)).toContain("Token endpoint");
    expect(makeConnection({ ...form, secrets: new Set(["sasl.oauthbearer.client.secret"]) }).config).toEqual({
      "security.protocol": "SASL_SSL",
      "sasl.mechanism": "OAUTHBEARER",
      "sasl.oauthbearer.client.id": "job",
      "sasl.oauthbearer.client.secret": null,
    });
  });

  it("tells of certificates near their end", () => {
    const certificates = [
      { setting: "ssl.ca.pem", days: 400, ends_at: "2028-01-01T00:00:00Z" },
      { setting: "ssl.certificate.pem", days: 9, ends_at: "2026-12-05T10:00:00Z" },
      { setting: "https.ca.pem", days: -1, ends_at: "2026-11-25T10:00:00Z" },
      { setting: "broker kafka1:9093", days: 1, ends_at: "2026-11-27T10:00:00Z" },
    ];

    expect(listEndingCertificates({ certificates })).toEqual([
      "Client certificate: ends in 9 days, on 2026-12-05",
      "CA of the token endpoint: ended on 2026-11-25",
      "Certificate of kafka1:9093: ends in 1 day, on 2026-11-27",
    ]);
  });

  it("leaves a password as it is kept until another is typed", () => {
    const form = write(ORDERS);

    const changed = { ...form, texts: { ...form.texts, "sasl.password": "new" } };

    expect(makeConnection(form).config).toHaveProperty(["sasl.password"], null);
    expect(makeConnection(changed).config).toHaveProperty(["sasl.password"], "new");
  });

  it("drops what another protocol has no use for, and keeps settings the form does not show", () => {
    const form = { ...write(ORDERS), protocol: "PLAINTEXT" as const };

    expect(makeConnection(form)).toEqual({
      bootstrap_servers: "kafka:9092",
      prefix: "",
      config: { "client.id": "us" },
    });
  });

  it("sends the mechanism that is shown though nobody chose it", () => {
    const form = { ...write(null), servers: " kafka:9092 ", protocol: "SASL_PLAINTEXT" as const };

    expect(makeConnection(form)).toEqual({
      bootstrap_servers: "kafka:9092",
      prefix: "",
      config: { "security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN" },
    });
  });

  it("is told in a few words", () => {
    expect(describeSecurity(ORDERS)).toBe("SASL_SSL as ada");
    expect(describeSecurity({ config: {} })).toBe("PLAINTEXT");
  });
});
