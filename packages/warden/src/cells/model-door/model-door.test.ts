import { describe, expect, test } from "bun:test";
import { HearthError, MAX_JSON_DEPTH, MAX_MESSAGE_LENGTH, type Usage } from "@hearth/protocol";
import type { EgressCaller } from "../egress/tokens.ts";
import { AGENT, TURN } from "../../fixtures/egress.ts";
import { createTestDoor, textOf } from "../../fixtures/model-door.ts";
import type { Provider } from "../../models/provider.ts";
import { KEEP_ALIVE_PAUSE_MS } from "./model-stream.ts";
import { MAX_CALLS, MAX_REQUEST_SIZE } from "./model-door.ts";

const USAGE: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
const USER = [{ role: "user", content: "hi" }];
const ASKED = { model: "any", messages: USER };
/** Both API shapes, for their common behaviour. */
const PATHS = ["/v1/messages", "/v1/chat/completions"] as const;
const wordsOf = (json: { readonly error: { readonly message: string } }): string => json.error.message;

describe("the model door", () => {
  test("calls the model of the agent's record, or the default model", async () => {
    const named = createTestDoor({ script: [{ text: "a" }], content: { model: "one/two/three", fallback: [] } });
    await named.ask("POST", "/v1/messages", { ...ASKED, model: "claude-of-my-dreams" });
    expect([named.resolved, named.model.requests[0]?.model]).toEqual([[["one/two/three"]], "two/three"]);
    const { model: _model, ...bare } = { model: 0, name: "Main", kind: "bot" } as const;
    const plain = createTestDoor({ script: [{ text: "a" }], content: { ...bare, model: "offline/basic" } });
    await plain.ask("POST", "/v1/chat/completions", ASKED);
    expect(plain.resolved[0]?.[0]).toBe("offline/basic");
  });

  test("serves its own paths only, and reports others in the client's API shape", async () => {
    const { ask, resolved } = createTestDoor({ script: [] });
    const there = "It has POST /v1/messages, POST /v1/chat/completions and GET /v1/models.";
    const none = await ask("POST", "/v1/messages/count_tokens", ASKED);
    expect([none.status, none.json]).toEqual([
      404,
      {
        type: "error",
        error: { type: "not_found_error", message: `model.hearth has no POST /v1/messages/count_tokens. ${there}` },
      },
    ]);
    for (const [method, path] of [
      ["GET", "/v1/chat/completions"],
      ["POST", "/v1/models"],
      ["POST", "/v1/responses"],
      ["GET", "/"],
      ["POST", "/constructor"],
    ] as const) {
      const { status, json } = await ask(method, path);
      expect([status, json.error.code, wordsOf(json)]).toEqual([
        404,
        "request.not-found",
        `model.hearth has no ${method} ${path}. ${there}`,
      ]);
    }
    expect(resolved).toEqual([]);
  });

  test("refuses invalid JSON, deep nesting, invalid UTF-8 and large bodies before calling a model", async () => {
    const { ask, resolved } = createTestDoor({ script: [] });
    const deep = `{"messages":${"[".repeat(MAX_JSON_DEPTH)}${"]".repeat(MAX_JSON_DEPTH)}}`;
    for (const path of PATHS) {
      for (const body of ["", "{", "[]", '"text"', deep, '{"messages":[{"role":"user","content":"\\ud800"}]}']) {
        const { status, json } = await ask("POST", path, body);
        expect([path, body, status, json.error.type]).toEqual([path, body, 400, "invalid_request_error"]);
      }
      const large = await ask("POST", path, { ...ASKED, user: "x".repeat(MAX_REQUEST_SIZE) });
      expect([large.status, wordsOf(large.json)]).toEqual([413, expect.stringContaining("larger than 8388608 bytes")]);
    }
    expect(resolved).toEqual([]);
  });

  test("translates provider failures to the vendor's status and retry headers", async () => {
    const expected = [
      ["provider.auth", 403, "permission_error", "invalid_request_error"],
      ["provider.unknown", 404, "not_found_error", "invalid_request_error"],
      ["provider.refused", 400, "invalid_request_error", "invalid_request_error"],
      ["provider.context-overflow", 400, "invalid_request_error", "invalid_request_error"],
      ["provider.rate-limited", 429, "rate_limit_error", "rate_limit_error"],
      ["provider.overloaded", 503, "overloaded_error", "server_error"],
      ["provider.timeout", 504, "timeout_error", "server_error"],
      ["provider.truncated", 502, "api_error", "server_error"],
    ] as const;
    for (const [code, status, ...types] of expected) {
      for (const [index, path] of PATHS.entries()) {
        for (const stream of [false, true]) {
          const { ask } = createTestDoor({ script: [{ error: { code, message: "It broke." } }] });
          const answer = await ask("POST", path, { ...ASKED, stream });
          expect([code, answer.status, answer.json.error.type, wordsOf(answer.json)]).toEqual([
            ...[code, status, types[index], "It broke."],
          ]);
          expect(answer.header("x-should-retry")).toBe("false");
        }
      }
    }
    const { ask } = createTestDoor({
      script: [{ error: { code: "provider.rate-limited", message: "Later." }, retryAfterMs: 1500 }],
    });
    expect((await ask("POST", "/v1/messages", ASKED)).header("retry-after")).toBe("2");
    const long = createTestDoor({ script: [{ error: { code: "provider.context-overflow", message: "Too long." } }] });
    expect((await long.ask("POST", "/v1/chat/completions", ASKED)).json.error.code).toBe("context_length_exceeded");
  });

  test("reports a missing provider in the API shape, and no details of an internal error", async () => {
    for (const path of PATHS) {
      const lost = createTestDoor({
        script: [],
        resolve: () => Promise.reject(new HearthError("provider.auth", "No key is set.", { hint: "Set one." })),
      });
      const { status, json } = await lost.ask("POST", path, ASKED);
      expect([status, wordsOf(json)]).toEqual([403, "No key is set. Set one."]);
      const broken = createTestDoor({ script: [], resolve: () => Promise.reject(new Error("canary")) });
      const answer = await broken.ask("POST", path, ASKED);
      expect([answer.status, JSON.stringify(answer.json).includes("canary")]).toEqual([500, false]);
      expect(broken.logLines.join()).toContain("the model door failed");
    }
  });

  test("scans requests and answers for secrets", async () => {
    const clean = (text: string): string => text.replaceAll("canary", "[secret]");
    const { ask, open, model } = createTestDoor({
      script: [
        { text: "ok" },
        { error: { code: "provider.failed", message: "Your key is canary." } },
        { text: "so ", error: { code: "provider.failed", message: "Your key is canary." } },
      ],
      leakScan: {
        redactRequest: (request) => JSON.parse(clean(JSON.stringify(request))),
        redactError: (error) => ({ ...error, message: clean(error.message) }),
      },
    });
    await ask("POST", "/v1/messages", { ...ASKED, messages: [{ role: "user", content: "It is canary." }] });
    expect(model.requests[0]?.messages).toEqual([{ role: "user", text: "It is [secret]." }]);
    expect(wordsOf((await ask("POST", "/v1/messages", ASKED)).json)).toBe("Your key is [secret].");
    const answer = await open("POST", "/v1/messages", { ...ASKED, stream: true });
    const text = await textOf(answer);
    expect([text.includes("canary"), text.includes("Your key is [secret].")]).toEqual([false, true]);
  });
});

