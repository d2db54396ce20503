/** Voice notes: the transcript in the request of a model that does not hear, and the reply as audio. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { createVoiceServer, voiceTable } from "./voice-server.ts";
import { toWave } from "./wave.ts";

const get = ({ url, token }: Daemon, path: string, method = "GET"): Promise<Response> =>
  fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });

test("a voice note is transcribed once, the model reads the transcript, and the reply can be heard", async () => {
  using home = createHome();
  using voice = createVoiceServer();
  await using model = createModel();
  const note = join(home.folder, "note.wav");
  const wave = toWave(8000);
  writeFileSync(note, wave);
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${voiceTable(voice)}`);
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

  const list = `/api/rooms/main/transcripts?attachments=${attachment.id},upl_${"0".repeat(26)},x`;
  expect(await (await get(house, list)).json()).toMatchObject([
    { attachment: attachment.id, transcript: { text: "Please water the tomatoes." } },
  ]);
  expect(await (await get(house, "/api/me")).json()).toMatchObject({ transcribes: true, speaks: true });

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
  const me = await (await get(house, "/api/me")).json();
  expect([me.transcribes, me.speaks]).toEqual([undefined, undefined]);
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
