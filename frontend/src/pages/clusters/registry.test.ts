import { describe, expect, it } from "vitest";
import { describeAccess, listRegistryParts, makeRegistry, writeRegistry } from "./registry";

const GUARDED = {
  registry: {
    url: "https://registry:8081",
    config: { "basic.auth.user": "ada" },
    secrets: ["basic.auth.password"],
    is_internal: true,
  },
};

describe("a schema registry", () => {
  it("asks for nothing without an address", () => {
    expect(listRegistryParts(writeRegistry(null))).toEqual([]);
    expect(makeRegistry(writeRegistry({ registry: null }))).toEqual({ url: "", is_internal: false, config: {} });
  });

  it("keeps a secret that is not typed again", () => {
    expect(makeRegistry(writeRegistry(GUARDED))).toEqual({
      url: "https://registry:8081",
      is_internal: true,
      config: { "basic.auth.user": "ada", "basic.auth.password": null },
    });
  });

  it("sends only the settings of its sign-in, and asks for certificates with https", () => {
    const form = { ...writeRegistry(GUARDED), signIn: "none" as const };

    expect(makeRegistry(form).config).toEqual({});
    expect(listRegistryParts(form)).toHaveLength(4);
    expect(listRegistryParts({ ...form, url: "http://registry:8081" })).toEqual([]);
  });

  it("says what its user may and may not do", () => {
    const access = { may_read: true, may_list: true, may_register: true, level: "BACKWARD", subjects: 1 };

    expect(describeAccess(access)).toBe(
      "Schema registry answers. The user may read schemas, list its 1 subject, register schemas. " +
        "Global compatibility: BACKWARD.",
    );
    expect(describeAccess({ ...access, may_list: false, may_register: false, subjects: null, level: "" })).toBe(
      "Schema registry answers. The user may read schemas. It may not list subjects or register schemas.",
    );
    const none = { may_read: false, may_list: false, may_register: false, subjects: null, level: "" };
    expect(describeAccess({ ...access, ...none })).toBe(
      "Schema registry answers. The user may do nothing here. It may not read schemas or list subjects or " +
        "register schemas.",
    );
  });
});
