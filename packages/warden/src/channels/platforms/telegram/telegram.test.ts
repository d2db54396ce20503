import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { channelConformance } from "../../channel.conformance.ts";
import { type ChannelHarness, createReader, type Fault, type OpenChannel } from "../../channel-harness.conformance.ts";
import type { OutboundFile } from "../../channel.ts";
import { type BotFault, createFakeBotApi, type FakeBotApi } from "./fake-bot-api.ts";
import { createTelegramChannel } from "./telegram.ts";

const TOKEN = "4242:AAsecret_token-of-the-bot";
const SECRET = "webhook-secret_of-the-house";
const ada = { id: 11, is_bot: false, first_name: "Ada", last_name: "Lovelace", username: "ada" };
const direct = { id: 11, type: "private", first_name: "Ada" };
const group = { id: -100_987, type: "supergroup", title: "The team" };

const lost = (code: string): Error => Object.assign(new TypeError(`fetch failed for /bot${TOKEN}/`), { code });
const markup = 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0';
const faults: Readonly<Record<Fault, BotFault>> = {
  "rate-limited": { kind: "no", status: 429, description: "Too Many Requests: retry after 7", retryAfter: 7 },
  failing: { kind: "no", status: 500, description: "Internal Server Error" },
  unreachable: { kind: "before", error: lost("ECONNREFUSED") },
  "lost-before": { kind: "before", error: lost("ECONNRESET") },
  "lost-after": { kind: "after", error: lost("ECONNRESET") },
  silent: { kind: "silent" },
  markup: { kind: "no", status: 400, description: markup },
};

const open = async (): Promise<OpenChannel & { readonly api: FakeBotApi }> => {
  const world = createFakeWorld({ hash: () => "" });
  const api = createFakeBotApi({ clock: world.clock, token: TOKEN });
  const channel = createTelegramChannel({ fetch: api.fetch, clock: world.clock, token: TOKEN, webhookSecret: SECRET });
  const conversations = { direct: String(direct.id), group: String(group.id) };
  const chats = { direct, group };
  const last = new Map<string, { message_id: number; text: string }>();
  api.say(direct, ada, "/start");
  const { updateId } = api.say(group, ada, "Welcome");
  const cursor = String(updateId + 1);
  await api.fetch(`https://api.telegram.org/bot${TOKEN}/getUpdates?offset=${cursor}`);
  const webhook = (externalId: string, secret?: string) => ({
    headers: new Headers(secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret }),
    body: new TextEncoder().encode(JSON.stringify(api.update(Number(externalId)))),
  });
  return {
    api,
    channel,
    world,
    cursor,
    secrets: [TOKEN, SECRET],
    platform: {
      conversations,
      say({ in: where, text, mention = false, replyTo, file }) {
        const document = { ...(file === undefined ? {} : api.storeFile(file)), file_name: "notes.txt" };
        const extra = {
          ...(replyTo === undefined ? {} : { reply_to_message: { message_id: Number(replyTo) } }),
          ...(file === undefined ? {} : { text: undefined, ...(text === "" ? {} : { caption: text }), document }),
        };
        const said = api.say(chats[where], ada, mention ? `@Hearth_Bot, ${text}` : text, extra);
        last.set(where, { message_id: said.messageId, text });
        return { externalId: String(said.updateId), messageId: String(said.messageId) };
      },
      edit(where, text) {
        const message = last.get(where);
        const date = Math.floor(world.clock.now() / 1000);
        const id = api.addUpdate("edited_message", {
          ...message,
          from: ada,
          chat: chats[where],
          date,
          edit_date: date,
          text,
        });
        return { externalId: String(id), messageId: String(message?.message_id) };
      },
      press: (_where, messageId, word) => ({ externalId: String(api.press(Number(messageId), ada, word)) }),
      shown: api.shown,
      addOtherUpdates: () => addOtherUpdates(api),
      webhook: (externalId) => webhook(externalId, SECRET),
      signed: (body) => ({ headers: webhook(String(updateId), SECRET).headers, body }),
      forged: (externalId) =>
        [
          undefined,
          "",
          "x",
          SECRET.slice(1),
          SECRET.slice(0, -1),
          `${SECRET}x`,
          SECRET.toUpperCase(),
          SECRET.repeat(2),
          TOKEN,
        ].map((secret) => webhook(externalId, secret)),
      unread: api.unconfirmed,
      failNext: (call, fault) =>
        api.failNext(
          {
            ...{ poll: "getUpdates", send: "sendMessage", file: "sendDocument", end: "editMessageReplyMarkup" },
            ...{ probe: "getMe", fetch: "getFile" },
          }[call],
          faults[fault],
        ),
      revoke: api.revoke,
      block: (where) => api.block(chats[where].id),
      sent: () =>
        api.sent().map(({ chat, thread, messageId, text, replyTo, buttons, file }) => ({
          choices: buttons.map((button) => button.text),
          conversation: thread === undefined ? String(chat) : `${chat}/${thread}`,
          messageId: String(messageId),
          text,
          ...(replyTo === undefined ? {} : { replyTo: String(replyTo) }),
          ...(file === undefined ? {} : { file: { name: file.name, type: file.type, bytes: file.bytes } }),
        })),
      typed: () =>
        api
          .calls()
          .flatMap(({ method, parameters }) => (method === "sendChatAction" ? [String(parameters["chat_id"])] : [])),
      calls: () => api.calls().length,
    },
  };
};

