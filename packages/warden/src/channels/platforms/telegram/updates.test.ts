/** Which updates of the Bot API become messages, edits and presses, field by field. */
import { expect, test } from "bun:test";
import { readBot, readUpdate } from "./updates.ts";

const bot = { id: 7, username: "hearth_bot" };
const message = {
  message_id: 5,
  date: 100,
  from: { id: 3, first_name: "Ada", last_name: "L" },
  chat: { id: 9, type: "private" },
  text: "hi",
};
/** What the message is read as. */
const read = {
  externalId: "1",
  kind: "message",
  conversation: { id: "9", kind: "direct", name: "Ada L" },
  sender: { id: "3", name: "Ada L" },
  messageId: "5",
  at: 100_000,
  text: "hi",
  isMention: true,
};

/** Change of the message → change of what is read; undefined: nothing is read. */
const MESSAGES: readonly (readonly [change: object, read: object | undefined])[] = [
  [{}, {}],
  [{ date: undefined }, undefined],
  [{ message_id: undefined }, undefined],
  [{ text: "" }, undefined],
  [{ text: " " }, undefined],
  [{ text: "", caption: "cap" }, { text: "cap" }],
  [{ edit_date: 200 }, { at: 200000 }],
  [{ from: { id: 3, is_bot: true, first_name: "B" } }, undefined],
  [{ from: { id: 7, first_name: "B" } }, undefined],
  [
    {
      chat: { id: -9, type: "group", title: "Hall" },
      sender_chat: { id: -9, title: "Hall" },
      from: { id: 2, is_bot: true },
    },
    {
      conversation: { id: "-9", kind: "group", name: "Hall" },
      sender: { id: "-9", name: "Hall" },
      isMention: false,
      isAnonymous: true,
    },
  ],
  [{ sender_chat: { id: 1 } }, undefined],
  [{ chat: { id: -9, type: "group" }, sender_chat: { id: 1 }, is_automatic_forward: true }, undefined],
  [
    { text: undefined, live_photo: { file_id: "f" } },
    { text: "", files: [{ id: "", name: "the message", summary: "content of an unknown kind: live photo" }] },
  ],
  [{ text: "see", live_photo: {} }, { text: "see" }],
  [{ text: undefined, new_chat_members: [] }, undefined],
  [{ text: undefined, forum_topic_created: {}, is_topic_message: true }, undefined],
  [{ from: {} }, undefined],
  [{ chat: { id: 9, type: "channel" } }, undefined],
  [{ chat: { type: "group" } }, undefined],
  [
    { chat: { id: -9, type: "group", title: "Hall" } },
    { conversation: { id: "-9", kind: "group", name: "Hall" }, isMention: false },
  ],
  [
    { chat: { id: -9, type: "supergroup" } },
    { conversation: { id: "-9", kind: "group", name: "-9" }, isMention: false },
  ],
  [
    { chat: { id: -9, type: "supergroup", title: "Hall" }, is_topic_message: true, message_thread_id: 4 },
    { conversation: { id: "-9/4", kind: "group", name: "Hall" }, isMention: false },
  ],
  [
    { chat: { id: -9, type: "supergroup", title: "Hall" }, message_thread_id: 4 },
    { conversation: { id: "-9", kind: "group", name: "Hall" }, isMention: false },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "@hearth_bot, hello" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "hello" },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "@hearth_bot" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "@hearth_bot" },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "hey @HEARTH_bot there" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "hey @HEARTH_bot there" },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "a@hearth_bot" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "a@hearth_bot", isMention: false },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "@hearth_botx" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "@hearth_botx", isMention: false },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "/stop@hearth_bot now" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "/stop now" },
  ],
  [
    { chat: { id: -9, type: "group" }, text: "/stop@other_bot" },
    { conversation: { id: "-9", kind: "group", name: "-9" }, text: "/stop@other_bot", isMention: false },
  ],
  [
    { chat: { id: -9, type: "group" }, reply_to_message: { message_id: 2, from: { id: 7 } } },
    { conversation: { id: "-9", kind: "group", name: "-9" }, replyTo: "2" },
  ],
  [
    { chat: { id: -9, type: "group" }, reply_to_message: { message_id: 2, from: { id: 8 } } },
    { conversation: { id: "-9", kind: "group", name: "-9" }, replyTo: "2", isMention: false },
  ],
  [
    {
      chat: { id: -9, type: "supergroup" },
      is_topic_message: true,
      message_thread_id: 2,
      reply_to_message: { message_id: 2, from: { id: 7 } },
    },
    { conversation: { id: "-9/2", kind: "group", name: "-9" }, isMention: false },
  ],
  [
    { from: { id: 3, username: "ada" } },
    { conversation: { id: "9", kind: "direct", name: "ada" }, sender: { id: "3", name: "ada" } },
  ],
  [{ from: { id: 3 } }, { conversation: { id: "9", kind: "direct", name: "3" }, sender: { id: "3", name: "3" } }],
  [{ text: "", sticker: { emoji: "😀" } }, { text: "[sticker 😀]" }],
  [{ text: "see", sticker: {} }, { text: "see\n[sticker]" }],
  [
    { text: "", voice: { file_id: "f", duration: 3 } },
    { text: "", files: [{ id: "f", name: "voice-message.ogg", summary: "voice message, 3 s" }] },
  ],
];

