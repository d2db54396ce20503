import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

const KINDS = [{ kind: "openai", takes: ["apiKey"], needsKey: true }];
const info = { part: "speak", state: "ready", detail: "openai gpt-4o-mini-tts", kinds: KINDS };
const infos = [
  { part: "transcribe", state: "off", detail: "voice notes are not transcribed\u001b", kinds: KINDS },
  info,
  { part: "pictures", state: "off", detail: "agents make no pictures", kinds: KINDS },
  { part: "describe", state: "off", detail: "pictures are not described", kinds: KINDS },
];

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe("providers of speech and pictures", () => {
  test("are listed with their kinds, each group its own", async () => {
    own.house.answer("GET /api/media", infos);
    const voice = await hearth("voice", "list");
    expect(voice.out).toContain("transcribe  off    openai  voice notes are not transcribed\\e");
    expect(voice.out).not.toContain("agents make");
    expect(await json("pictures", "list")).toEqual([infos[2]]);
    expect(await json("descriptions", "list")).toEqual([infos[3]]);
  });

  test("are set with all their settings, and the next step is named", async () => {
    own.house.answer("PUT /api/media/speak", info);
    const set = await hearth(
      ...["voice", "set", "speak", "--kind", "openai", "--api-key", "secret:OPENAI"],
      ...["--model", "m", "--voice", "coral", "--price", "12.5", "--base-url", "http://127.0.0.1:1/v1"],
    );
    expect(set).toEqual({
      code: 0,
      out: "speak: ready, openai gpt-4o-mini-tts\n",
      err: "To test it: hearth voice test speak\n",
    });
    expect(own.house.requests).toEqual([
      'PUT /api/media/speak {"kind":"openai","baseUrl":"http://127.0.0.1:1/v1","apiKey":"secret:OPENAI","model":"m","voice":"coral","price":12.5}',
    ]);
    own.house.answer("PUT /api/media/speak", { ...info, state: "missing", fix: "Set KEY in the environment." });
    expect((await hearth("voice", "set", "speak", "--kind", "openai")).err).toBe("Set KEY in the environment.\n");
  });

  test("describe pictures with a model of the house, without a separate key", async () => {
    own.house.answer("PUT /api/media/describe", { ...info, part: "describe" });
    const set = await hearth("descriptions", "set", "--model", "openai/gpt-5-mini");
    expect([set.code, set.err]).toEqual([0, "To test it: hearth descriptions test\n"]);
    expect((await hearth("descriptions", "set")).code).toBe(2);
    own.house.answer("POST /api/media/describe/test", { ok: true, detail: "A red square.", durationMs: 1 });
    own.house.answer("POST /api/media-tests/describe", { ok: false, detail: "It is blind.", durationMs: 1 });
    expect((await hearth("descriptions", "test")).out).toContain("A red square.");
    expect((await hearth("descriptions", "test", "--model", "x/y")).code).toBe(1);
    own.house.answer("DELETE /api/media/describe", {});
    expect((await hearth("descriptions", "remove")).out).toBe("describe is off\n");
    expect(own.house.requests).toEqual([
      'PUT /api/media/describe {"kind":"model","model":"openai/gpt-5-mini"}',
      "POST /api/media/describe/test",
      'POST /api/media-tests/describe {"kind":"model","model":"x/y"}',
      "DELETE /api/media/describe",
    ]);
  });

  test("take a key on stdin, which is never printed, and no key as a flag", async () => {
    own.house.answer("PUT /api/media/pictures", { ...info, part: "pictures" });
    const readInput = () => Promise.resolve("sk-4711\n");
    const typed = await hearthAt(
      { readInput, stdinIsTerminal: false },
      ...["pictures", "set", "--kind", "openai", "--key-stdin"],
    );
    expect([typed.code, typed.err]).toEqual([0, "To test it: hearth pictures test\n"]);
    expect(own.house.requests).toEqual(['PUT /api/media/pictures {"kind":"openai","key":"sk-4711"}']);
    expect(typed.out).not.toContain("4711");
    for (const words of [
      ["pictures", "set", "--kind", "openai", "--api-key", "sk-4711"],
      ["pictures", "set", "--kind", "openai", "--api-key", "env:K", "--key-stdin"],
      ["pictures", "set", "--kind", "openai", "--price", "cheap"],
      ["pictures", "set"],
      ["voice", "set", "sing", "--kind", "openai"],
      ["voice", "set"],
    ]) {
      const refused = await hearth(...words);
      expect(refused.code).toBe(2);
      expect(refused.err).not.toContain("sk-4711");
    }
    expect(own.house.requests).toHaveLength(1);
  });

  test("are turned off", async () => {
    own.house.answer("DELETE /api/media/transcribe", {});
    own.house.answer("DELETE /api/media/pictures", {});
    expect((await hearth("voice", "remove", "transcribe")).out).toBe("transcribe is off\n");
    expect(await json("pictures", "remove")).toEqual({ removed: "pictures" });
  });

  test("are tested: the sound that comes back is saved, and a failure exits with 1", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hearth-media-"));
    folders.push(folder);
    const path = join(folder, "sentence.mp3");
    const result = { type: "audio/mpeg", data: Uint8Array.of(1, 2, 3).toBase64() };
    own.house.answer("POST /api/media/speak/test", { ok: true, detail: "It spoke.", durationMs: 12, result });
    const tested = await hearth("voice", "test", "speak", "--to", path);
    expect([tested.code, tested.out]).toEqual([0, "ok  It spoke. (12 ms)\n"]);
    expect([...(await readFile(path))]).toEqual([1, 2, 3]);
    // An existing file is never overwritten.
    expect((await hearth("voice", "test", "speak", "--to", path)).code).toBe(2);
    own.house.answer("POST /api/media/pictures/test", { ok: false, detail: "No key.", durationMs: 0 });
    const failed = await hearth("pictures", "test");
    expect([failed.code, failed.out]).toEqual([1, "FAIL  No key. (0 ms)\n"]);
  });

  test("are tested with other settings and a typed key, without storing them", async () => {
    own.house.answer("POST /api/media-tests/transcribe", { ok: true, detail: "It answered.", durationMs: 3 });
    const readInput = () => Promise.resolve("sk-4711\n");
    const tested = await hearthAt(
      { readInput, stdinIsTerminal: false },
      ...["voice", "test", "transcribe", "--kind", "deepgram", "--key-stdin"],
    );
    expect([tested.code, tested.out, tested.err]).toEqual([0, "ok  It answered. (3 ms)\n", ""]);
    expect(own.house.requests).toEqual(['POST /api/media-tests/transcribe {"kind":"deepgram","key":"sk-4711"}']);
    // Without --kind, there is no draft to test.
    expect((await hearth("pictures", "test", "--model", "m")).code).toBe(2);
  });
});

describe("spoken replies", () => {
  test("are shown and chosen, with a note in a house without a speaker", async () => {
    own.house.answer("GET /api/voice", { replies: "never" });
    expect(await hearth("voice", "replies")).toMatchObject({ code: 0, out: "never\n", err: "" });
    own.house.answer("PATCH /api/voice", { replies: "voice-notes" });
    const unheard = await hearth("voice", "replies", "voice-notes");
    expect(unheard).toMatchObject({ code: 0, out: "voice-notes\n" });
    expect(unheard.err).toContain("no provider of speech yet");
    expect(own.house.requests).toContain('PATCH /api/voice {"replies":"voice-notes"}');
    expect(await json("voice", "replies")).toEqual({ replies: "never" });
    const { url, token } = own.house.facts();
    const me = await (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).json();
    own.house.answer("GET /api/me", { ...me, speaks: true });
    expect((await hearth("voice", "replies", "always")).err).toBe("");
  });

  test("are refused for another word", async () => {
    const refused = await hearth("voice", "replies", "sometimes");
    expect([refused.code, own.house.requests]).toEqual([2, []]);
    expect(refused.err).toContain("The choices are: never, voice-notes, always.");
  });
});
