import { describe, expect, test } from "bun:test";
import { ErrorBody } from "./error-schema.ts";
import { errorStatus, fromErrorBody, HearthError, isErrorCode, isHearthError, toErrorBody } from "./error.ts";

describe("a failure", () => {
  const error = new HearthError("provider.auth", "No.", { hint: "Run `hearth key set`.", cause: 7 });

  test("has a code, a message, a hint and a cause", () => {
    expect(error).toMatchObject({
      name: "HearthError",
      code: "provider.auth",
      message: "No.",
      hint: "Run `hearth key set`.",
      cause: 7,
    });
    expect("cause" in new HearthError("provider.auth", "No.")).toBe(false);
  });

  test("keeps the time before a retry when it is serialized", () => {
    const limited = new HearthError("provider.rate-limited", "Too many.", { retryAfterMs: 1500 });
    expect(fromErrorBody(ErrorBody.parse(toErrorBody(limited))).retryAfterMs).toBe(1500);
  });

  test("is recognized by its brand, also from another copy of the class, and not by its name", () => {
    const copy = Object.assign(new Error("No."), { [Symbol.for("hearth.error")]: true, code: "store.locked" });
    const named = Object.assign(new Error("No."), { name: "HearthError", code: "store.locked" });
    expect([isHearthError(copy), isHearthError(copy, "store.locked"), isHearthError(copy, "tool.denied")]).toEqual([
      true,
      true,
      false,
    ]);
    for (const other of [named, new Error("No."), { code: "store.locked" }, "HearthError", undefined, null])
      expect(isHearthError(other)).toBe(false);
  });

  test("survives serialization, with and without a hint", () => {
    for (const sent of [error, new HearthError("store.locked", "Busy.")]) {
      const body = ErrorBody.parse(JSON.parse(JSON.stringify(toErrorBody(sent))));
      const back = fromErrorBody(body);
      expect([back.code, back.message, back.hint]).toEqual([sent.code, sent.message, sent.hint]);
    }
    expect(Object.keys(toErrorBody(new HearthError("store.locked", "Busy.")))).toEqual(["code", "message"]);
  });

  test("that is not a HearthError is serialized as `house.bug` without its text", () => {
    for (const thrown of [
      new TypeError("the key is sk-secret"),
      "sk-secret",
      { code: "provider.auth", message: "sk-secret" },
      undefined,
    ]) {
      const body = toErrorBody(thrown);
      expect(body.code).toBe("house.bug");
      expect(JSON.stringify(body)).not.toContain("sk-secret");
    }
  });
});

describe("the table of error codes", () => {
  test("has an area, a reason and an HTTP error status for every code", () => {
    for (const [code, status] of Object.entries(errorStatus)) {
      expect(code).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/);
      expect(status >= 400 && status < 600).toBe(true);
    }
  });

  test("accepts its own codes and no inherited property names", () => {
    expect(isErrorCode("auth.missing")).toBe(true);
    for (const code of ["auth", "auth.missing ", "toString", "__proto__", ""]) expect(isErrorCode(code)).toBe(false);
  });

  test("matches the schema of the wire format", () => {
    expect(ErrorBody.safeParse({ code: "auth.missing", message: "" }).success).toBe(true);
    expect(ErrorBody.safeParse({ code: "auth.nonsense", message: "" }).success).toBe(false);
  });
});