describe("a call", () => {
  const hanging = { hang: true, text: "one two" } as const;

  test("ends with its turn, and reports its cost", async () => {
    for (const path of PATHS) {
      const { open, stop, model } = createTestDoor({ script: [hanging, hanging] });
      const whole = open("POST", path, ASKED);
      const answer = await open("POST", path, { ...ASKED, stream: true });
      const text = textOf(answer);
      stop();
      expect((await whole).status).toBe(499);
      expect(await text).toContain("The call was stopped.");
      expect(await answer.close()).toBeUndefined();
      expect(model.requests.length).toBe(2);
    }
  });

  test("is measured once as a call of the turn, with its cost or its failure, and nothing that it says", async () => {
    const failure = { code: "provider.overloaded", message: "Too much about cats." } as const;
    const { ask, spans } = createTestDoor({ script: [{ text: "cats", usage: USAGE }, { error: failure }] });
    await ask("POST", "/v1/messages", ASKED);
    await ask("POST", "/v1/chat/completions", { ...ASKED, stream: true });
    await ask("POST", "/v1/messages", { messages: [] });
    const facts = { provider: "scripted", model: "large", caller: "program" } as const;
    expect(spans).toEqual([
      { kind: "model", activation: TURN, facts: { ...facts, inputTokens: 10, outputTokens: 5, cachedTokens: 0 } },
      {
        kind: "model",
        activation: TURN,
        facts: { ...facts, inputTokens: 0, outputTokens: 0, cachedTokens: 0, error: "provider.overloaded" },
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain("cats");
  });

  test("ends when the client leaves, and its cost so far is known", async () => {
    let ended = "";
    const provider: Provider = {
      ...{ kind: "test", traits: { offline: true, carries: [] }, models: async () => [] },
      async *stream(_request, signal) {
        yield { type: "text-delta", text: "one" };
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        ended = "aborted";
        yield { type: "error", error: { code: "provider.aborted", message: "Stopped." }, usage: USAGE };
      },
    };
    const { open, world, spans } = createTestDoor({ script: [], resolve: async () => ({ provider, model: "m" }) });
    const answer = await open("POST", "/v1/messages", { ...ASKED, stream: true });
    if (answer.body instanceof Uint8Array) throw new Error("it came whole");
    const source = answer.body[Symbol.asyncIterator]();
    for (let piece = 0; piece < 2; piece += 1) await source.next();
    const silent = source.next();
    await world.advance(KEEP_ALIVE_PAUSE_MS);
    expect(new TextDecoder().decode((await silent).value)).toContain('"type":"ping"');
    await source.return?.();
    expect(await answer.close()).toEqual(USAGE);
    expect(spans.map(({ facts }) => facts.outputTokens)).toEqual([USAGE.outputTokens]);
    expect(ended).toBe("aborted");
  });

  test("that is silent for long sends a sign of life, also before its first text", async () => {
    for (const [path, sign] of [
      ["/v1/messages", 'event: ping\ndata: {"type":"ping"}\n\n'],
      ["/v1/chat/completions", ": nothing yet\n\n"],
    ] as const) {
      const first = Promise.withResolvers<void>();
      const { open, world } = createTestDoor({
        script: async () => {
          await first.promise;
          return { text: "late" };
        },
      });
      const opening = open("POST", path, { ...ASKED, stream: true });
      await world.advance(0);
      await world.advance(KEEP_ALIVE_PAUSE_MS);
      const answer = await opening;
      first.resolve();
      const text = await textOf(answer);
      expect([answer.status, text.split(sign).length, text.includes("late")]).toEqual([200, 2, true]);
    }
  });

  test("counts towards the concurrent calls of its turn until its answer is closed", async () => {
    const { open, ask } = createTestDoor({ script: () => hanging });
    const answers = await Promise.all(
      Array.from({ length: MAX_CALLS }, () => open("POST", "/v1/messages", { ...ASKED, stream: true })),
    );
    const refused = await ask("POST", "/v1/messages", ASKED);
    expect([refused.status, wordsOf(refused.json), refused.header("retry-after")]).toEqual([
      ...[
        429,
        "This turn already has 8 model calls in progress, which is the limit. Wait until one of them is answered.",
        "1",
      ],
    ]);
    const other: EgressCaller = { activation: TURN, agent: AGENT, signal: new AbortController().signal };
    const elsewhere = await open("POST", "/v1/messages", { ...ASKED, stream: true }, other);
    expect(elsewhere.status).toBe(200);
    await elsewhere.close();
    for (const answer of answers) {
      await answer.close();
      await answer.close();
    }
    // Closing twice frees one slot.
    const next = await Promise.all(
      Array.from({ length: MAX_CALLS + 1 }, () => open("POST", "/v1/messages", { ...ASKED, stream: true })),
    );
    expect(next.map(({ status }) => status)).toEqual([...Array<number>(MAX_CALLS).fill(200), 429]);
    for (const answer of next) await answer.close();
  });

  test("that is invalid takes no slot", async () => {
    const { ask } = createTestDoor({ script: () => ({ text: "ok" }) });
    for (let count = 0; count < MAX_CALLS + 2; count += 1)
      expect((await ask("POST", "/v1/messages", { ...ASKED, temperature: 2 })).status).toBe(400);
    expect((await ask("POST", "/v1/messages", ASKED)).status).toBe(200);
  });

  test("is cut off when the model does not stop", async () => {
    const { ask } = createTestDoor({ script: [{ text: "word ".repeat(MAX_MESSAGE_LENGTH / 5 + 1) }] });
    const { status, json } = await ask("POST", "/v1/messages", ASKED);
    expect([status, wordsOf(json)]).toEqual([502, expect.stringContaining("The model's answer exceeded")]);
  });

  test("reports its cost, whatever its result", async () => {
    for (const [reply, status] of [
      [{ text: "ok", usage: USAGE }, 200],
      [{ error: { code: "provider.failed", message: "No." }, usage: USAGE }, 502],
    ] as const) {
      for (const stream of [false, true]) {
        const { open } = createTestDoor({ script: [reply] });
        const answer = await open("POST", "/v1/chat/completions", { ...ASKED, stream });
        await textOf(answer);
        expect([answer.status, await answer.close()]).toEqual([status, USAGE]);
      }
    }
  });

  test("ends like its model: at the length limit, or with a refusal", async () => {
    for (const [stopReason, ...reasons] of [
      ["length", "max_tokens", "length"],
      ["refusal", "refusal", "content_filter"],
    ] as const) {
      const { ask } = createTestDoor({ script: () => ({ text: "so", stopReason }) });
      expect((await ask("POST", "/v1/messages", ASKED)).json.stop_reason).toBe(reasons[0]);
      expect((await ask("POST", "/v1/chat/completions", ASKED)).json.choices[0].finish_reason).toBe(reasons[1]);
    }
  });
});

test("a call with invalid arguments passes the model's text where the API has texts, else an empty object", async () => {
  const call = { id: "c1", name: "look", input: {}, unreadable: "{oops" };
  const { ask } = createTestDoor({ script: () => ({ toolCalls: [call] }) });
  const { json: completion } = await ask("POST", "/v1/chat/completions", ASKED);
  expect(completion.choices[0].message.tool_calls[0].function.arguments).toBe("{oops");
  const { json: message } = await ask("POST", "/v1/messages", ASKED);
  expect(message.content).toEqual([{ type: "tool_use", id: "c1", name: "look", input: {} }]);
});

describe("sealed reasoning of a vendor", () => {
  const CALL = { id: "call_1", name: "look", input: { at: "it" } };
  const vendor = { wire: "test", data: "sealed-thoughts" };
  const open = () => {
    const asked: unknown[] = [];
    const provider: Provider = {
      ...{ kind: "test", traits: { offline: true, carries: [] }, models: async () => [] },
      async *stream(request) {
        asked.push(request.messages.at(-2));
        const message = { role: "assistant" as const, text: "", toolCalls: [CALL], vendor };
        yield { type: "end", message, stopReason: "tool-calls", usage: USAGE };
      },
    };
    return { asked, ...createTestDoor({ script: [], resolve: async () => ({ provider, model: "m" }) }) };
  };

  test("stays in the house and is restored with the results of the same calls, in both shapes", async () => {
    const results = {
      "/v1/messages": (input: object) => [
        ...USER,
        { role: "assistant", content: [{ type: "tool_use", ...CALL, input }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "seen" }] },
      ],
      "/v1/chat/completions": (input: object) => [
        ...USER,
        {
          role: "assistant",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "look", arguments: JSON.stringify(input) } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "seen" },
      ],
    };
    for (const path of PATHS) {
      const { ask, asked } = open();
      const first = await ask("POST", path, ASKED);
      expect(JSON.stringify(first.json)).not.toContain("sealed-thoughts");
      await ask("POST", path, { ...ASKED, messages: results[path](CALL.input) });
      await ask("POST", path, { ...ASKED, messages: results[path]({ at: "another" }) });
      expect(asked.slice(1)).toEqual([
        { role: "assistant", text: "", toolCalls: [CALL], vendor },
        { role: "assistant", text: "", toolCalls: [{ ...CALL, input: { at: "another" } }] },
      ]);
    }
  });
});
