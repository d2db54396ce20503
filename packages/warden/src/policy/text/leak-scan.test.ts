import { describe, expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { createRedaction } from "../secrets/redaction.ts";
import { createLeakScan } from "./leak-scan.ts";

const GITHUB = `ghp_${"aB3".repeat(12)}`;
const VALUE = 'a "secret" value';

const setUp = () => {
  const redaction = createRedaction();
  redaction.learn("house", "ONE", VALUE);
  return { redaction, scan: createLeakScan(redaction) };
};

const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ model: "m", system: [{ text: "Be kind.", stable: true }], tools: [], toolUse: "allowed", maxOutputTokens: 1 },
  messages: [
    { role: "user", text: `my own key is ${GITHUB}` },
    { role: "assistant", text: "", toolCalls: [{ id: "a", name: "read", input: { path: "x" } }] },
    { role: "tool", call: "a", name: "read", text, failed: false },
  ],
  ...more,
});

describe("the leak scan", () => {
  test("keeps the remedy of an error, without a secret in it", () => {
    const { scan } = setUp();
    const error = (provider: string) => ({
      ...({ code: "provider.auth", message: "x", remedy: { code: "check-provider", provider } } as const),
    });
    expect(scan.redactError(error("anthropic"))).toEqual(error("anthropic"));
    expect(scan.redactError(error(VALUE)).remedy?.provider).toBe("[secret ONE]");
  });

  test("replaces secrets of the house and likely keys in a tool's result, and says so in it", () => {
    const { scan } = setUp();
    const text = scan.redactResult(`a ${VALUE} b ${GITHUB} c`);
    expect(text).toStartWith(
      "a [secret ONE] b [left out: github] c\n\n[Hearth left out what looks like a secret: github.",
    );
    expect(scan.redactResult("nothing of the kind")).toBe("nothing of the kind");
    expect(scan.redactResult(`only ${VALUE}`)).toBe("only [secret ONE]");
  });

  test("is idempotent", () => {
    const { scan } = setUp();
    const once = scan.redactResult(`a ${VALUE} b ${GITHUB}`);
    expect(scan.redactResult(once)).toBe(once);
    expect(scan.redactOutgoing(once)).toBe(once);
  });

  test("removes them from outgoing text and from errors", () => {
    const { scan } = setUp();
    expect(scan.redactOutgoing(`${VALUE} and ${GITHUB}`)).toBe("[secret ONE] and [left out: github]");
    expect(
      scan.redactError({ code: "provider.auth", message: `Unknown user ${VALUE}`, hint: `Check ${GITHUB}` }),
    ).toEqual({
      code: "provider.auth",
      message: "Unknown user [secret ONE]",
      hint: "Check [left out: github]",
    });
    expect(scan.redactError({ code: "provider.auth", message: "no" })).toEqual({
      code: "provider.auth",
      message: "no",
    });
  });

  test("finds them between invisible characters", () => {
    const { scan } = setUp();
    expect(scan.redactOutgoing(VALUE.split("").join("\u200b"))).toBe("[secret ONE]");
    expect(scan.redactOutgoing(GITHUB.split("").join("\u{E0061}"))).toBe("[left out: github]");
  });

  test("removes secrets from a whole model request, and likely keys from tool results", () => {
    const { scan } = setUp();
    const clean = scan.redactRequest(
      request(`file: ${GITHUB} ${VALUE}`, { system: [{ text: `Remember ${VALUE}`, stable: true }] }),
    );
    const text = JSON.stringify(clean);
    expect(text).not.toContain(JSON.stringify(VALUE).slice(1, -1));
    expect(clean.system[0]?.text).toBe("Remember [secret ONE]");
    expect(clean.messages.at(-1)).toMatchObject({
      text: expect.stringMatching(/^file: \[left out: github\] \[secret ONE\]\n/),
    });
    // A person may send their own key.
    expect(clean.messages[0]).toMatchObject({ text: `my own key is ${GITHUB}` });
  });

  test("leaves a request without secrets unchanged", () => {
    const { scan } = setUp();
    expect(scan.redactRequest(request("fine"))).toEqual(request("fine"));
    expect(createLeakScan(createRedaction()).redactRequest(request("fine"))).toEqual(request("fine"));
  });
});
