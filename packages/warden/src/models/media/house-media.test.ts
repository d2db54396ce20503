import { expect, test } from "bun:test";
import { AgentId, type Fetch, HearthError, isHearthError, noUsage, type SetMedia } from "@hearth/protocol";
import { MediaPart } from "@hearth/protocol/api";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { createMemoryKeyFiles } from "../../kernel/config/key-files.ts";
import { DRAFT_KEY_PATH } from "../../kernel/config/media-tables.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { createHousePictures } from "../pictures/house-pictures.ts";
import { SOURCE } from "../pictures/picture-provider.conformance.ts";
import { createHouseDescriptions } from "../descriptions/house-descriptions.ts";
import { createScriptedProvider } from "../scripted/scripted.ts";
import { createHouseVoice } from "../voice/house-voice.ts";
import { createHouseMedia } from "./house-media.ts";
import type { TestCharge } from "./media.ts";
import { mediaKinds } from "./media-kinds.ts";

const by = { agent: AgentId.parse("agent_0123456789abcdefghjkmnpqrs"), via: "run-token" } as const;
const { signal } = new AbortController();

const open = (answer: () => Response = () => new Response("", { status: 500 }), text = "version = 1\n") => {
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, file.name));
  const keyFiles = createMemoryKeyFiles();
  const { clock } = createFakeWorld({ hash: () => "" });
  const requests: Request[] = [];
  const fetch: Fetch = async (input, init) => {
    requests.push(new Request(input, init));
    return answer();
  };
  const references = {
    environment: (name: string) => (name === "KEY" ? "key-1" : undefined),
    readFile: async (path: string) => keyFiles.files.get(path),
  };
  const parts = { world: { clock, fetch }, config, references };
  /** A house with two models, of which one sees. */
  const providers: Pick<Catalog, "resolve" | "candidates"> = {
    async resolve(name) {
      const [provider = "", model = ""] = name.split("/");
      if (provider !== "test") throw new HearthError("provider.unknown", `Unknown provider ${provider}.`);
      return { provider: createScriptedProvider(() => ({ text: "A red square." })), model };
    },
    candidates: (names) => names.map((name) => ({ name, model: name, location: "elsewhere" })),
  };
  const seeing = parseConfig(
    'version = 1\n[models."test/eye"]\nsees = true\n[models."test/blind"]\nsees = false\n',
    "x",
  );
  const house = { current: () => seeing.config };
  const media = createHouseMedia({
    descriptions: createHouseDescriptions({ clock, config, house, providers }),
    clock,
    config,
    keyFiles,
    voice: createHouseVoice(parts),
    pictures: createHousePictures(parts),
    openDraft(draft, typedKey) {
      const readFile = async (path: string) => (path === DRAFT_KEY_PATH ? typedKey : references.readFile(path));
      const opened = { ...parts, config: draft, references: { ...references, readFile } };
      const descriptions = createHouseDescriptions({ clock, config: draft, house, providers });
      return { voice: createHouseVoice(opened), pictures: createHousePictures(opened), descriptions };
    },
  });
  return { file, media, requests, keyFiles };
};

/** Allows every cost, and keeps what was reserved and settled. */
const createCharge = () => {
  const costs: (readonly [what: "reserved" | "settled", cost: number])[] = [];
  const charge: TestCharge = {
    async admit({ costAtMost }) {
      costs.push(["reserved", costAtMost]);
      return { kind: "allowed", settle: (cost) => void costs.push(["settled", cost]) };
    },
    isUnpaid: (code) => code === "provider.auth",
    openGate: () => ({ admit: async () => ({ maxOutputTokens: 9, settle: () => noUsage }) }),
  };
  return { charge, costs };
};

test("a house without providers describes every part as off, with the kinds that can be set", async () => {
  const { media } = open();
  const infos = await media.list(signal);
  expect(infos.map(({ part, state, settings }) => [part, state, settings])).toEqual([
    ["transcribe", "off", undefined],
    ["speak", "off", undefined],
    ["pictures", "off", undefined],
    ["describe", "off", undefined],
  ]);
  expect(infos.map(({ kinds }) => kinds.map(({ kind }) => kind))).toEqual([
    ["openai", "whisper", "deepgram"],
    ["openai", "program"],
    ["openai", "gemini"],
    ["model"],
  ]);
});

