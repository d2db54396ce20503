/**
 * The Telegram channel: a bot account over the Bot API, by long poll or webhook. A conversation is
 * `chat`, or `chat/thread` for a topic of a forum. Telegram takes no idempotency keys, so a message
 * that was lost on the way may have arrived.
 */
import type { Choice } from "../../../kernel/index.ts";
import { type ErrorBody, HearthError, showSize } from "@hearth/protocol";
import type { Channel, ChannelOptions, EndedChoices, InboundUpdate, Outbound, SendResult } from "../../channel.ts";
import { splitMarkdown } from "../../pieces.ts";
import { type PollResult, pollForever } from "../../polling.ts";
import { isSameSecret } from "../../secrets.ts";
import { type BotApiAnswer, type BotApi, createBotApi, toThrown } from "./bot-api.ts";
import { asFields, asText, shorten, toId } from "./fields.ts";
import { toTelegramHtml } from "./html.ts";
import { createSendFile, MAX_FILE_BYTES } from "./send-file.ts";
import { type Bot, readBot, readUpdate } from "./updates.ts";

const MAX_LENGTH = 4096;
/** «getFile»: the largest file that a bot may download. */
const MAX_FETCHED_BYTES = 20 * 1024 * 1024;
const POLL_SECONDS = 25;
/** Time that an answer may take beyond the poll timeout. */
const POLL_GRACE_MS = 15_000;
const UPDATE_KINDS = ["message", "edited_message", "callback_query"];
/** Maximum length of the answer to a press. */
const MAX_PRESS_ANSWER_LENGTH = 200;
const MAX_BUTTON_LENGTH = 64;
/** The data of a button that only shows text. */
const EMPTY_BUTTON_DATA = "-";

