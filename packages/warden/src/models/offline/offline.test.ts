import { DEFAULT_MODEL, type ModelMessage, type ModelRequest, type ToolCall } from "@hearth/protocol";
import { toOffer, tools } from "@hearth/protocol/tools";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { createOfflineProvider } from "./offline.ts";
import { type Answer, ask, codeOf, collect } from "../provider.conformance.ts";
import { readRequest } from "./offline-requests.ts";

const never = new AbortController().signal;
const { clock, fetch } = createFakeWorld({ hash: () => "" });
const provider = await createOfflineProvider({ clock, fetch });

const usual = [tools.read, tools.write, tools.edit, tools.list, tools.glob, tools.grep, tools.time].map(toOffer);
const withShell = [...usual, toOffer(tools.shell)];

const request = (messages: readonly ModelMessage[], offers = usual): ModelRequest => ({
  ...ask(""),
  tools: offers,
  messages,
});
const hear = (messages: readonly ModelMessage[], offers = usual): Promise<Answer> =>
  collect(provider.stream(request(messages, offers), never));

interface Conversation {
  /** The tool calls in order. */
  readonly calls: readonly Pick<ToolCall, "name" | "input">[];
  readonly reply: string;
}

/**
 * Runs until there is an answer. The n-th call gives the n-th result; a result that begins with "!"
 * is a failure.
 */
const talk = async (text: string, results: readonly string[] = [], offers = usual): Promise<Conversation> => {
  const messages: ModelMessage[] = [{ role: "user", text }];
  const calls: Conversation["calls"][number][] = [];
  for (;;) {
    const { last } = await hear(messages, offers);
    if (last.type !== "end") throw new Error(last.error.message);
    expect(last.usage).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
    const [call] = last.message.toolCalls;
    if (call === undefined) return { calls, reply: last.message.text };
    const result = results[calls.length];
    if (result === undefined) throw new Error(`${call.name} was one call too many.`);
    calls.push({ name: call.name, input: call.input });
    const failed = result.startsWith("!");
    messages.push(last.message, {
      role: "tool",
      call: call.id,
      name: call.name,
      text: failed ? result.slice(1) : result,
      failed,
    });
  }
};

describe("the offline provider", () => {
  test("has the one model that every new agent starts with", async () => {
    expect((await provider.models(never)).map((model) => `offline/${model}`)).toEqual([DEFAULT_MODEL]);
  });

  test("says in every answer about itself that it is not a language model", async () => {
    for (const text of ["Hello!", "Write me a sonnet", "How do vaccines work?", ""]) {
      const { reply, calls } = await talk(text);
      expect(calls).toEqual([]);
      expect(reply).toContain("not a language model");
      expect(reply).toContain("hearth provider add");
      expect(reply).toContain("hearth agent edit main --model");
    }
  });

  test("lists what it understands on request", async () => {
    expect((await talk("help")).reply).toMatch(/remember[\s\S]+list[\s\S]+run/);
  });

  test("streams an answer in more than one delta, which join to the answer", async () => {
    expect((await hear([{ role: "user", text: "help" }])).deltas.length).toBeGreaterThan(3);
  });

  test("stops in the middle of an answer", async () => {
    const stop = new AbortController();
    const heard: string[] = [];
    for await (const event of provider.stream(request([{ role: "user", text: "help" }]), stop.signal)) {
      heard.push(event.type);
      stop.abort();
    }
    expect(heard).toEqual(["text-delta", "error"]);
    expect(codeOf(await collect(provider.stream(request([{ role: "user", text: "list" }]), AbortSignal.abort())))).toBe(
      "provider.aborted",
    );
  });

  test("gives the same answer to the same messages", async () => {
    expect(await hear([{ role: "user", text: "list" }])).toEqual(await hear([{ role: "user", text: "list" }]));
  });

  test("never calls a tool when tool calls are forbidden", async () => {
    const asked = { ...request([{ role: "user", text: "list" }]), toolUse: "forbidden" as const };
    expect(await collect(provider.stream(asked, never))).toMatchObject({
      last: { stopReason: "end", message: { text: expect.stringContaining("used all its tool calls") } },
    });
  });

  test("starts again with each message of a person", async () => {
    const messages: ModelMessage[] = [
      { role: "user", text: "list" },
      { role: "assistant", text: "", toolCalls: [{ id: "a", name: "list", input: {} }] },
      { role: "tool", call: "a", name: "list", text: "a.md 1", failed: false },
      { role: "assistant", text: "There.", toolCalls: [] },
      { role: "user", text: "read a.md", note: "Ana, noon" },
    ];
    expect((await hear(messages)).last).toMatchObject({
      message: { toolCalls: [{ name: "read", input: { path: "a.md" } }] },
    });
  });
});