/** Updates that are not messages of a person, and malformed fields. */
const addOtherUpdates = (api: FakeBotApi): number => {
  const date = 1_767_225_600;
  const message = { message_id: 900, from: ada, chat: direct, date, text: "Hello" };
  const noise: readonly (readonly [string, Record<string, unknown>])[] = [
    ["message", { ...message, from: { id: 77, is_bot: true, first_name: "Other" } }],
    ["message", { ...message, from: { id: 4242, is_bot: true, first_name: "Hearth", username: "hearth_bot" } }],
    ["message", { ...message, from: { id: 4242, first_name: "Hearth" } }],
    ["message", { ...message, sender_chat: group }],
    ["message", { message_id: 901, from: ada, chat: group, date, new_chat_members: [ada] }],
    ["message", { message_id: 902, from: ada, chat: group, date, new_chat_title: "Us" }],
    ["message", { ...message, text: "" }],
    ["message", { ...message, text: " \n " }],
    ["message", { ...message, text: { length: 5 } }],
    ["message", { ...message, message_id: "903" }],
    ["message", { ...message, date: "yesterday" }],
    ["message", { ...message, date: Number.POSITIVE_INFINITY }],
    ["message", { ...message, chat: null }],
    ["message", { ...message, chat: { id: 1.5, type: "private" } }],
    ["message", { ...message, chat: { ...direct, type: "channel" } }],
    ["message", { ...message, from: ["ada"] }],
    ["message", { ...message, from: {} }],
    ["edited_message", { message_id: 900, from: ada, chat: direct, date, location: {} }],
    ["callback_query", { id: "1", from: ada, data: "x", inline_message_id: "7" }],
    ["callback_query", { id: "1", from: ada, message, game_short_name: "chess" }],
    ["callback_query", { id: 1, from: ada, message, data: "x" }],
    ["callback_query", { id: "1", from: { id: 77, is_bot: true }, message, data: "x" }],
    ["callback_query", { id: "1", from: ada, message: { ...message, chat: { id: 5, type: "channel" } }, data: "x" }],
  ];
  for (const [kind, content] of noise) api.addUpdate(kind, content);
  return noise.length;
};

channelConformance("telegram", { sendsFiles: true, open } satisfies ChannelHarness);

const heard = async (opened: OpenChannel) => {
  const reader = createReader(opened);
  const { inbound } = await reader.next();
  await reader.stop();
  return inbound;
};

