import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { finishPendingWork } from "../../channel-harness.conformance.ts";
import { createFakeBotApi } from "./fake-bot-api.ts";

const TOKEN = "1:token";
const ada = { id: 11, is_bot: false, first_name: "Ada" };
const chat = { id: 11, type: "private", first_name: "Ada" };

const open = (options: { answers?: readonly number[] } = {}) => {
  const world = createFakeWorld({ hash: () => "" });
  const delivered: { secret: string | null; id: number }[] = [];
  const answers = [...(options.answers ?? [])];
  const api = createFakeBotApi({
    clock: world.clock,
    token: TOKEN,
    async webhookFetch(input, init) {
      const request = new Request(input, init);
      const { update_id: id } = (await request.json()) as { update_id: number };
      delivered.push({ secret: request.headers.get("x-telegram-bot-api-secret-token"), id });
      return new Response("", { status: answers.shift() ?? 200 });
    },
  });
  const call = async (method: string, parameters: object = {}, token = TOKEN) => {
    const response = await api.fetch(`https://api.example/bot${token}/${method}`, {
      method: "POST",
      body: JSON.stringify(parameters),
    });
    const body = (await response.json()) as { readonly result?: unknown; readonly description?: string };
    return { status: response.status, ...body };
  };
  const ids = async (parameters: object) => {
    const { result } = await call("getUpdates", parameters);
    return (result as { update_id: number }[]).map(({ update_id: id }) => id);
  };
  return { world, api, call, ids, delivered };
};

describe("a fake Bot API", () => {
  test("returns updates in order, repeatedly, until a higher offset confirms them", async () => {
    const { api, ids } = open();
    const one = api.say(chat, ada, "one").updateId;
    const two = api.say(chat, ada, "two").updateId;
    expect(two).toBe(one + 1);
    expect(await ids({})).toEqual([one, two]);
    expect(await ids({ offset: one })).toEqual([one, two]);
    expect(await ids({ offset: two, limit: 1 })).toEqual([two]);
    expect(await ids({})).toEqual([two]);
    expect(await ids({ offset: two + 1 })).toEqual([]);
    expect(api.unconfirmed()).toBe(0);
  });

  test("with a negative offset, forgets all but the last", async () => {
    const { api, ids } = open();
    api.say(chat, ada, "one");
    const two = api.say(chat, ada, "two").updateId;
    expect(await ids({ offset: -1 })).toEqual([two]);
    expect(await ids({})).toEqual([two]);
  });

  test("waits for updates up to the timeout, and leaves out kinds that were not requested", async () => {
    const { api, ids, world } = open();
    const early = ids({ timeout: 25, allowed_updates: ["message"] });
    await finishPendingWork();
    api.addUpdate("message_reaction", {});
    const { updateId } = api.say(chat, ada, "one");
    expect(await early).toEqual([updateId]);
    const late = ids({ offset: updateId + 1, timeout: 25 });
    await finishPendingWork();
    await world.advance(25_000);
    expect(await late).toEqual([]);
  });

  test("refuses a second concurrent poll and a poll while a webhook is set", async () => {
    const { call } = open();
    const first = call("getUpdates", { timeout: 25 });
    await finishPendingWork();
    await call("getUpdates");
    expect(await first).toMatchObject({ status: 409, description: expect.stringContaining("other getUpdates") });
    await call("setWebhook", { url: "https://house.example/" });
    expect(await call("getUpdates")).toMatchObject({
      status: 409,
      description: expect.stringContaining("webhook is active"),
    });
  });

  test("delivers to a webhook in order, with the secret, and repeats rejected updates", async () => {
    const { api, call, delivered } = open({ answers: [200, 503] });
    await call("setWebhook", { url: "https://house.example/", secret_token: "s" });
    const [one, two] = [api.say(chat, ada, "one").updateId, api.say(chat, ada, "two").updateId];
    await api.deliver();
    expect(delivered).toEqual([one, two].map((id) => ({ secret: "s", id })));
    await api.deliver();
    expect(delivered.slice(2)).toEqual([{ secret: "s", id: two }]);
    expect(api.unconfirmed()).toBe(0);
  });

  test.each([
    [
      "setWebhook",
      { url: "http://house.example/" },
      400,
      "Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
    ],
    [
      "setWebhook",
      { url: "https://a.example/", secret_token: "a b" },
      400,
      "Bad Request: secret token contains illegal characters",
    ],
    ["sendMessage", { chat_id: 99, text: "x" }, 400, "Bad Request: chat not found"],
    ["sendMessage", { text: "x" }, 400, "Bad Request: chat_id is empty"],
    ["sendMessage", { chat_id: 11, text: " " }, 400, "Bad Request: message text is empty"],
    ["sendMessage", { chat_id: 11, text: "<b></b>", parse_mode: "HTML" }, 400, "Bad Request: message text is empty"],
    [
      "sendMessage",
      { chat_id: 11, text: "x", reply_parameters: { message_id: 77 } },
      400,
      "Bad Request: message to be replied not found",
    ],
    ["constructor", {}, 404, "Not Found: method not found"],
  ])("%s %j is %d", async (method, parameters, status, description) => {
    const { api, call } = open();
    api.say(chat, ada, "hello");
    expect(await call(method, parameters)).toMatchObject({ ok: false, status, error_code: status, description });
  });

  test("counts the length of a message after its entities are read", async () => {
    const { api, call } = open();
    api.say(chat, ada, "hello");
    const text = `<b>${"&lt;".repeat(4096)}</b>`;
    expect(await call("sendMessage", { chat_id: 11, text, parse_mode: "HTML" })).toMatchObject({ ok: true });
    expect(api.sent()).toMatchObject([{ chat: 11, text: "<".repeat(4096), tags: ["b"] }]);
    expect(await call("sendMessage", { chat_id: 11, text: "x".repeat(4097) })).toMatchObject({
      status: 400,
      description: "Bad Request: message is too long",
    });
  });

  test("checks its token and which chats it may write to", async () => {
    const { api, call } = open();
    api.say(chat, ada, "hello");
    expect(await call("getMe", {}, "1:other")).toMatchObject({ status: 401 });
    expect(await call("getMe", {}, "other")).toMatchObject({ status: 404 });
    api.block(11);
    expect(await call("sendMessage", { chat_id: 11, text: "x" })).toMatchObject({ status: 403 });
    api.revoke();
    expect(await call("getMe")).toMatchObject({ status: 401, description: "Unauthorized" });
  });
});