describe("the offline provider's requests", () => {
  test.each([
    ["list", "list", {}, "notes.md 12", "notes.md 12"],
    ["Could you please list drafts?", "list", { path: "drafts" }, "a.md 1", "a.md 1"],
    ["read notes.md", "read", { path: "notes.md" }, "- milk", "- milk"],
    ["@main, please show me the file `my notes.md`.", "read", { path: "my notes.md" }, "x", "x"],
    ["write a/b.md: Hello there!", "write", { path: "a/b.md", content: "Hello there!\n" }, "Created", "a/b.md"],
    ["Write Hello there to b.md", "write", { path: "b.md", content: "Hello there\n" }, "Created", "b.md"],
    ["search a.b (c)", "grep", { pattern: "a\\.b \\(c\\)", ignoreCase: true }, "x.md:1: a.b (c)", "x.md:1: a.b (c)"],
    ["find milk in notes.md", "grep", { pattern: "milk", path: "notes.md", ignoreCase: true }, "x", "x"],
    [
      "what time is it?",
      "time",
      {},
      "Monday 2026-01-05 10:00:00 UTC (GMT)",
      "It is Monday 2026-01-05 10:00:00 UTC (GMT).",
    ],
    ["What time is it in Europe/Berlin", "time", { zone: "Europe/Berlin" }, "noon", "It is noon."],
  ])("%p calls a tool and shows the result", async (text, name, input, result, shown) => {
    const { calls, reply } = await talk(text, [result]);
    expect(calls).toEqual([{ name, input }]);
    expect(reply).toContain(shown);
  });

  test("a command runs if the shell is offered", async () => {
    expect(await talk("run ls -la | wc -l", ["3"], withShell)).toEqual({
      calls: [{ name: "shell", input: { command: "ls -la | wc -l" } }],
      reply: "The command ran:\n\n```\n3\n```",
    });
  });

  test("without the shell the answer says what is missing and how to enable it", async () => {
    const { calls, reply } = await talk("run ls");
    expect(calls).toEqual([]);
    expect(reply).toContain("hearth agent edit NAME --tools +shell");
  });

  test("a reminder is understood, and the answer says that it was not set", async () => {
    for (const text of [
      "remind me tomorrow to call Ana",
      "Every morning, tell me the weather",
      "set a timer for 5 minutes",
    ]) {
      expect(await talk(text)).toMatchObject({ calls: [], reply: expect.stringContaining("I have set nothing") });
    }
  });

  test("a due reminder is repeated", async () => {
    expect(await talk("Tell me this reminder, which is due now: call Ana.")).toMatchObject({
      calls: [],
      reply: "Reminder: call Ana",
    });
  });

  test("a failure is shown in the tool's own words", async () => {
    expect((await talk("read nowhere.md", ['!There is no "nowhere.md".'])).reply).toContain(
      'There is no "nowhere.md".',
    );
  });

  test("no output breaks out of its fence", async () => {
    const { reply } = await talk("read a.md", ["```\n````\nrm"]);
    expect(reply.split("\n").filter((line) => line === "`````")).toHaveLength(2);
  });

  test.each([
    ["Please remember that I like tea.", { kind: "remember", text: "I like tea." }],
    ["what do you know about tea?", { kind: "recall", text: "tea" }],
    ["What do you remember?", { kind: "recall", text: "" }],
    ["do you remember tea", { kind: "recall", text: "tea" }],
    ["what files are there?", { kind: "list", path: "" }],
    ["what is in notes.md?", { kind: "read", path: "notes.md" }],
    ["I want you to run `date`", { kind: "run", command: "date" }],
    ["write a letter", { kind: "unknown" }],
    ["remember", { kind: "unknown" }],
    ["thanks!", { kind: "greeting" }],
  ] as const)("%p is understood", (text, expected) => {
    expect(readRequest(text)).toEqual(expected);
  });
});

