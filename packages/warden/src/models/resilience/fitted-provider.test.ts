import { describe, expect, test } from "bun:test";
import {
  type FilePart,
  kindOfType,
  type ModelMessage,
  type ModelRequest,
  refusalText,
  type TextPart,
} from "@hearth/protocol";
import { ask, collect } from "../provider.conformance.ts";
import { createScriptedProvider } from "../scripted/scripted.ts";
import type { ModelInfo } from "../catalog/model-info.ts";
import type { CallContext, FileText } from "../provider.ts";
import { createFittedProvider } from "./fitted-provider.ts";

const never = new AbortController().signal;
const BLIND: ModelInfo = {
  ...{ context: 100_000, output: 4000, sees: false, hears: false, documents: false, thinks: false, tools: true },
  ...{ pictureEdge: 1568, pictureBytes: 3_750_000 },
};
const ALL: ModelInfo = { ...BLIND, sees: true, hears: true, documents: true };

const file = (name: string, type: string, more: Partial<FilePart> = {}): FilePart => ({
  ...{ kind: kindOfType(type), type, name, sizeBytes: 3, hash: "0".repeat(64) },
  ...more,
});
const photo = file("photo.jpg", "image/jpeg");
const user = (...parts: FilePart[]): ModelMessage => ({ role: "user", text: "see", parts });

const run = async (messages: ModelMessage[], info: ModelInfo, more: Partial<ModelRequest> = {}) => {
  const read: string[] = [];
  const scripted = createScriptedProvider([{ text: "ok" }]);
  const provider = createFittedProvider({ provider: scripted, infoOf: () => info });
  const readFile = async ({ name }: FilePart): Promise<Uint8Array | undefined> => {
    read.push(name);
    return name === "gone.png" ? undefined : Uint8Array.of(1, 2, 3);
  };
  const { last } = await collect(provider.stream({ ...ask(""), messages, ...more }, never, { readFile }));
  const sent = scripted.requests[0]?.messages.flatMap((message) =>
    message.role === "assistant" ? [] : (message.parts ?? []),
  );
  return { sent, read, withheld: last.type === "end" ? last.withheld : undefined, request: scripted.requests[0] };
};

describe("a request to a model", () => {
  test("contains the bytes of a file that the model takes", async () => {
    const { sent, withheld: told } = await run([user(photo)], ALL);
    expect(sent).toEqual([{ ...photo, data: "AQID" } as never]);
    expect(told).toBeUndefined();
  });

  test.each([
    ["photo.jpg", "image/jpeg", "the model takes no pictures"],
    ["a.pdf", "application/pdf", "the model takes no PDF documents"],
    ["a.mp3", "audio/mpeg", "the model takes no audio"],
    ["a.zip", "application/zip", "the model takes no application/zip"],
    ["a.txt", "text/plain", "newer files fill the turn, or it is no longer stored"],
  ])("has one line instead of %s, which is not read, and the answer names it", async (name, type, why) => {
    const { sent, read, withheld: told } = await run([user(file(name, type))], BLIND);
    expect([sent?.map((part) => part.kind !== "text" && refusalText(part)), told, read]).toEqual([
      [`[You do not get the content of "${name}": ${why}]`],
      [{ name, why }],
      [],
    ]);
  });

  test("leaves out files that are too large or no longer stored", async () => {
    const messages = [
      user(file("huge.png", "image/png", { sizeBytes: 3_750_001 })),
      user(file("gone.png", "image/png")),
    ];
    const { withheld: told } = await run(messages, ALL);
    expect(told).toEqual([
      { name: "huge.png", why: "it has 3.8 MB, and a model takes at most 3.8 MB" },
      { name: "gone.png", why: "it is no longer stored" },
    ]);
  });

  test("leaves out the oldest files once it is full", async () => {
    const big = (name: string): ModelMessage => user(file(name, "application/pdf", { sizeBytes: 9_000_000 }));
    const { withheld: told, read } = await run([big("1.pdf"), big("2.pdf"), big("3.pdf")], ALL);
    expect([told, read]).toEqual([[{ name: "1.pdf", why: "newer files fill the request" }], ["3.pdf", "2.pdf"]]);
  });

  test("counts files whose bytes were read before", async () => {
    const big = file("1.pdf", "application/pdf", { sizeBytes: 9_000_000 });
    const loaded = (name: string): FilePart => Object.assign({ ...big, name }, { data: "AQID" });
    const { withheld: told, read } = await run([user(big), user(loaded("2.pdf"), loaded("3.pdf"))], ALL);
    expect([told, read]).toEqual([[{ name: "1.pdf", why: "newer files fill the request" }], []]);
  });

  test("the answer names only files after the last reply", async () => {
    const call: ModelMessage = { role: "assistant", text: "", toolCalls: [{ id: "c", name: "image", input: {} }] };
    const tool: ModelMessage = {
      ...{ role: "tool", call: "c", name: "image", text: "", failed: false },
      parts: [file("c.png", "image/png")],
    };
    const messages = [
      user(file("a.png", "image/png")),
      { role: "assistant", text: "nice", toolCalls: [] } as const,
      user(file("b.png", "image/png")),
      call,
      tool,
    ];
    const { sent, withheld: told } = await run(messages as ModelMessage[], BLIND);
    expect(told?.map(({ name }) => name)).toEqual(["b.png", "c.png"]);
    expect(sent?.map((part) => "data" in part)).toEqual([false, false, false]);
  });

  test("asks for no longer answer than the model gives", async () => {
    expect((await run([], ALL, { maxOutputTokens: 8000 })).request?.maxOutputTokens).toBe(4000);
    expect((await run([], ALL, { maxOutputTokens: 100 })).request?.maxOutputTokens).toBe(100);
  });

  test("has the same messages, not copies, when it has no files", async () => {
    const messages: ModelMessage[] = [{ role: "user", text: "hello" }];
    const seen: unknown[] = [];
    const scripted = createScriptedProvider([{ text: "ok" }]);
    const spy = {
      ...scripted,
      stream: (...given: Parameters<typeof scripted.stream>) => {
        seen.push(given[0].messages);
        return scripted.stream(...given);
      },
    };
    await collect(createFittedProvider({ provider: spy, infoOf: () => BLIND }).stream({ ...ask(""), messages }, never));
    expect(seen[0]).toBe(messages);
  });
});

