import { describe, expect, test } from "bun:test";
import { ask, codeOf, collect, collectModels, providerConformance } from "../provider.conformance.ts";
import { createScriptedProvider } from "./scripted.ts";
import { scriptedHarness } from "./scripted-harness.conformance.ts";

const never = new AbortController().signal;

providerConformance(
  "scripted",
  scriptedHarness((scripted) => scripted),
);

describe("a scripted provider", () => {
  test("records its requests as they were at that time", async () => {
    const provider = createScriptedProvider([{ text: "one" }, { text: "two" }]);
    const messages = [{ role: "user" as const, text: "first" }];
    await collect(provider.stream({ ...ask(""), messages }, never));
    messages.push({ role: "user", text: "second" });
    await collect(provider.stream({ ...ask(""), messages }, never));
    expect(provider.requests.map((request) => request.messages.length)).toEqual([1, 2]);
  });

  test("fails once its script is over", async () => {
    expect(codeOf(await collect(createScriptedProvider([]).stream(ask("Hello"), never)))).toBe("provider.failed");
  });

  test("can answer by a rule", async () => {
    const provider = createScriptedProvider((request, call) => ({ text: `${call}: ${request.messages.length}` }));
    expect((await collect(provider.stream(ask("Hello"), never))).deltas.join("")).toBe("0: 1");
  });

  test("passes on the requested wait", async () => {
    const provider = createScriptedProvider([
      { error: { code: "provider.rate-limited", message: "Slow down." }, retryAfterMs: 5 },
    ]);
    expect((await collect(provider.stream(ask("Hello"), never))).last).toMatchObject({ retryAfterMs: 5 });
  });

  test("can fail in the middle of its text", async () => {
    const provider = createScriptedProvider([
      { text: "half a", error: { code: "provider.failed", message: "No more." } },
    ]);
    const { deltas, last } = await collect(provider.stream(ask("Hello"), never));
    expect([deltas.join(""), last]).toEqual([
      "half a",
      { type: "error", error: { code: "provider.failed", message: "No more." } },
    ]);
  });

  test("has its own model", async () => {
    expect(await collectModels(createScriptedProvider([]).models(never))).toEqual(["scripted"]);
  });
});