export const createTelegramChannel = (options: ChannelOptions): Channel => {
  const { clock, token, webhookSecret } = options;
  const api = createBotApi({
    fetch: options.fetch,
    clock,
    token,
    baseUrl: options.baseUrl ?? "https://api.telegram.org",
    secrets: [webhookSecret],
  });
  const sendFile = createSendFile(api);
  let cachedBot: Bot | undefined;

  const findBot = async (signal: AbortSignal): Promise<Bot | Exclude<BotApiAnswer, { kind: "ok" }>> => {
    if (cachedBot !== undefined) return cachedBot;
    const answer = await api.call({ method: "getMe", parameters: {}, signal });
    if (answer.kind !== "ok") return answer;
    cachedBot = readBot(answer.result);
    return cachedBot ?? { kind: "lost", error: invalidAnswerError };
  };

  const poll = async (cursor: string | undefined, signal: AbortSignal): Promise<PollResult> => {
    const bot = await findBot(signal);
    if ("kind" in bot) return toFailure(bot);
    const offset = cursor !== undefined && /^\d{1,15}$/.test(cursor) ? { offset: Number(cursor) } : {};
    const answer = await api.call({
      method: "getUpdates",
      parameters: { ...offset, timeout: POLL_SECONDS, allowed_updates: UPDATE_KINDS },
      signal,
      timeoutMs: POLL_SECONDS * 1000 + POLL_GRACE_MS,
    });
    if (answer.kind !== "ok") return toFailure(answer);
    if (!Array.isArray(answer.result)) return { kind: "failed", error: invalidAnswerError };
    const updates = answer.result.flatMap((value: unknown) => readUpdate(value, bot) ?? []);
    const lastId = Math.max(...updates.map(({ id }) => id));
    if (updates.length === 0)
      return answer.result.length === 0 ? { kind: "answered" } : { kind: "failed", error: invalidAnswerError };
    const inbound = updates.flatMap((update) => update.inbound ?? []);
    return { kind: "answered", batch: { inbound, cursor: String(lastId + 1) } };
  };

  const sendText = (message: Outbound, markup: boolean, signal: AbortSignal): Promise<BotApiAnswer> => {
    const [chat = "", thread] = message.conversation.split("/");
    return api.call({
      method: "sendMessage",
      parameters: {
        chat_id: toId(chat),
        // Telegram would fetch a link to build its preview, and reading a message must not cause that request.
        link_preview_options: { is_disabled: true },
        ...(thread === undefined ? {} : { message_thread_id: toId(thread) }),
        ...(markup ? { text: toTelegramHtml(message.text), parse_mode: "HTML" } : { text: message.text }),
        ...(message.replyTo === undefined
          ? {}
          : { reply_parameters: { message_id: toId(message.replyTo), allow_sending_without_reply: true } }),
        ...(message.choices === undefined ? {} : { reply_markup: toKeyboard(message.choices) }),
      },
      signal,
    });
  };

  /** Replaces the buttons by one that only shows text. */
  const endChoices = ({ conversation, messageId, text }: EndedChoices, signal: AbortSignal): Promise<BotApiAnswer> => {
    const [chat = ""] = conversation.split("/");
    const reply_markup = toKeyboard([{ label: shorten(text, MAX_BUTTON_LENGTH), word: EMPTY_BUTTON_DATA }]);
    return api.call({
      method: "editMessageReplyMarkup",
      parameters: { chat_id: toId(chat), message_id: toId(messageId), reply_markup },
      signal,
    });
  };

  return {
    kind: "telegram",
    traits: {
      takesKeys: false,
      maxLength: MAX_LENGTH,
      maxFetchedBytes: MAX_FETCHED_BYTES,
      files: { maxBytes: MAX_FILE_BYTES },
    },

    poll: (cursor, signal, onFailure) => pollForever({ clock, cursor, signal, onFailure, poll }),

    async receive(webhook): Promise<readonly InboundUpdate[]> {
      if (!isSameSecret(webhook.headers.get("x-telegram-bot-api-secret-token"), webhookSecret)) {
        throw new HearthError("channel.unverified", "This update does not come from Telegram.", {
          hint: "If Telegram sent it, set the webhook again, because its secret has changed.",
        });
      }
      const body = readBody(webhook.body);
      const bot = await findBot(new AbortController().signal);
      if ("kind" in bot) throw toThrown(bot.error);
      const update = readUpdate(body, bot);
      if (update === undefined) throw notAnUpdateError();
      return update.inbound === undefined ? [] : [update.inbound];
    },

    fetchFile: createFetchFile(api),

    pieces: (text) => splitMarkdown(text, MAX_LENGTH),

    async send(message, signal): Promise<SendResult> {
      const answer = await sendText(message, true, signal);
      const isMarkupError = answer.kind === "no" && answer.status === 400 && /parse entities/i.test(answer.description);
      return toResult(isMarkupError ? await sendText(message, false, signal) : answer);
    },

    sendFile: async (file, signal) => toResult(await sendFile(file, signal)),

    async endChoices(ended, signal): Promise<SendResult> {
      const answer = await endChoices(ended, signal);
      const isUnchanged = answer.kind === "no" && answer.status === 400 && /not modified/i.test(answer.description);
      return isUnchanged ? { kind: "sent", messageId: ended.messageId } : toResult(answer);
    },

    async answerPress({ press, text, isOver, ...message }, signal) {
      const shortened = shorten(text, MAX_PRESS_ANSWER_LENGTH);
      await api.call({
        method: "answerCallbackQuery",
        parameters: { callback_query_id: press, text: shortened },
        signal,
      });
      if (isOver) await endChoices({ ...message, text }, signal);
    },

    async typing(conversation, signal) {
      const [chat = "", thread] = conversation.split("/");
      await api.call({
        method: "sendChatAction",
        parameters: {
          chat_id: toId(chat),
          ...(thread === undefined ? {} : { message_thread_id: toId(thread) }),
          action: "typing",
        },
        signal,
      });
    },

    async probe(signal) {
      cachedBot = undefined;
      const bot = await findBot(signal);
      return "kind" in bot ? { ok: false, detail: describeError(bot.error) } : { ok: true, detail: `@${bot.username}` };
    },

    async setWebhook(url, signal) {
      const answer = await api.call(
        url === undefined
          ? { method: "deleteWebhook", parameters: { drop_pending_updates: false }, signal }
          : {
              method: "setWebhook",
              parameters: { url, secret_token: webhookSecret, allowed_updates: UPDATE_KINDS },
              signal,
            },
      );
      if (answer.kind !== "ok") throw toThrown(answer.error);
    },
  };
};

