/**
 * Translates updates of the Bot API. An update that is not a message of a person is skipped, and
 * every field is validated.
 */
import type { InboundUpdate } from "../../channel.ts";
import { describeContents, readFiles, readUnknown } from "./contents.ts";
import { asFields, asId, asText, cleanField, type Fields } from "./fields.ts";

/** Our own account. */
export interface Bot {
  readonly id: number;
  readonly username: string;
}

export interface Update {
  readonly id: number;
  /** Absent when the update is skipped. */
  readonly inbound?: InboundUpdate;
}

export const readBot = (value: unknown): Bot | undefined => {
  const fields = asFields(value);
  const id = asId(fields["id"]);
  const username = asText(fields["username"]);
  return id === undefined || username === "" ? undefined : { id, username };
};

/** Returns undefined for a value without the id of an update. */
export const readUpdate = (value: unknown, bot: Bot): Update | undefined => {
  const fields = asFields(value);
  const id = asId(fields["update_id"]);
  if (id === undefined || id < 0) return undefined;
  const newMessage = readMessage(asFields(fields["message"]), bot);
  if (newMessage !== undefined)
    return { id, inbound: { externalId: String(id), kind: "message", ...newMessage.message } };
  const editedMessage = readMessage(asFields(fields["edited_message"]), bot);
  // A live location is edited every few seconds, and never has a text.
  if (editedMessage?.hasText === true && editedMessage.message.isAnonymous !== true)
    return { id, inbound: { externalId: String(id), kind: "edit", ...editedMessage.message } };
  const press = readPress(asFields(fields["callback_query"]), bot);
  return press === undefined ? { id } : { id, inbound: { externalId: String(id), kind: "press", ...press } };
};

/**
 * Reads a press of a button under one of our messages. Telegram may omit the text of an old
 * message, whose date is then 0.
 */
const readPress = (query: Fields, bot: Bot): Omit<InboundUpdate, "externalId" | "kind"> | undefined => {
  const message = asFields(query["message"]);
  const from = asFields(query["from"]);
  const press = asText(query["id"]);
  const text = asText(query["data"]).toWellFormed();
  const senderId = asId(from["id"]);
  const messageId = asId(message["message_id"]);
  const chat = readChat(message);
  if (press === "" || text.trim() === "" || senderId === undefined || messageId === undefined) return undefined;
  if (chat === undefined || from["is_bot"] === true || senderId === bot.id) return undefined;
  const name = nameOf(from) || String(senderId);
  return {
    conversation: toConversation(chat, name),
    sender: { id: String(senderId), name },
    text,
    press,
    messageId: String(messageId),
    at: (asId(message["date"]) ?? 0) * 1000,
    isMention: true,
  };
};

interface Chat {
  readonly id: string;
  readonly kind: "direct" | "group";
  readonly title: string;
  readonly thread: number | undefined;
}

const readChat = (message: Fields): Chat | undefined => {
  const chat = asFields(message["chat"]);
  const chatId = asId(chat["id"]);
  const kind = readKind(chat["type"]);
  if (chatId === undefined || kind === undefined) return undefined;
  const thread = message["is_topic_message"] === true ? asId(message["message_thread_id"]) : undefined;
  return { id: String(chatId), kind, title: cleanField(asText(chat["title"])), thread };
};

/** A direct conversation has the name of the other person. */
const toConversation = ({ id, kind, title, thread }: Chat, sender: string): InboundUpdate["conversation"] => ({
  id: thread === undefined ? id : `${id}/${thread}`,
  kind,
  name: title || (kind === "direct" ? sender : id),
});