describe("the offline provider's memory", () => {
  test("the first note creates the file", async () => {
    expect(
      await talk("remember that I like tea", ['!There is no "notes.md". `list` shows what there is.', "Created"]),
    ).toEqual({
      calls: [
        { name: "read", input: { path: "notes.md" } },
        { name: "write", input: { path: "notes.md", content: "# Notes\n\n- I like tea\n" } },
      ],
      reply: "Noted in `notes.md`: I like tea",
    });
  });

  test("the next note is appended, and nothing else changes", async () => {
    const { calls } = await talk("remember I like\ncake", ["# Notes\n\n- I like tea", "Replaced 1 place"]);
    expect(calls[1]).toEqual({
      name: "edit",
      input: { path: "notes.md", old: "# Notes\n\n- I like tea", new: "# Notes\n\n- I like tea\n- I like cake" },
    });
  });

  test("an existing note is not added again", async () => {
    expect(await talk("remember I like tea", ["# Notes\n\n- I like tea"])).toMatchObject({
      calls: [{ name: "read" }],
      reply: "I already have that note: I like tea",
    });
  });

  test("a file that cannot be read completely is left unchanged", async () => {
    for (const seen of [
      "!notes.md is no text file.",
      "!Stopped.",
      "# Notes\n[lines 1-1 of 9000; continue with offset 2]",
    ]) {
      expect((await talk("remember I like tea", [seen])).calls).toHaveLength(1);
    }
  });

  test("a failed change is reported", async () => {
    expect((await talk("remember x", ["# Notes", "!The disk is full."])).reply).toContain("The disk is full.");
  });

  test("recall finds notes by a word", async () => {
    expect(await talk("what do you know about Tea?", ["notes.md:3: - I like tea\nnotes.md:9: - Tea is hot"])).toEqual({
      calls: [{ name: "grep", input: { pattern: "Tea", path: "notes.md", ignoreCase: true } }],
      reply: "From my notes:\n\n- I like tea\n- Tea is hot",
    });
  });

  test("recall without a word shows all notes", async () => {
    expect(await talk("what do you remember?", ["# Notes"])).toMatchObject({
      calls: [{ name: "read", input: { path: "notes.md" } }],
      reply: expect.stringContaining("# Notes"),
    });
  });

  test("missing notes are not an error", async () => {
    expect((await talk("recall tea", ["No lines match."])).reply).toContain("no note about “tea”");
    expect((await talk("recall tea", ['!There is no "notes.md".'])).reply).toContain("no note about “tea”");
    expect((await talk("what do you remember", ['!There is no "notes.md".'])).reply).toContain("no notes yet");
  });

  test("memory tools are preferred to the file", async () => {
    const tool = (name: string, field: string) => ({
      name,
      description: "",
      inputSchema: {
        type: "object",
        properties: { limit: { type: "integer" }, [field]: { type: "string" } },
        required: [field],
      },
    });
    const offers = [...usual, tool("remember", "fact"), tool("recall", "query")];
    expect((await talk("remember I like tea", ["ok"], offers)).calls).toEqual([
      { name: "remember", input: { fact: "I like tea" } },
    ]);
    expect((await talk("recall tea", ["tea!"], offers)).calls).toEqual([{ name: "recall", input: { query: "tea" } }]);
  });

  test("without the file tools the answer names the missing one", async () => {
    expect(
      (
        await talk(
          "remember x",
          [],
          usual.filter((offer) => offer.name !== "edit"),
        )
      ).reply,
    ).toContain("--tools +edit");
  });
});

describe("the offline provider's first conversation", () => {
  const RITUAL = "# Your first conversation";
  const offers = [...usual, toOffer(tools.write_brain)];
  const settle = async (text: string, system: string): Promise<readonly unknown[]> => {
    const messages: ModelMessage[] = [{ role: "user", text }];
    const inputs: unknown[] = [];
    for (;;) {
      const asked = { ...request(messages, offers), system: [{ text: system, stable: true }] };
      const { last } = await collect(provider.stream(asked, never));
      if (last.type !== "end") throw new Error(last.error.message);
      const [call] = last.message.toolCalls;
      if (call === undefined) return [...inputs, last.message.text];
      inputs.push(call.input);
      messages.push(last.message, { role: "tool", call: call.id, name: call.name, text: "ok", failed: false });
    }
  };

  test("writes a name into its file, and asks for the other one", async () => {
    expect(await settle("Please call me Ana.", `${RITUAL} Your person may write a name`)).toEqual([
      expect.objectContaining({ path: "USER.md", mode: "replace", text: expect.stringContaining("called Ana.") }),
      "I will call you Ana. It is in my `USER.md`. And what am I called? Write `your name is NAME`.",
    ]);
  });

  test("removes the page of the first conversation once both names are known, and only once", async () => {
    expect(await settle("Your name is Robin", RITUAL)).toEqual([
      expect.objectContaining({ path: "IDENTITY.md", mode: "replace" }),
      { path: "BOOTSTRAP.md", mode: "remove" },
      "I am Robin from here on. It is in my `IDENTITY.md`.",
    ]);
    expect(await settle("Your name is Robin", "")).toHaveLength(2);
  });
});