test("settings are described as they were set, and never with the key", async () => {
  const { media, keyFiles } = open();
  const set = await media.set("speak", { kind: "openai", key: "sk-1", voice: "coral", price: 12.5 }, by, signal);
  expect(set).toMatchObject({ part: "speak", state: "ready" });
  expect(set.settings).toEqual({ kind: "openai", apiKey: "file:keys/media.speak", voice: "coral", price: 12.5 });
  expect(keyFiles.files.get("keys/media.speak")).toBe("sk-1");
  const wished = { kind: "whisper", baseUrl: "http://127.0.0.1:1", language: "de", price: 0 };
  expect((await media.set("transcribe", wished, by, signal)).settings).toEqual(wished);
  const drawn = { kind: "gemini", apiKey: "env:NONE", model: "m", baseUrl: "https://far.test/v1", price: 1 };
  const missing = await media.set("pictures", drawn, by, signal);
  expect([missing.settings, missing.state, missing.fix]).toEqual([
    drawn,
    "missing",
    "Set NONE in the environment of the daemon, and restart it.",
  ]);
  expect(JSON.stringify(await media.list(signal))).not.toContain("sk-1");
  await media.remove("speak", by);
  expect((await media.list(signal))[1]?.state).toBe("off");
});

test("a kind has a key exactly if its own address needs one", async () => {
  for (const [part, kinds] of Object.entries(mediaKinds))
    for (const { kind, needsKey, takes } of kinds) {
      const { media } = open();
      const model = kind === "model" ? { model: "test/eye" } : {};
      const set = media.set(part as MediaPart, { kind, ...model }, by, signal);
      const isRefused = await set.then(
        () => false,
        (error: unknown) => isHearthError(error, "config.invalid"),
      );
      expect([part, kind, isRefused]).toEqual([part, kind, needsKey]);
      if (needsKey) expect(takes).toContain("apiKey");
    }
});

test.each<readonly [string, MediaPart, SetMedia, string]>([
  ["an unknown kind", "pictures", { kind: "opneai" }, 'Unknown kind "opneai"'],
  ["a setting of another part", "pictures", { kind: "fake", voice: "x" }, "has no voice"],
  ["an address with a password", "speak", { kind: "fake", baseUrl: "https://me:pw@far.test" }, "password"],
  ["an address that is not of the web", "speak", { kind: "fake", baseUrl: "ftp://far.test" }, "http://"],
  ["an option in place of a program", "speak", { kind: "program", program: "--help" }, "must begin with"],
])("%s is refused, and nothing is written", async (_what, part, settings, why) => {
  const { media, file } = open();
  const error: unknown = await media.set(part, settings, by, signal).catch((cause: unknown) => cause);
  expect(isHearthError(error, "config.invalid")).toBe(true);
  expect(String(error)).toContain(why);
  expect(await file.read()).toBe("version = 1\n");
});

const OPENAI =
  'version = 1\n[voice.transcribe]\nkind = "openai"\napi_key = "env:KEY"\n[voice.speak]\nkind = "openai"\napi_key = "env:KEY"\n[pictures]\nkind = "openai"\napi_key = "env:KEY"\n';

test("a transcriber that finds no speech in the tone works, and one that hears words shows them", async () => {
  const silent = open(() => Response.json({ text: " ", duration: 1 }), OPENAI);
  const { charge, costs } = createCharge();
  const found = await silent.media.test("transcribe", charge, signal);
  expect(found.ok).toBe(true);
  expect(found.detail).toContain("found no speech");
  expect(costs.map(([what]) => what)).toEqual(["reserved", "settled"]);
  const form = await silent.requests[0]?.formData();
  const sent = form?.get("file");
  expect(sent).toBeInstanceOf(Blob);
  expect((sent as Blob).size).toBe(44 + 8000);
  const heard = await open(() => Response.json({ text: "la\nla" }), OPENAI).media.test("transcribe", charge, signal);
  expect([heard.ok, heard.detail]).toEqual([true, expect.stringContaining("transcribed a tone of one second: la la")]);
});

test("a speaker returns its sound and a picture provider its picture", async () => {
  const { charge, costs } = createCharge();
  const mp3 = Uint8Array.of(0xff, 0xfb, 0x90, 0x64, 1, 2, 3);
  const speaking = open(() => new Response(mp3, { headers: { "content-type": "audio/mpeg" } }), OPENAI);
  expect(await speaking.media.test("speak", charge, signal)).toMatchObject({
    ok: true,
    result: { type: "audio/mpeg", data: mp3.toBase64() },
  });
  const drawing = open(() => Response.json({ data: [{ b64_json: SOURCE.bytes.toBase64() }] }), OPENAI);
  const { ok, detail, result } = await drawing.media.test("pictures", charge, signal);
  expect([ok, detail]).toEqual([true, expect.stringContaining("openai/gpt-image-2 made a picture of")]);
  expect(result?.type).toBe(SOURCE.type);
  expect(costs.at(-1)).toEqual(["settled", 80_000]);
});

test("a failure is the outcome with the reason, and a call that the vendor rejected costs nothing", async () => {
  const { charge, costs } = createCharge();
  const rejected = open(() => Response.json({ error: { message: "bad key" } }, { status: 401 }), OPENAI);
  const outcome = await rejected.media.test("pictures", charge, signal);
  expect([outcome.ok, outcome.error?.code]).toEqual([false, "provider.auth"]);
  expect(costs.at(-1)).toEqual(["settled", 0]);
  const broken = open(() => Response.json({}), OPENAI);
  expect((await broken.media.test("pictures", charge, signal)).error?.code).toBe("provider.malformed");
  expect(costs.at(-1)).toEqual(["settled", 80_000]);
});

