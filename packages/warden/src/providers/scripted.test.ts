import type { ErrorBody } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { ask, codeOf, collect, providerConformance } from "./provider.conformance.ts";
import { createScriptedProvider, type ScriptedReply } from "./scripted.ts";

const failing = (code: ErrorBody["code"]): ScriptedReply => ({ error: { code, message: "It is so written." } });
const never = new AbortController().signal;

providerConformance<ScriptedReply>("scripted", {
  open(replies) {
    const provider = createScriptedProvider(replies);
    let streaming = 0;
    return Promise.resolve({
      provider: {
        ...provider,
        async *stream(request, signal) {
          streaming += 1;
          try {
            yield* provider.stream(request, signal);
          } finally {
            streaming -= 1;
          }
        },
      },
      world: createFakeWorld({ hash: () => "" }),
      calls: () => provider.requests.length,
      openConnections: () => streaming,
    });
  },
  saying: (text) => ({ text }),
  calling: (calls, text) => ({ text, toolCalls: calls }),
  stopping: (stopReason, text) => ({ text, stopReason }),
  silent: (text) => ({ hang: true, text }),
  unauthorized: () => failing("provider.auth"),
  rateLimited: () => failing("provider.rate-limited"),
  overloaded: () => failing("provider.overloaded"),
  failing: () => failing("provider.failed"),
  contextOverflow: () => failing("provider.context-overflow"),
});

describe("a scripted provider", () => {
  test("keeps what it was asked, as it was then", async () => {
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

  test("may answer by a rule", async () => {
    const provider = createScriptedProvider((request, call) => ({ text: `${call}: ${request.messages.length}` }));
    expect((await collect(provider.stream(ask("Hello"), never))).deltas.join("")).toBe("0: 1");
  });

  test("passes on how long to wait", async () => {
    const provider = createScriptedProvider([
      { error: { code: "provider.rate-limited", message: "Slow down." }, retryAfterMs: 5 },
    ]);
    expect((await collect(provider.stream(ask("Hello"), never))).last).toMatchObject({ retryAfterMs: 5 });
  });
});
