/** A person chooses which replies they hear, in the room and in Telegram. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, startDaemon, until } from "./daemon.ts";
import { createModel } from "./model.ts";
import { configure } from "./telegram-house.ts";
import { pairAna, startTelegram, type TelegramServer, TOKEN } from "./telegram-server.ts";
import { createVoiceServer, VOICE_KEY, voiceTable } from "./voice-server.ts";
import { toWave } from "./wave.ts";

/** The people who hear the last reply in the room. */
const heardInRoom = async (daemon: Daemon): Promise<unknown> =>
  (await eventsOf(daemon, "main")).findLast(({ activation }) => activation !== undefined)?.spokenFor;

test("replies are spoken never, to voice notes or always, in the place where the person wrote", async () => {
  using home = createHome();
  using voice = createVoiceServer();
  voice.speechType = "audio/mpeg";
  await using telegram = startTelegram();
  await using model = createModel();
  let count = 0;
  model.answer = () => [`**Answer** number ${(count += 1)}.`];
  await configure(home.folder, telegram, model, voiceTable(voice));
  const note = join(home.folder, "note.wav");
  writeFileSync(note, toWave(8000));
  await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", BOT: TOKEN, VOICE_KEY });
  await pairAna(telegram, daemon);
  const me = (await daemon.ask("GET", "/api/me")).json.agent.id;
  const choose = async (choice: string) =>
    expect((await daemon.hearth("voice", "replies", choice)).stdout).toBe(`${choice}\n`);
  const write = (...flags: readonly string[]) => daemon.hearth("chat", "-m", "hello", ...flags);
  const ask = async (extra: object = {}) => {
    telegram.say("hello", extra as Readonly<Record<string, unknown>>);
    const answer = `Answer number ${count + 1}.`;
    await telegram.until((texts) => texts.includes(answer));
  };

  expect((await daemon.hearth("voice", "replies")).stdout).toBe("never\n");
  await write("--file", note);
  expect(await heardInRoom(daemon)).toBeUndefined();
  await ask({ voice: { ...telegram.api.storeFile(toWave(8000)), duration: 1 } });

  await choose("voice-notes");
  await write();
  expect(await heardInRoom(daemon)).toBeUndefined();
  await write("--file", note);
  expect(await heardInRoom(daemon)).toEqual([me]);
  await ask();
  // The room makes audio when it plays it, and a channel when it sends it.
  expect([voice.spoken, filesOf(telegram)]).toEqual([[], []]);
  await ask({ voice: { ...telegram.api.storeFile(toWave(8000)), duration: 1 } });
  await voiceMessages(telegram, 1);
  expect(voice.spoken).toMatchObject([{ input: `Answer number ${count}.` }]);
  expect(await heardInRoom(daemon)).toBeUndefined();

  await choose("always");
  await write();
  expect(await heardInRoom(daemon)).toEqual([me]);
  await ask();
  const sent = await voiceMessages(telegram, 2);
  expect(sent.map(({ method, type }) => [method, type])).toEqual([
    ["sendVoice", "audio/mpeg"],
    ["sendVoice", "audio/mpeg"],
  ]);
  const deliveries = async () => (await daemon.ask("GET", "/api/channels/telegram/outbox")).json;
  await until(async () => (await deliveries())[0].state === "sent");
  expect((await deliveries())[0]).toMatchObject({ text: `**Answer** number ${count}.`, spoken: true });

  // A failure of the provider leaves the text.
  voice.fails = true;
  await ask();
  await until(async () => (await deliveries())[0].state === "refused");
  const shown = (await daemon.hearth("channel", "show", "telegram")).stdout;
  expect(shown).toContain(`[voice message] **Answer** number ${count}.`);
  expect((await deliveries())[0]).toMatchObject({
    spoken: true,
    error: { message: expect.stringContaining("The reply was not spoken: 127.0.0.1") },
  });
  const fates = JSON.parse((await daemon.hearth("room", "fates", "main", "--json")).stdout);
  expect(fates.at(-1)).toMatchObject({ fate: { kind: "answered", delivery: "sent" } });
  await choose("never");
  await ask();
  expect(filesOf(telegram)).toHaveLength(2);
}, 120_000);

const filesOf = (telegram: TelegramServer) =>
  telegram.api.sent().flatMap(({ file }) => (file === undefined ? [] : [file]));

/** Waits until so many files have arrived. */
const voiceMessages = async (telegram: TelegramServer, count: number) => {
  await telegram.until(() => filesOf(telegram).length >= count);
  return filesOf(telegram);
};