describe("a picture that is larger than the model takes", () => {
  const send = async (part: FilePart, scale?: CallContext["scale"], info = ALL) => {
    const scripted = createScriptedProvider([{ text: "ok" }]);
    const provider = createFittedProvider({ provider: scripted, infoOf: () => info });
    const readFile = async (): Promise<Uint8Array> => Uint8Array.of(1, 2, 3);
    const request = { ...ask(""), messages: [user(part)] };
    const { last } = await collect(provider.stream(request, never, { readFile, scale }));
    const [message] = scripted.requests[0]?.messages ?? [];
    const [sent] = message?.role === "user" ? (message.parts ?? []) : [];
    return { sent, withheld: last.type === "end" ? last.withheld : undefined };
  };
  const small = { type: "image/webp", width: 100, height: 50, bytes: Uint8Array.of(9, 9) };
  const huge = file("huge.png", "image/png", { sizeBytes: 3_750_001, width: 10, height: 10 });
  const wide = file("wide.png", "image/png", { width: 1569, height: 10 });

  test.each([huge, wide])("is scaled down to the limits of the model", async (part) => {
    const asked: unknown[] = [];
    const { sent, withheld } = await send(part, async (given, limits) => {
      asked.push([given.name, limits]);
      return small;
    });
    const { bytes: _, ...facts } = small;
    expect(sent).toEqual({ ...part, ...facts, sizeBytes: 2, data: "CQk=" } as never);
    expect(asked).toEqual([[part.name, { edge: 1568, sizeBytes: 3_750_000 }]]);
    expect(withheld).toBeUndefined();
  });

  test("is named with the reason if it has too many bytes and cannot be scaled down", async () => {
    const { withheld } = await send(huge, async () => ({ why: "Its content is damaged." }));
    const why = "it has 3.8 MB, and a model takes at most 3.8 MB, and it cannot be scaled down: Its content is damaged";
    expect(withheld).toEqual([{ name: "huge.png", why }]);
  });

  test("is sent as it is if only its edge is too long and it cannot be scaled down", async () => {
    const { sent } = await send(wide, async () => ({ why: "This machine cannot isolate it." }));
    expect(sent).toEqual({ ...wide, data: "AQID" } as never);
  });

  test("is not scaled down for a model that allows its size", async () => {
    const scale = async () => small;
    const { sent } = await send(wide, scale, { ...ALL, pictureEdge: 2000 });
    expect(sent).toEqual({ ...wide, data: "AQID" } as never);
    expect((await send(huge, scale, { ...ALL, pictureBytes: 1000 })).sent).toMatchObject({ sizeBytes: 2 });
  });

  test("is named by the answer if it is an animation, because one frame is left", async () => {
    const { withheld } = await send({ ...wide, type: "image/gif" }, async () => small);
    expect(withheld).toEqual([{ name: "wide.png", why: "all but its first frame" }]);
  });

  test("is not scaled down for a model that takes no pictures", async () => {
    const { withheld } = await send(huge, async () => small, BLIND);
    expect(withheld).toEqual([{ name: "huge.png", why: "the model takes no pictures" }]);
  });
});

