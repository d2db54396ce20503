/** A person sends and receives files in Telegram, despite kills of the house. */
import { expect, test } from "bun:test";
import { createHome, type Daemon, until } from "./daemon.ts";
import { createModel } from "./model.ts";
import { pairAna, startTelegram } from "./telegram-server.ts";
import { configure, start } from "./telegram-house.ts";

/** A PNG of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a photo from a phone is in the request to the model, which answers in the chat, also after a kill while it was fetched", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  const picturesIn = (request: unknown): number =>
    JSON.stringify(request).split(`data:image/png;base64,${PNG}`).length - 1;
  model.answer = (request) => [picturesIn(request) === 1 ? "A red dot." : "I see nothing."];
  await configure(home.folder, telegram, model, '[models."test/"]\nsees = true\n');
  {
    await using daemon = await start(home.folder);
    await pairAna(telegram, daemon);
    telegram.api.failNext("getFile", { kind: "silent" });
    const photo = { ...telegram.api.storeFile(Uint8Array.fromBase64(PNG)), width: 1, height: 1 };
    telegram.say("", { text: undefined, photo: [photo] });
    await until(() => telegram.api.calls().some(({ method }) => method === "getFile"));
    await daemon.kill();
  }
  await using daemon = await start(home.folder);
  await telegram.until((texts) => texts.includes("A red dot."));
  telegram.say("", { text: undefined, document: { file_id: "gone", file_name: "film.mp4", file_size: 30_000_000 } });
  await telegram.until((texts) => texts.includes("I did not get film.mp4: a file may have at most 21 MB."));
  const { json } = await daemon.ask("GET", "/api/rooms/main/fates?limit=10");
  await until(async () => telegram.api.sent().filter(({ text }) => text === "A red dot.").length === 2);
  const events = (await daemon.ask("GET", "/api/rooms/main/events")).json.events;
  const said = events.filter(({ activation }: { activation?: string }) => activation === undefined);
  expect([
    json.fates.length,
    said.map(({ attachments = [] }: { attachments?: { name: string }[] }) => attachments.map(({ name }) => name)),
  ]).toEqual([2, [["photo.jpg"], []]]);
});

test("a table that an agent attaches arrives in the chat once, as a document, also after a kill while it was sent", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  const table = "month,euros\nmay,12\n";
  model.answer = ({ messages }: { messages: readonly { role: string }[] }) => {
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
    const calls = [
      { tool: "write", input: { path: "may.csv", content: table } },
      { tool: "attach", input: { path: "may.csv", caption: "All of May" } },
    ];
    return [calls[turn.filter(({ role }) => role === "tool").length] ?? "Here is the table."];
  };
  await configure(home.folder, telegram, model);
  const documents = () => telegram.api.sent().flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));
  const deliveries = async (daemon: Daemon): Promise<readonly { id: string; state: string; text: string }[]> => {
    const listed = (await daemon.ask("GET", "/api/channels/telegram/outbox")).json;
    return listed.filter(({ text }: { text: string }) => text.startsWith("[file "));
  };
  {
    await using daemon = await start(home.folder);
    await pairAna(telegram, daemon);
    telegram.say("the table, please");
    await until(() => documents().length === 1);
    await until(async () => (await deliveries(daemon))[0]?.state === "sent");
    const [{ file, text } = { file: undefined, text: "" }] = documents();
    expect([file?.method, file?.name, text]).toEqual(["sendDocument", "may.csv", "All of May"]);
    expect(new TextDecoder().decode(file?.bytes)).toBe(table);
    const [before, after] = telegram.api.sent().slice(-2);
    expect([before?.text, after?.file === undefined]).toEqual(["Here is the table.", false]);

    // Telegram takes the next file and never answers.
    telegram.api.failNext("sendDocument", { kind: "stuck" });
    telegram.say("once more, please");
    await until(() => documents().length === 2);
    await daemon.kill();
  }
  await using daemon = await start(home.folder);
  await until(async () => (await deliveries(daemon)).some(({ state }) => state === "unknown"));
  telegram.say("and a last time");
  await until(() => documents().length === 3);
  await until(async () => (await deliveries(daemon)).filter(({ state }) => state === "sent").length === 2);
  expect((await deliveries(daemon)).map(({ state }) => state)).toEqual(["sent", "unknown", "sent"]);
  expect(documents()).toHaveLength(3);
}, 300_000);