test("without a provider, a key or money no request is made", async () => {
  const { charge, costs } = createCharge();
  const off = open();
  for (const part of MediaPart.options) {
    const { ok, detail } = await off.media.test(part, charge, signal);
    expect([ok, detail]).toEqual([false, expect.stringMatching(/off\. Set a (?:provider|model) first\.$/)]);
  }
  const keyless = open(undefined, OPENAI.replaceAll("env:KEY", "env:NONE"));
  expect((await keyless.media.test("speak", charge, signal)).error?.code).toBe("provider.auth");
  expect(costs).toEqual([]);
  const poor = open(undefined, OPENAI);
  const stopped: TestCharge = { ...charge, admit: async () => ({ kind: "stop", text: "The day's budget is spent." }) };
  expect((await poor.media.test("pictures", stopped, signal)).error?.code).toBe("budget.spent");
  expect([...off.requests, ...keyless.requests, ...poor.requests]).toEqual([]);
});

test("settings that are not stored are tested with their key, and a failed test leaves nothing behind", async () => {
  const { charge, costs } = createCharge();
  for (const [status, isOk] of [
    [200, true],
    [401, false],
  ] as const) {
    const { media, file, keyFiles, requests } = open(() => Response.json({ text: "la" }, { status }));
    const draft = { kind: "openai", key: "sk-typed", baseUrl: "http://127.0.0.1:9/v1", model: "m" };
    const outcome = await media.testNew("transcribe", draft, charge, signal);
    expect(outcome.ok).toBe(isOk);
    expect(requests.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
      ["http://127.0.0.1:9/v1/audio/transcriptions", "Bearer sk-typed"],
    ]);
    expect(JSON.stringify(outcome)).not.toContain("sk-typed");
    expect([await file.read(), keyFiles.files.size]).toEqual(["version = 1\n", 0]);
    expect((await media.list(signal)).map(({ state }) => state)).toEqual(["off", "off", "off", "off"]);
  }
  expect(costs.map(([what]) => what)).toEqual(["reserved", "settled", "reserved", "settled"]);
});

test("a test of other settings uses the stored key that they name, and refuses what could not be saved", async () => {
  const { charge } = createCharge();
  const { media, requests } = open(() => Response.json({ data: [{ b64_json: SOURCE.bytes.toBase64() }] }), OPENAI);
  await media.testNew("pictures", { kind: "openai", apiKey: "env:KEY", model: "other" }, charge, signal);
  expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer key-1"]);
  expect(await requests[0]?.json()).toMatchObject({ model: "other" });
  for (const settings of [
    { kind: "openai" },
    { kind: "opneai", key: "k" },
    { kind: "openai", voice: "x", key: "k" },
    { kind: "openai", baseUrl: "ftp://far.test", key: "k" },
    { kind: "openai", apiKey: "sk-4711" },
  ]) {
    const error: unknown = await media.testNew("pictures", settings, charge, signal).catch((cause: unknown) => cause);
    expect([settings, isHearthError(error, "config.invalid")]).toEqual([settings, true]);
    expect(String(error)).not.toContain("sk-4711");
  }
  expect(requests).toHaveLength(1);
});

test("the model that describes pictures is set, tested and refused like the other parts", async () => {
  const { media, file } = open();
  const { charge } = createCharge();
  const set = await media.set("describe", { kind: "model", model: "test/eye" }, by, signal);
  expect(set).toMatchObject({ part: "describe", state: "ready", settings: { kind: "model", model: "test/eye" } });
  expect(await file.read()).toContain('[descriptions]\nkind = "model"\nmodel = "test/eye"');
  expect(await media.test("describe", charge, signal)).toMatchObject({
    ok: true,
    detail: "test/eye described a red square: A red square.",
  });
  const blind = await media.testNew("describe", { kind: "model", model: "test/blind" }, charge, signal);
  expect([blind.ok, blind.error?.code]).toEqual([false, "provider.refused"]);
  expect(blind.detail).toContain("does not accept pictures");
  expect(await media.set("describe", { kind: "model", model: "none/x" }, by, signal)).toMatchObject({
    state: "missing",
    detail: "none/x: Unknown provider none.",
  });
  for (const settings of [
    { kind: "model" },
    { kind: "model", model: "eye" },
    { kind: "model", model: "test/eye", price: 1 },
  ])
    await expect(media.set("describe", settings, by, signal)).rejects.toMatchObject({ code: "config.invalid" });
  await media.remove("describe", by);
  expect(await file.read()).not.toContain("descriptions");
});