describe("a described picture", () => {
  const described: TextPart = { kind: "text", text: "[description: a cat]", file: photo };
  const send = async (info: ModelInfo, more: Partial<FilePart> = {}) => {
    const part = { ...described, file: { ...photo, ...more } };
    return run([{ role: "user", text: "see", parts: [part] }], info);
  };

  test("is its description for a model that takes no pictures, and the answer says so", async () => {
    const { sent, read, withheld } = await send(BLIND);
    expect([sent, read]).toEqual([[described], []]);
    expect(withheld).toEqual([{ name: "photo.jpg", why: "the model takes no pictures, and got a description of it" }]);
  });

  test("is the picture for a model that takes it, without a note", async () => {
    const { sent, withheld } = await send(ALL);
    expect(sent).toEqual([{ ...photo, data: "AQID" } as never]);
    expect(withheld).toBeUndefined();
  });

  test("is its description if the picture is no longer stored", async () => {
    const { sent, withheld } = await send(ALL, { name: "gone.png" });
    expect(sent).toEqual([{ ...described, file: { ...photo, name: "gone.png" } }]);
    expect(withheld).toEqual([{ name: "gone.png", why: "it is no longer stored; the model got a description of it" }]);
  });

  test("that could not be described is named with the reason", async () => {
    const { withheld } = await run([user({ ...photo, untranscribed: "it was not described: no budget" })], BLIND);
    expect(withheld).toEqual([
      { name: "photo.jpg", why: "the model takes no pictures, and it was not described: no budget" },
    ]);
  });
});

describe("a document that the model does not take", () => {
  /** What the model gets of these documents, the lengths that were asked for, and the answer's note. */
  const substitute = async (
    parts: readonly FilePart[],
    textOf: (part: FilePart, maxLength: number) => FileText | undefined,
    info = BLIND,
  ) => {
    const asked: string[] = [];
    const scripted = createScriptedProvider([{ text: "ok" }]);
    const provider = createFittedProvider({ provider: scripted, infoOf: () => info });
    const readText = async (part: FilePart, maxLength: number) => {
      asked.push(`${part.name} ${maxLength}`);
      return textOf(part, maxLength);
    };
    const readFile = async (): Promise<Uint8Array> => Uint8Array.of(1, 2, 3);
    const request = { ...ask(""), messages: [user(...parts)] };
    const { last } = await collect(provider.stream(request, never, { readFile, readText }));
    const [message] = scripted.requests[0]?.messages ?? [];
    return {
      sent: message?.role === "user" ? message.parts : undefined,
      asked,
      withheld: last.type === "end" ? last.withheld : undefined,
    };
  };
  const pdf = (name: string): FilePart => file(name, "application/pdf");

  test("has its text instead, with the file", async () => {
    const { sent, asked, withheld } = await substitute([pdf("a.pdf")], () => ({ text: "[page 1] words" }));
    expect(sent).toEqual([{ kind: "text", text: "[page 1] words", file: pdf("a.pdf") }]);
    expect([asked, withheld]).toEqual([["a.pdf 60000"], undefined]);
  });

  test("is named by the answer if only a part of its text is sent", async () => {
    const omitted = "all but the first 5 of 9 characters of its text";
    const { sent, withheld } = await substitute([pdf("a.pdf")], () => ({ text: "words", omitted }));
    expect(sent).toEqual([{ kind: "text", text: "words", file: pdf("a.pdf") }]);
    expect(withheld).toEqual([{ name: "a.pdf", why: omitted }]);
  });

  test("is sent itself, and not read as text, to a model that takes it", async () => {
    const { sent, asked } = await substitute([pdf("a.pdf")], () => ({ text: "words" }), ALL);
    expect([sent?.map((part) => "data" in part), asked]).toEqual([[true], []]);
  });

  test("has at most its share of the text of a request, and none below the shortest", async () => {
    const names = ["1.pdf", "2.pdf", "3.pdf", "4.pdf"];
    const lengths = [50_000, 30_000, 39_600, 1];
    const { asked, withheld } = await substitute(names.map(pdf), ({ name }) => ({
      text: "x".repeat(lengths[names.indexOf(name)] ?? 0),
    }));
    expect(asked).toEqual(["1.pdf 60000", "2.pdf 60000", "3.pdf 40000"]);
    expect(withheld).toEqual([{ name: "4.pdf", why: "the model takes no PDF documents" }]);
  });

  test("has one line with the reason if it cannot be read", async () => {
    const why = "the model takes no PDF documents, and Hearth has no text of it: It is protected by a password";
    const { sent, withheld } = await substitute([pdf("a.pdf")], () => ({ why: "It is protected by a password" }));
    expect(sent?.map((part) => part.kind !== "text" && refusalText(part))).toEqual([
      `[You do not get the content of "a.pdf": ${why}]`,
    ]);
    expect(withheld).toEqual([{ name: "a.pdf", why }]);
  });

  test("has one line if it is no longer stored", async () => {
    const { withheld } = await substitute([pdf("a.pdf")], () => undefined);
    expect(withheld).toEqual([{ name: "a.pdf", why: "the model takes no PDF documents" }]);
  });
});
