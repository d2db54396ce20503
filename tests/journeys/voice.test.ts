/** Voice notes: the transcript in the request of a model that does not hear, and the reply as audio. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

/** A WAV of 8-bit samples. */
const toWave = (samples: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of [
    [0, "RIFF"],
    [8, "WAVE"],
    [12, "fmt "],
    [36, "data"],
  ] as const)
    bytes.set(new TextEncoder().encode(word), at);
  for (const [at, value] of [
    [4, 36 + samples],
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, samples],
  ] as const)
    view.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    view.setUint16(at, value, true);
  return bytes;
};

interface VoiceServer extends Disposable {
  readonly baseUrl: string;
  readonly heard: Uint8Array[];
  readonly spoken: unknown[];
  fails: boolean;
}

/** The audio part of the OpenAI wire. */
const createVoiceServer = (): VoiceServer => {
  const heard: Uint8Array[] = [];
  const spoken: unknown[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.headers.get("authorization") !== "Bearer voice-key") return new Response(null, { status: 401 });
      if (new URL(request.url).pathname === "/v1/audio/speech") {
        spoken.push(await request.json());
        return new Response(toWave(8000), { headers: { "content-type": "audio/wav" } });
      }
      const file = (await request.formData()).get("file");
      if (file instanceof File) heard.push(await file.bytes());
      if (voice.fails) return Response.json({ error: { message: "no such model" } }, { status: 404 });
      return Response.json({ text: "Please water the tomatoes.", language: "english", duration: 1, segments: [] });
    },
  });
  const voice: VoiceServer = {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    heard,
    spoken,
    fails: false,
    [Symbol.dispose]: () => void server.stop(true),
  };
  return voice;
};

const get = ({ url, token }: Daemon, path: string, method = "GET"): Promise<Response> =>
  fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });

test("a voice note is transcribed once, the model reads the transcript, and the reply can be heard", async () => {
  using home = createHome();
  using voice = createVoiceServer();
  await using model = createModel();
  const note = join(home.folder, "note.wav");
  const wave = toWave(8000);
  writeFileSync(note, wave);
  const wire = `kind = "openai", base_url = "${voice.baseUrl}", api_key = "env:VOICE_KEY"`;
  const table = `[voice]\ntranscribe = { ${wire}, model = "whisper-1" }\nspeak = { ${wire} }\n`;
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${table}`);
  const environment = { TEST_KEY: "key", VOICE_KEY: "voice-key" };
  model.answer = (request) => [
    JSON.stringify(request).includes("Please water the tomatoes.") ? "I **will** water them." : "I hear nothing.",
  ];
  {
    await using house = await startDaemon(home.folder, environment);
    const { stdout, code } = await house.hearth("chat", "--file", note, "-m", "listen");
    expect([code, stdout]).toEqual([0, expect.stringContaining("I **will** water them.")]);
    expect(stdout).not.toContain("Not shown to the model");
    expect(voice.heard).toEqual([wave]);

    const doctor = (await house.hearth("doctor")).stdout;
    expect(doctor).toContain("voice in");
    expect(doctor).toContain("openai whisper-1 at 127.0.0.1");
    await house.kill();
  }
  await using house = await startDaemon(home.folder, environment);
  expect((await house.hearth("chat", "-m", "and now?")).stdout).toContain("I **will** water them.");
  expect(voice.heard).toHaveLength(1);

  const events = await eventsOf(house, "main");
  const [attachment] = events.flatMap((event) => event.attachments ?? []);
  const path = `/api/rooms/main/attachments/${attachment.id}/transcript`;
  const transcript = await (await get(house, path)).json();
  expect(transcript).toMatchObject({
    text: "Please water the tomatoes.",
    language: "english",
    source: "openai/whisper-1",
  });

  const reply = events.find(({ body }) => body?.text === "I **will** water them.");
  const speech = await get(house, `/api/rooms/main/messages/${reply?.id}/speech`);
  expect([speech.status, speech.headers.get("content-type")]).toEqual([200, "audio/wav"]);
  expect(await speech.bytes()).toEqual(toWave(8000));
  await get(house, `/api/rooms/main/messages/${reply?.id}/speech`);
  expect(voice.spoken).toMatchObject([{ input: "I will water them." }]);

  const [message] = events.filter((event) => event.attachments !== undefined);
  expect((await get(house, `/api/rooms/main/messages/${message?.id}`, "DELETE")).status).toBe(200);
  expect((await get(house, path)).status).toBe(404);
}, 120_000);

test("without a transcript, the answer says why", async () => {
  using home = createHome();
  using voice = createVoiceServer();
  await using model = createModel();
  const note = join(home.folder, "note.wav");
  writeFileSync(note, toWave(8000));
  const config = join(home.folder, "hearth.toml");
  writeFileSync(config, configFor(model.baseUrl));
  model.answer = () => ["I cannot hear it."];
  voice.fails = true;
  await using house = await startDaemon(home.folder, { TEST_KEY: "key", VOICE_KEY: "voice-key" });
  const off = await house.hearth("chat", "--file", note, "-m", "listen");
  expect(off.stdout).toContain("note.wav (the model takes no audio, and the house does not transcribe");

  const wire = `kind = "openai", base_url = "${voice.baseUrl}", api_key = "env:VOICE_KEY"`;
  expect((await house.hearth("config", "list")).code).toBe(0);
  await house.kill();
  writeFileSync(config, `${configFor(model.baseUrl)}[voice]\ntranscribe = { ${wire} }\n`);
  await using again = await startDaemon(home.folder, { TEST_KEY: "key", VOICE_KEY: "voice-key" });
  const failed = await again.hearth("chat", "--file", note, "-m", "listen again");
  expect(failed.stdout).toContain("it was not transcribed: 127.0.0.1");
  expect(failed.stdout).not.toContain("voice-key");
}, 120_000);