describe("telegram", () => {
  test("polls for messages and edits from the cursor on", async () => {
    const opened = await open();
    opened.platform.say({ in: "direct", text: "Hello" });
    await heard(opened);
    expect(opened.api.calls().findLast(({ method }) => method === "getUpdates")?.parameters).toEqual({
      offset: Number(opened.cursor),
      timeout: 25,
      allowed_updates: ["message", "edited_message", "callback_query"],
    });
  });

  test("requests its own account once", async () => {
    const opened = await open();
    for (const text of ["one", "two"]) {
      opened.platform.say({ in: "direct", text });
      await heard(opened);
    }
    expect(opened.api.calls().filter(({ method }) => method === "getMe")).toHaveLength(1);
  });

  test("a webhook that it sets gets deliveries that it accepts", async () => {
    const opened = await open();
    const heardThere: string[] = [];
    const api = createFakeBotApi({
      clock: opened.world.clock,
      token: TOKEN,
      async webhookFetch(input, init) {
        const request = new Request(input, init);
        const inbound = await channel.receive({ headers: request.headers, body: await request.bytes() });
        heardThere.push(...inbound.map(({ text }) => text));
        return new Response();
      },
    });
    const channel = createTelegramChannel({
      fetch: api.fetch,
      clock: opened.world.clock,
      token: TOKEN,
      webhookSecret: SECRET,
    });
    await channel.setWebhook("https://house.example/hooks/1", new AbortController().signal);
    api.say(direct, ada, "one");
    api.addUpdate("message_reaction", {});
    api.say(direct, ada, "two");
    await api.deliver();
    expect(heardThere).toEqual(["one", "two"]);
    expect(api.unconfirmed()).toBe(0);
  });

  test.each([
    ["a prototype inside", new TextEncoder().encode('{"update_id": 5, "message": {"__proto__": {"text": "x"}}}')],
    [
      "bytes that are no text inside",
      new Uint8Array([...new TextEncoder().encode('{"update_id": 5, "x": "'), 0xff, 0x22, 0x7d]),
    ],
  ])("an update with %s is ignored", async (_what, body) => {
    const opened = await open();
    const error: unknown = await opened.channel
      .receive(opened.platform.signed(body))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "request.invalid" });
  });

  test("an edit has the time of the edit", async () => {
    const opened = await open();
    const message = { message_id: 3, from: ada, chat: direct, date: 1_000, edit_date: 2_000, text: "x" };
    opened.api.addUpdate("edited_message", message);
    expect(await heard(opened)).toMatchObject([{ kind: "edit", at: 2_000_000 }]);
  });

  test("an invalid cursor requests all unconfirmed updates", async () => {
    const opened = await open();
    opened.platform.say({ in: "direct", text: "Hello" });
    const reader = createReader(opened, "1; DROP");
    expect((await reader.next()).inbound).toHaveLength(1);
    await reader.stop();
  });

  test.each([
    ["@hearth_bot", "@hearth_bot", true],
    ["@hearth_bot: @hearth_bot what?", "@hearth_bot what?", true],
    ["ask @HEARTH_BOT!", "ask @HEARTH_BOT!", true],
    ["@hearth_bots hello", "@hearth_bots hello", false],
    ["mail me@hearth_bot", "mail me@hearth_bot", false],
    ["/stop@hearth_bot", "/stop", true],
    ["/stop@hearth_bot now", "/stop now", true],
    ["/stop@other_bot", "/stop@other_bot", false],
    ["/stop", "/stop", false],
  ])("in a group, %j is %j, and a mention: %p", async (text, expected, isMention) => {
    const opened = await open();
    opened.platform.say({ in: "group", text });
    expect(await heard(opened)).toMatchObject([{ text: expected, isMention }]);
  });

  test("a forum topic is a separate conversation, and its first message is not a reply", async () => {
    const opened = await open();
    const topic = { is_topic_message: true, message_thread_id: 5 };
    const bot = { id: 4242, is_bot: true };
    opened.api.say(group, ada, "in a topic", { ...topic, reply_to_message: { message_id: 5, from: bot } });
    opened.api.say(group, ada, "a plain reply", {
      message_thread_id: 5,
      reply_to_message: { message_id: 5, from: bot },
    });
    const inbound = await heard(opened);
    expect(inbound).toMatchObject([
      { conversation: { id: "-100987/5", name: "The team" }, isMention: false },
      { conversation: { id: "-100987" }, replyTo: "5", isMention: true },
    ]);
    expect(inbound[0]).not.toHaveProperty("replyTo");
    const send = { conversation: "-100987/5", text: "Hi", key: "k" };
    await opened.channel.send(send, new AbortController().signal);
    expect(opened.platform.sent()).toMatchObject([{ conversation: "-100987/5" }]);
  });

  test("a picture's caption is a message, and names have one line", async () => {
    const opened = await open();
    const from = { id: 12, first_name: "Bob\n\tthe", last_name: "x".repeat(300) };
    opened.api.say(direct, from, "", { text: undefined, caption: "Look \ud800", photo: [] });
    const [inbound] = await heard(opened);
    expect([inbound?.text, inbound?.files?.length]).toEqual(["Look \ufffd", 1]);
    expect(inbound?.sender.name).toStartWith("Bob the xxx");
    expect(inbound?.sender.name).toHaveLength(128);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ sticker: { emoji: "👍", file_id: "s" } }, "sticker 👍"],
    [{ dice: { emoji: "🎲", value: 4 } }, "🎲 4"],
    [{ location: { latitude: 52.5, longitude: 13.25 } }, "location 52.5, 13.25"],
    [
      { venue: { title: "Café", address: "A 1", location: { latitude: 1, longitude: 2 } }, location: {} },
      "place Café, A 1, 1, 2",
    ],
    [{ contact: { first_name: "Bo", phone_number: "+49" } }, "contact Bo, +49"],
    [{ poll: { question: "Tea?", options: [{ text: "Yes" }, { text: "No" }] } }, "poll Tea?: Yes / No"],
    [{ poll: { options: "x" } }, "poll : "],
  ])("a message with %j and no text is described", async (contents, expected) => {
    const opened = await open();
    opened.api.say(direct, ada, "", { text: undefined, ...contents });
    expect((await heard(opened)).map(({ text, files }) => [text, files])).toEqual([[`[${expected}]`, undefined]]);
  });

  const [small, large] = [
    { file_id: "small", width: 90, height: 67, file_size: 900 },
    { file_id: "large", width: 1280, height: 960, file_size: 123_456 },
  ];
  test.each<[Record<string, unknown>, string, string, string]>([
    [{ photo: [small, large] }, "large", "photo.jpg", "photo, 1280 × 960, 123 kB"],
    [{ photo: [large, small] }, "large", "photo.jpg", "photo, 1280 × 960, 123 kB"],
    [{ photo: "x" }, "", "photo.jpg", "photo"],
    [{ photo: [] }, "", "photo.jpg", "photo"],
    [
      { document: { file_id: "d", file_name: "a\nb.pdf", mime_type: "application/pdf" } },
      ...(["d", "a b.pdf", "file, a b.pdf, application/pdf"] as const),
    ],
    [
      { animation: { file_id: "a", duration: 2 }, document: { file_id: "a" } },
      ...(["a", "animation.mp4", "animation, 2 s"] as const),
    ],
    [
      { voice: { file_id: "v", duration: 12, file_size: 900 } },
      ...(["v", "voice-message.ogg", "voice message, 12 s, 900 bytes"] as const),
    ],
    [{ video: { file_id: "v", file_name: "../x.mp4" } }, "v", "../x.mp4", "video, ../x.mp4"],
    [{ video_note: { file_id: "n", duration: -1, width: "9" } }, "n", "video-message.mp4", "video message"],
    [{ audio: { file_id: 7 } }, "", "audio.mp3", "audio"],
    [{ story: { id: 7 } }, "", "the story", "story"],
  ])("a message with %j and no text has one file", async (contents, id, name, summary) => {
    const opened = await open();
    opened.api.say(direct, ada, "", { text: undefined, ...contents });
    expect((await heard(opened)).map(({ text, files }) => [text, files])).toMatchObject([
      ["", [{ id, name, summary }]],
    ]);
  });

  test("the pictures of an album are messages of their own", async () => {
    const opened = await open();
    for (const caption of ["Our trip", undefined])
      opened.api.say(direct, ada, "", { text: undefined, caption, media_group_id: "1", photo: [large] });
    expect((await heard(opened)).map(({ text, files }) => [text, files?.length])).toEqual([
      ["Our trip", 1],
      ["", 1],
    ]);
  });

  const fetch = ({ channel }: OpenChannel, id: string, most = 1000) =>
    channel.fetchFile({ id, name: "a", summary: "a" }, most, new AbortController().signal);

  test.each([
    ["/home/bot/secret.txt"],
    ["documents/../../../x"],
    ["documents\\..\\x"],
    ["documents//x"],
    [""],
    [undefined],
  ])("a file at the path %j is refused", async (path) => {
    const opened = await open();
    const body = JSON.stringify({ ok: true, result: { file_id: "a", file_path: path } });
    opened.api.failNext("getFile", { kind: "page", status: 200, body });
    expect(await fetch(opened, "a")).toMatchObject({ kind: "refused" });
  });

  test.each<[BotFault, string]>([
    [{ kind: "no", status: 404, description: "Not Found" }, "refused"],
    [{ kind: "no", status: 429, description: "" }, "later"],
    [{ kind: "page", status: 502, body: "" }, "later"],
    [{ kind: "before", error: lost("ECONNREFUSED") }, "later"],
  ])("when the download ends with %j, the file is %s", async (fault, fate) => {
    const opened = await open();
    const { file_id: id } = opened.api.storeFile(Uint8Array.of(1));
    opened.api.failNext("download", fault);
    const result = await fetch(opened, id);
    expect(result.kind).toBe(fate as never);
    expect(JSON.stringify(result)).not.toContain(TOKEN);
    expect(await fetch(opened, id)).toEqual({ kind: "fetched", bytes: Uint8Array.of(1) });
  });

  test("a file that Telegram does not give bots is refused with the reason", async () => {
    const opened = await open();
    const { file_id: id } = opened.api.storeFile(new Uint8Array(20 * 1024 * 1024 + 1));
    expect(await fetch(opened, id, 50_000_000)).toEqual({ kind: "refused", why: "it has more than 21 MB" });
    expect(await fetch(opened, "")).toMatchObject({ kind: "refused", why: "Telegram does not give bots such content" });
    expect(await fetch(opened, "unknown")).toMatchObject({ kind: "refused", why: "Telegram does not have it" });
  });

  test("a reply to a deleted message is sent without the reply reference", async () => {
    const opened = await open();
    const message = { ...{ conversation: "11", text: "Hello", key: "k" }, replyTo: "999" };
    expect(await opened.channel.send(message, new AbortController().signal)).toMatchObject({ kind: "sent" });
  });

  const fates: readonly (readonly [string, BotFault, string])[] = [
    ["the token's form is wrong", { kind: "no", status: 404, description: "Not Found" }, "later channel.auth"],
    ["a proxy lost the server", { kind: "page", status: 502, body: "<html>" }, "unknown channel.unreachable"],
    ["a proxy waited too long", { kind: "page", status: 504, body: "" }, "unknown channel.unreachable"],
    ["a proxy has no server", { kind: "page", status: 503, body: "" }, "later channel.unreachable"],
    ["a proxy knows no such page", { kind: "page", status: 404, body: "<html>" }, "later channel.unreachable"],
    ["a proxy forbids it", { kind: "page", status: 403, body: "<html>" }, "later channel.unreachable"],
    ["a proxy wants fewer calls", { kind: "page", status: 429, body: "" }, "later channel.rate-limited"],
    ["a page says yes", { kind: "page", status: 200, body: "<html>" }, "unknown channel.unreachable"],
    ["it says yes to nothing", { kind: "page", status: 200, body: '{"ok":true}' }, "unknown channel.failed"],
    ["its name is unknown", { kind: "before", error: lost("ENOTFOUND") }, "later channel.unreachable"],
    ["its certificate is wrong", { kind: "before", error: lost("CERT_HAS_EXPIRED") }, "later channel.unreachable"],
    ["the network says something new", { kind: "after", error: new Error(TOKEN) }, "unknown channel.unreachable"],
    [
      "the message is too long",
      { kind: "no", status: 400, description: "Bad Request: message is too long" },
      "refused channel.refused",
    ],
  ];
  test.each(fates)("when %s, the result is as exact as possible", async (_what, fault, fate) => {
    const opened = await open();
    opened.api.failNext("sendMessage", fault);
    const message = { conversation: "11", text: "Hello", key: "k" };
    const result = await opened.channel.send(message, new AbortController().signal);
    expect(result.kind === "sent" ? "sent" : `${result.kind} ${result.error.code}`).toBe(fate);
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  test("link previews are disabled in every message", async () => {
    const opened = await open();
    const never = new AbortController().signal;
    await opened.channel.send({ conversation: "11", text: "see https://example.org", key: "k" }, never);
    opened.api.failNext("sendMessage", { kind: "no", status: 400, description: "Bad Request: can't parse entities" });
    await opened.channel.send({ conversation: "11", text: "and **https://example.org/b**", key: "l" }, never);
    const sends = opened.api.calls().filter(({ method }) => method === "sendMessage");
    expect(sends).toHaveLength(3);
    for (const { parameters } of sends) expect(parameters["link_preview_options"]).toEqual({ is_disabled: true });
  });

  test("a second poller of the same bot is reported as such", async () => {
    const opened = await open();
    const reader = createReader(opened);
    const asked = reader.ask();
    await opened.world.advance(1);
    await opened.api.fetch(`https://api.telegram.org/bot${TOKEN}/getUpdates`);
    await opened.world.advance(1);
    expect(reader.failures[0]).toMatchObject({
      code: "channel.refused",
      hint: "Another program polls this bot's messages. Stop that program, or create a separate bot for this house.",
    });
    await reader.stop();
    await asked;
  });

  test("without a webhook secret, no webhook is accepted", async () => {
    const opened = await open();
    const channel = createTelegramChannel({
      fetch: opened.api.fetch,
      clock: opened.world.clock,
      token: TOKEN,
      webhookSecret: "",
    });
    const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
    for (const webhook of opened.platform.forged(externalId)) {
      expect(await channel.receive(webhook).catch((error: { code: string }) => error.code)).toBe("channel.unverified");
    }
  });

  test("R29: a secret is removed from error messages", async () => {
    const opened = await open();
    opened.api.failNext("getMe", { kind: "no", status: 400, description: `Bad Request: ${TOKEN} ${SECRET}` });
    const { detail } = await opened.channel.probe(new AbortController().signal);
    expect(detail).toContain("[secret] [secret]");
  });
});