test.each([...MESSAGES])("a message with %j is read with %j", (change, difference) => {
  const { inbound } = readUpdate({ update_id: 1, message: { ...message, ...change } }, bot) ?? {};
  expect<unknown>(inbound).toEqual(difference === undefined ? undefined : { ...read, ...difference });
});

const press = {
  id: "q",
  data: "yes",
  from: { id: 3, first_name: "Ada" },
  message: { message_id: 5, date: 100, chat: { id: 9, type: "private" } },
};

test.each([
  [{}, true],
  [{ id: "" }, false],
  [{ data: " " }, false],
  [{ from: {} }, false],
  [{ from: { id: 3, is_bot: true } }, false],
  [{ from: { id: 7 } }, false],
  [{ message: {} }, false],
  [{ message: { message_id: 5, chat: { id: 9, type: "channel" } } }, false],
  [{ message: { message_id: 5, date: 0, chat: { id: 9, type: "private" } } }, true],
])("a press with %j is read: %p", (change, isRead) => {
  const update = readUpdate({ update_id: 1, callback_query: { ...press, ...change } }, bot);
  expect(update?.id).toBe(1);
  expect(update?.inbound !== undefined).toBe(isRead);
});

test("a press has the message, the button's text and the sender", () => {
  expect(readUpdate({ update_id: 1, callback_query: press }, bot)?.inbound).toMatchObject({
    ...{ kind: "press", press: "q", text: "yes", messageId: "5", at: 100_000 },
    sender: { id: "3", name: "Ada" },
  });
});

test("an edit with words is read, and one without is skipped", () => {
  const edited = { ...message, edit_date: 300 };
  const edit = readUpdate({ update_id: 1, edited_message: edited }, bot);
  expect<unknown>(edit?.inbound).toEqual({ ...read, kind: "edit", at: 300_000 });
  const place = { ...edited, text: "", location: { latitude: 1, longitude: 2 } };
  expect(readUpdate({ update_id: 1, edited_message: place }, bot)).toEqual({ id: 1 });
});

test("an update has an id that is not negative", () => {
  const ids = [{}, { update_id: -1 }, "x", null, { update_id: 0 }].map((value) => readUpdate(value, bot)?.id);
  expect(ids).toEqual([undefined, undefined, undefined, undefined, 0]);
});

test("an account has an id and a name", () => {
  const values = [bot, { id: 1 }, { username: "b" }, { id: "1", username: "b" }, null];
  expect(values.map(readBot)).toEqual([bot, undefined, undefined, undefined, undefined]);
});
