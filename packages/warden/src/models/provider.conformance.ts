/**
 * The contract of `Provider` as tests. The harness plays the vendor; clauses for wires only are in
 * `wire.conformance.ts`.
 */
import { isHearthError, MAX_UNREADABLE, type ModelEvent, type ModelRequest, type ToolCall } from "@hearth/protocol";
import type { FakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import type { Provider } from "./provider.ts";

export interface OpenProvider {
  readonly provider: Provider;
  readonly world: FakeWorld;
  /** Calls that reached the vendor. */
  calls(): number;
  /** Connections that neither side has closed. */
  openConnections(): number;
}

export interface ProviderHarness<Reply> {
  /** Answers the n-th call with the n-th reply. */
  open(replies: readonly Reply[]): Promise<OpenProvider>;
  saying(text: string): Reply;
  /** A call with `unreadable` has that text as its arguments. */
  calling(calls: readonly ToolCall[], text: string): Reply;
  /** The model was cut off or declined after `text`, possibly in the middle of these calls. */
  stopping(reason: "length" | "refusal", text: string, calls: readonly ToolCall[]): Reply;
  /** Has these models. */
  listing(names: readonly string[]): Reply;
  /** Sends `text` and then nothing. */
  silent(text: string): Reply;
  unauthorized(): Reply;
  rateLimited(): Reply;
  overloaded(): Reply;
  failing(): Reply;
  contextOverflow(): Reply;
}

export type Retry = Extract<ModelEvent, { type: "retry" }>;
export type Last = Exclude<ModelEvent, { type: "text-delta" } | Retry>;
export interface Answer {
  readonly deltas: readonly string[];
  readonly retries: readonly Retry[];
  readonly last: Last;
}

export const ask = (text: string): ModelRequest => ({
  model: "some-model",
  system: [{ text: "You are kind.", stable: true }],
  messages: [{ role: "user", text }],
  tools: [
    {
      name: "read",
      description: "Read a file.",
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
    },
  ],
  toolUse: "allowed",
  maxOutputTokens: 1000,
});

/**
 * Reads a stream to its end and checks the contract: retries, then deltas, then one last event; the
 * deltas join to the text.
 */
export const collect = async (stream: AsyncIterable<ModelEvent>): Promise<Answer> => {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  const deltas = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  const retries = events.flatMap((event) => (event.type === "retry" ? [event] : []));
  const last = events.at(-1);
  if (last === undefined || last.type === "text-delta" || last.type === "retry")
    throw new Error("The stream has no last event.");
  expect(deltas).toHaveLength(events.length - 1 - retries.length);
  expect(events.slice(0, retries.length)).toEqual(retries);
  expect(deltas).not.toContain("");
  if (last.type === "end") {
    expect(deltas.join("")).toBe(last.message.text);
    const ids = last.message.toolCalls.map((call) => call.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(last.message.toolCalls.length > 0).toBe(last.stopReason === "tool-calls");
    for (const call of last.message.toolCalls) {
      expect(call.name).not.toBe("");
      expect(call.input).toBeObject();
      if (call.unreadable === undefined) continue;
      expect(call.input).toEqual({});
      expect(call.unreadable.length).toBeLessThanOrEqual(MAX_UNREADABLE);
    }
    for (const count of Object.values(last.usage)) expect(count).toBeGreaterThanOrEqual(0);
  } else {
    expect(last.error.code).toStartWith("provider.");
    expect(last.error.message).not.toBe("");
  }
  return { deltas, retries, last };
};

export const codeOf = ({ last }: Pick<Answer, "last"> & Partial<Answer>): string =>
  last.type === "error" ? last.error.code : last.stopReason;

/** Returns the names, or the code and message of the failure. */
export const collectModels = async (
  models: Promise<readonly string[]>,
): Promise<readonly string[] | { readonly code: string; readonly words: string }> => {
  try {
    return await models;
  } catch (error) {
    if (!isHearthError(error)) throw error;
    expect(error.code).toStartWith("provider.");
    expect(error.message).not.toBe("");
    return { code: error.code, words: `${error.message} ${error.hint ?? ""}` };
  }
};

/** Waits until pending work has finished. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const never = new AbortController().signal;
const twoCalls: readonly ToolCall[] = [
  { id: "call_a", name: "read", input: { path: "notes.md" } },
  { id: "call_b", name: "list", input: {} },
];

export const providerConformance = <Reply>(name: string, harness: ProviderHarness<Reply>): void => {
  const answer = async (reply: Reply): Promise<Answer> => {
    const { provider } = await harness.open([reply]);
    return collect(provider.stream(ask("Hello"), never));
  };

  describe(`${name}: the contract of a provider`, () => {
    test("a text arrives completely and in order", async () => {
      const { deltas, last } = await answer(harness.saying("Good morning, 🌍! Grüße aus Köln."));
      expect(deltas.length).toBeGreaterThan(1);
      expect(last).toMatchObject({
        type: "end",
        stopReason: "end",
        message: { text: "Good morning, 🌍! Grüße aus Köln.", toolCalls: [] },
      });
    });

    test("an empty text is an answer too", async () => {
      expect(await answer(harness.saying(""))).toMatchObject({
        deltas: [],
        last: { type: "end", message: { text: "" } },
      });
    });

    test("tool calls arrive complete and in order, with their text", async () => {
      const { last } = await answer(harness.calling(twoCalls, "I look."));
      expect(last).toMatchObject({
        type: "end",
        stopReason: "tool-calls",
        message: { text: "I look.", toolCalls: twoCalls },
      });
    });

    test("a call whose arguments are not a JSON object has the model's text as `unreadable`, and other calls are unaffected", async () => {
      const calls = [{ id: "call_0", name: "read", input: {}, unreadable: "{path: notes.md}" }, ...twoCalls];
      expect((await answer(harness.calling(calls, "I look."))).last).toMatchObject({
        type: "end",
        stopReason: "tool-calls",
        message: { text: "I look.", toolCalls: calls },
      });
    });

    test("an answer that was cut off for length keeps its text and none of its calls", async () => {
      const { last } = await answer(harness.stopping("length", "As I was say", twoCalls));
      expect(last).toMatchObject({
        type: "end",
        stopReason: "length",
        message: { text: "As I was say", toolCalls: [] },
      });
    });

    test("a refusal has its own stop reason", async () => {
      const { last } = await answer(harness.stopping("refusal", "I would rather not.", []));
      expect(last).toMatchObject({ type: "end", stopReason: "refusal", message: { text: "I would rather not." } });
    });

    test.each([
      ["a refused key", () => harness.unauthorized(), "provider.auth"],
      ["too many calls", () => harness.rateLimited(), "provider.rate-limited"],
      ["an overloaded server", () => harness.overloaded(), "provider.overloaded"],
      ["a failing server", () => harness.failing(), "provider.failed"],
      ["a conversation that is too long", () => harness.contextOverflow(), "provider.context-overflow"],
    ])("%s has its own error code", async (_what, reply, code) => {
      expect(codeOf(await answer(reply()))).toBe(code);
    });

    test("the same provider answers again after an error", async () => {
      const { provider } = await harness.open([harness.failing(), harness.saying("Back again.")]);
      await collect(provider.stream(ask("one"), never));
      expect((await collect(provider.stream(ask("two"), never))).last).toMatchObject({
        message: { text: "Back again." },
      });
    });

    test("two concurrent calls do not mix", async () => {
      const { provider } = await harness.open([harness.saying("a a a a"), harness.saying("b b b b")]);
      const [one, two] = await Promise.all([
        collect(provider.stream(ask("1"), never)),
        collect(provider.stream(ask("2"), never)),
      ]);
      expect([one?.deltas.join(""), two?.deltas.join("")].sort()).toEqual(["a a a a", "b b b b"]);
    });

    test("a call that was stopped before it began never reaches the vendor", async () => {
      const openProvider = await harness.open([harness.saying("unheard")]);
      const result = await collect(openProvider.provider.stream(ask("Hello"), AbortSignal.abort()));
      expect(codeOf(result)).toBe("provider.aborted");
      expect(result.deltas).toEqual([]);
      expect(openProvider.calls()).toBe(0);
    });

    test("a stop in the middle ends the stream and the connection", async () => {
      const openProvider = await harness.open([harness.silent("I begin, and ")]);
      const stop = new AbortController();
      const collecting = collect(openProvider.provider.stream(ask("Hello"), stop.signal));
      await settle();
      expect(openProvider.openConnections()).toBe(1);
      stop.abort();
      const result = await collecting;
      expect(codeOf(result)).toBe("provider.aborted");
      expect(result.deltas.join("")).toBe("I begin, and ");
      await settle();
      expect(openProvider.openConnections()).toBe(0);
    });

    test("a stop between two deltas ends the stream at once", async () => {
      const { provider } = await harness.open([harness.saying("one two three four")]);
      const stop = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of provider.stream(ask("Hello"), stop.signal)) {
        events.push(event);
        stop.abort();
      }
      expect(events.map((event) => event.type)).toEqual(["text-delta", "error"]);
    });

    test("a reader that abandons the stream closes the connection", async () => {
      const openProvider = await harness.open([harness.silent("I begin, and ")]);
      for await (const event of openProvider.provider.stream(ask("Hello"), never)) {
        expect(event.type).toBe("text-delta");
        break;
      }
      await settle();
      expect(openProvider.openConnections()).toBe(0);
    });

    test("the models are returned in the vendor's order", async () => {
      const { provider } = await harness.open([harness.listing(["b-large", "org/a-small:latest", "c"])]);
      expect(await collectModels(provider.models(never))).toEqual(["b-large", "org/a-small:latest", "c"]);
    });

    test("an empty list of models is not an error", async () => {
      const { provider } = await harness.open([harness.listing([])]);
      expect(await collectModels(provider.models(never))).toEqual([]);
    });

    test.each([
      ["a refused key", () => harness.unauthorized(), "provider.auth"],
      ["too many calls", () => harness.rateLimited(), "provider.rate-limited"],
      ["an overloaded server", () => harness.overloaded(), "provider.overloaded"],
      ["a failing server", () => harness.failing(), "provider.failed"],
    ])("%s instead of the models has its own error code", async (_what, reply, code) => {
      const { provider } = await harness.open([reply()]);
      expect(await collectModels(provider.models(never))).toMatchObject({ code });
    });

    test("an aborted request for models is not sent", async () => {
      const openProvider = await harness.open([harness.listing(["a"])]);
      const models = collectModels(openProvider.provider.models(AbortSignal.abort()));
      expect(await models).toMatchObject({ code: "provider.aborted" });
      expect(openProvider.calls()).toBe(0);
    });

    test("a stop during the request for models ends the call and the connection", async () => {
      const openProvider = await harness.open([harness.silent("[")]);
      const stop = new AbortController();
      const collecting = collectModels(openProvider.provider.models(stop.signal));
      await settle();
      stop.abort();
      expect(await collecting).toMatchObject({ code: "provider.aborted" });
      await settle();
      expect(openProvider.openConnections()).toBe(0);
    });
  });
};