const readMessage = (
  message: Fields,
  bot: Bot,
): { readonly message: Omit<InboundUpdate, "externalId" | "kind">; readonly hasText: boolean } | undefined => {
  const from = asFields(message["from"]);
  const chat = readChat(message);
  const senderId = asId(from["id"]);
  const messageId = asId(message["message_id"]);
  const seconds = asId(message["edit_date"]) ?? asId(message["date"]);
  const rawText = (asText(message["text"]) || asText(message["caption"])).toWellFormed();
  const contents = describeContents(message);
  if (chat === undefined || senderId === undefined || messageId === undefined) return undefined;
  const hasText = rawText.trim() !== "";
  const knownFiles = readFiles(message);
  const files = hasText || contents.length + knownFiles.length > 0 ? knownFiles : readUnknown(message);
  if (seconds === undefined || (!hasText && contents.length + files.length === 0)) return undefined;
  // Bots are not persons. The account of an anonymous sender is a bot of Telegram.
  const isAnonymous = "sender_chat" in message;
  // Telegram forwards the posts of a linked channel to its group automatically.
  if (isAnonymous && (chat.kind === "direct" || message["is_automatic_forward"] === true)) return undefined;
  if (senderId === bot.id || (from["is_bot"] === true && !isAnonymous)) return undefined;

  const { replyTo, isToBot } = readReply(asFields(message["reply_to_message"]), chat.thread, bot);
  const { text, isNamed } = readMention(rawText, bot);
  const sender = isAnonymous ? readAnonymous(message, senderId) : { id: String(senderId), name: nameOf(from) };
  const name = sender.name || sender.id;
  const sentMessage = {
    conversation: toConversation(chat, name),
    sender: { id: sender.id, name },
    messageId: String(messageId),
    ...(replyTo === undefined ? {} : { replyTo }),
    at: seconds * 1000,
    text: [...(text === "" ? [] : [text]), ...contents].join("\n"),
    ...(files.length === 0 ? {} : { files }),
    isMention: chat.kind === "direct" || isNamed || isToBot,
    ...(isAnonymous ? { isAnonymous: true as const } : {}),
  };
  return { message: sentMessage, hasText };
};

/** Returns the chat in whose name an admin or a channel writes. */
const readAnonymous = (message: Fields, account: number): { readonly id: string; readonly name: string } => {
  const chat = asFields(message["sender_chat"]);
  return { id: String(asId(chat["id"]) ?? account), name: cleanField(asText(chat["title"])) };
};

const readKind = (type: unknown): "direct" | "group" | undefined => {
  if (type === "private") return "direct";
  return type === "group" || type === "supergroup" ? "group" : undefined;
};

const readReply = (
  reply: Fields,
  thread: number | undefined,
  bot: Bot,
): { readonly replyTo?: string; readonly isToBot: boolean } => {
  const id = asId(reply["message_id"]);
  // In a topic, a message that is not a reply refers to the start of the topic.
  if (id === undefined || id === thread) return { isToBot: false };
  return { replyTo: String(id), isToBot: asFields(reply["from"])["id"] === bot.id };
};

/**
 * Removes the bot's name from a text: `@bot, hello` → `hello`; `/stop@bot` → `/stop`. A text that
 * is only the name stays unchanged.
 */
const readMention = (rawText: string, bot: Bot): { readonly text: string; readonly isNamed: boolean } => {
  const name = bot.username.replace(/[^\w]/g, "");
  const text = rawText.trim();
  const command = new RegExp(`^(/\\w{1,64})@${name}(?!\\w)`, "i").exec(text);
  if (command !== null) return { text: (command[1] ?? "") + text.slice(command[0].length), isNamed: true };
  const isNamed = new RegExp(`(?<![\\w@./])@${name}(?!\\w)`, "i").test(text);
  const textWithoutName = text.replace(new RegExp(`^@${name}(?!\\w)[\\s,:;]*`, "i"), "");
  return { text: textWithoutName === "" ? text : textWithoutName, isNamed };
};

const nameOf = (user: Fields): string =>
  cleanField(`${asText(user["first_name"])} ${asText(user["last_name"])}`) || cleanField(asText(user["username"]));