describe("telegram sends a file", () => {
  const MB = 1024 * 1024;
  const signal = new AbortController().signal;
  const send = async (file: Partial<OutboundFile>, before: (api: FakeBotApi) => void = () => {}) => {
    const { api, channel } = await open();
    before(api);
    const whole = { conversation: "11", name: "a", type: "text/plain", bytes: new Uint8Array(5), key: "k", ...file };
    const result = await channel.sendFile?.(whole, signal);
    return { api, result, sent: api.sent() };
  };

  test.each([
    ["image/jpeg", 5, "sendPhoto"],
    ["image/png", 5, "sendPhoto"],
    ["image/webp", 10 * MB, "sendPhoto"],
    ["image/webp", 10 * MB + 1, "sendDocument"],
    ["image/gif", 5, "sendDocument"],
    ["image/svg+xml", 5, "sendDocument"],
    ["audio/mpeg", 5, "sendAudio"],
    ["audio/mp4", 5, "sendAudio"],
    ["audio/ogg", 5, "sendVoice"],
    ["video/mp4", 5, "sendVideo"],
    ["video/webm", 5, "sendDocument"],
    ["application/pdf", 5, "sendDocument"],
    ["constructor", 5, "sendDocument"],
  ])("of type %s with %d bytes by %s", async (type, size, method) => {
    const { result, sent } = await send({ type, bytes: new Uint8Array(size) });
    expect(result?.kind).toBe("sent");
    expect(sent.map(({ file }) => [file?.method, file?.bytes.length])).toEqual([[method, size]]);
  });

  test.each([
    ["audio/mpeg", "sendVoice"],
    ["audio/mp4", "sendVoice"],
    ["audio/wav", "sendDocument"],
  ])("that is a spoken message of type %s by %s", async (type, method) => {
    const { result, sent } = await send({ type, isVoice: true });
    expect([result?.kind, sent.map(({ file }) => file?.method)]).toEqual(["sent", [method]]);
  });

  test("as a document, once, when it is refused as a photo, and not again when the document is refused", async () => {
    const no = { kind: "no", status: 400, description: "Bad Request: PHOTO_INVALID_DIMENSIONS" } as const;
    const shown = await send({ type: "image/png" }, (api) => api.failNext("sendPhoto", no));
    expect(shown.sent.map(({ file }) => file?.method)).toEqual(["sendDocument"]);
    const refused = await send({ type: "image/png" }, (api) => {
      for (const method of ["sendPhoto", "sendDocument"]) api.failNext(method, no);
    });
    expect(refused.result).toMatchObject({ kind: "refused", error: { code: "channel.refused" } });
    expect(refused.api.calls().filter(({ method }) => method.startsWith("send"))).toHaveLength(2);
  });

  test("only once when it is unknown whether a photo arrived", async () => {
    const lost = { kind: "after", error: new TypeError("the connection was lost") } as const;
    const { result, sent } = await send({ type: "image/png" }, (api) => api.failNext("sendPhoto", lost));
    expect(result?.kind).toBe("unknown");
    expect(sent.map(({ file }) => file?.method)).toEqual(["sendPhoto"]);
  });

  test("in its topic, with a caption of at most 1,024 characters, its length, and a name without quotes", async () => {
    const caption = `{"a": 1} ${"x".repeat(2000)}`;
    const { api, sent } = await send({
      ...{ conversation: "11/7", type: "audio/mpeg", durationMs: 61_400, caption, name: 'a "b"\r\nc.mp3' },
    });
    expect(sent).toMatchObject([{ thread: 7, file: { name: "a 'b' c.mp3" } }]);
    expect(sent[0]?.text).toBe(`${caption.slice(0, 1023)}…`);
    expect(api.calls().at(-1)?.parameters["duration"]).toBe("61");
  });

  test("of at most 50 MB", async () => {
    const { channel } = await open();
    expect(channel.traits.files).toEqual({ maxBytes: 50 * MB });
    const { result } = await send({ bytes: new Uint8Array(50 * MB + 1) });
    expect(result?.kind).toBe("refused");
  });
});