const createFetchFile =
  (api: BotApi): Channel["fetchFile"] =>
  async ({ id }, maxBytes, signal) => {
    if (id === "") return { kind: "refused", why: "Telegram does not give bots such content" };
    const answer = await api.call({ method: "getFile", parameters: { file_id: id }, signal });
    if (answer.kind === "no" && answer.status === 400) {
      const isLarge = /too big/i.test(answer.description);
      return { kind: "refused", why: isLarge ? tooLargeReason(MAX_FETCHED_BYTES) : "Telegram does not have it" };
    }
    if (answer.kind !== "ok") return { kind: "later", error: answer.error };
    const path = asText(asFields(answer.result)["file_path"]);
    // A local Bot API server may name a path on its disk.
    if (!/^[^/\\]+(\/[^/\\]+)*$/.test(path) || path.split("/").some((part) => /^\.+$/.test(part)))
      return { kind: "refused", why: "the Bot API gave no address from which the house may read it" };
    const file = await api.download(path, maxBytes, signal);
    if (file.kind === "ok") return { kind: "fetched", bytes: file.bytes };
    if (file.kind === "too-large") return { kind: "refused", why: tooLargeReason(maxBytes) };
    if (file.kind === "lost") return { kind: "later", error: file.error };
    if (file.status !== 429 && file.status < 500)
      return { kind: "refused", why: `Telegram's file server refused it with status ${file.status}` };
    return { kind: "later", error: { code: "channel.failed", message: "Telegram's file server failed." } };
  };

const tooLargeReason = (bytes: number): string => `it has more than ${showSize(bytes)}`;

const toKeyboard = (choices: readonly Choice[]) => ({
  inline_keyboard: [choices.map(({ label, word }) => ({ text: label, callback_data: word }))],
});

const invalidAnswerError: ErrorBody = {
  code: "channel.failed",
  message: "Telegram's answer is malformed.",
  hint: "Check that the channel's `base_url` is the address of the Bot API.",
};

const describeError = ({ message, hint }: ErrorBody): string => (hint === undefined ? message : `${message} ${hint}`);

const toFailure = (answer: Exclude<BotApiAnswer, { kind: "ok" }>): PollResult => ({
  kind: "failed",
  error: answer.error,
  ...("retryAfterMs" in answer ? { retryAfterMs: answer.retryAfterMs } : {}),
});

const toResult = (answer: BotApiAnswer): SendResult => {
  switch (answer.kind) {
    case "unreached":
      return { kind: "later", error: answer.error };
    case "lost":
      return { kind: "unknown", error: answer.error };
    case "ok": {
      const { result } = answer;
      const id =
        typeof result === "object" && result !== null && "message_id" in result ? result.message_id : undefined;
      return Number.isSafeInteger(id)
        ? { kind: "sent", messageId: String(id) }
        : { kind: "unknown", error: invalidAnswerError };
    }
    case "no": {
      const { status, error, retryAfterMs } = answer;
      const isTemporary = status === 429 || status >= 500 || error.code === "channel.auth";
      if (!isTemporary) return { kind: "refused", error };
      return { kind: "later", error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
  }
};

const notAnUpdateError = (cause?: unknown): HearthError =>
  new HearthError("request.invalid", "The body is not an update of the Bot API.", { cause });

const readBody = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), (key, value: unknown) => {
      if (key === "__proto__") throw notAnUpdateError();
      return value;
    });
  } catch (cause) {
    throw notAnUpdateError(cause);
  }
};
