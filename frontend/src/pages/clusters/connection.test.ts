import { describe, expect, it } from "vitest";
import type { Cluster } from "../../api/types";
import { connectionOf, partsOf, securityOf, write } from "./connection";

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
  prefix: "",
  jobs: [],
  is_local: false,
};

describe("a connection", () => {
  it("asks for what its protocol needs", () => {
    expect(partsOf("PLAINTEXT")).toEqual([]);
    expect(partsOf("SASL_PLAINTEXT").map(({ label }) => label)).toEqual(["Mechanism", "User", "Password"]);
    expect(partsOf("SSL").every(({ optional }) => optional)).toBe(true);
    expect(partsOf("SASL_SSL")).toHaveLength(7);
  });

  it("leaves a password as it is kept until another is typed", () => {
    const form = write(ORDERS);

    const changed = { ...form, texts: { ...form.texts, "sasl.password": "new" } };

    expect(connectionOf(form).config).toHaveProperty(["sasl.password"], null);
    expect(connectionOf(changed).config).toHaveProperty(["sasl.password"], "new");
  });

  it("drops what another protocol has no use for, and keeps settings the form does not show", () => {
    const form = { ...write(ORDERS), protocol: "PLAINTEXT" as const };

    expect(connectionOf(form)).toEqual({ bootstrap_servers: "kafka:9092", prefix: "", config: { "client.id": "us" } });
  });

  it("sends the mechanism that is shown though nobody chose it", () => {
    const form = { ...write(null), servers: " kafka:9092 ", protocol: "SASL_PLAINTEXT" as const };

    expect(connectionOf(form)).toEqual({
      bootstrap_servers: "kafka:9092",
      prefix: "",
      config: { "security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN" },
    });
  });

  it("is told in a few words", () => {
    expect(securityOf(ORDERS)).toBe("SASL_SSL as ada");
    expect(securityOf({ config: {} })).toBe("PLAINTEXT");
  });
});
