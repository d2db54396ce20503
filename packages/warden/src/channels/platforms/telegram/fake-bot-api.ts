/**
 * A Bot API server in memory, for tests: it simulates one bot and the people who write to it, and
 * any call can be made to fail. `handle` has the shape of a server's fetch, so it answers a channel
 * without sockets, or behind a real port. It rejects to simulate a lost connection.
 *
 * The behaviour is documented at core.telegram.org/bots/api: «getUpdates» (ids in order; an update
 * is confirmed by a call with a higher offset and repeated until then; `allowed_updates`, `limit`,
 * `timeout`; refused while a webhook is set, and for two concurrent callers), «setWebhook» (https,
 * `secret_token`, repeated on anything but 2xx), «sendPhoto» and the like (a form with the file; at
 * most 50 MB, a photo 10 MB; caption of at most 1024 characters), «sendMessage» (1–4096 characters
 * after entities parsing, `reply_parameters`), «InlineKeyboardMarkup» (`callback_data` of 1–64
 * bytes), «CallbackQuery», «answerCallbackQuery» (0–200 characters, each query once),
 * «editMessageReplyMarkup», «getFile» (at most 20 MB; the file is below `/file/bot<token>/`),
 * «ResponseParameters» (`retry_after`). The texts of its errors are those of the server,
 * github.com/tdlib/telegram-bot-api.
 */
import type { Clock, Fetch } from "@hearth/protocol";
import {
  type BotButton,
  cleanText,
  neverAnswer,
  toInteger,
  type Json,
  errorResponse,
  readForm,
  readKeyboard,
  toText,
  type UploadedFile,
  okResponse,
} from "./fake-bot-values.ts";
import { parseTelegramHtml } from "./fake-html.ts";

export type BotFault =
  | { readonly kind: "no"; readonly status: number; readonly description: string; readonly retryAfter?: number }
  /** An answer of a proxy instead of the Bot API. */
  | { readonly kind: "page"; readonly status: number; readonly body: string }
  /** The call has no effect, and the network fails with this error. */
  | { readonly kind: "before"; readonly error: Error }
  /** The call takes effect, and the network fails with this error. */
  | { readonly kind: "after"; readonly error: Error }
  | { readonly kind: "silent" }
  /** The call takes effect, and no answer comes. */
  | { readonly kind: "stuck" };

export interface BotMessage {
  readonly chat: number;
  readonly thread?: number;
  readonly messageId: number;
  /** The text that a reader sees. */
  readonly text: string;
  /** Tags of the HTML that it was written in. */
  readonly tags: readonly string[];
  readonly replyTo?: number;
  /** The file of a file message, and the method that sent it. The text of the message is then the caption. */
  readonly file?: SentFile;
  /** The current buttons, which may differ from the original ones. */
  readonly buttons: readonly BotButton[];
}

export interface SentFile {
  readonly method: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface FakeBotApi {
  handle(request: Request): Promise<Response>;
  /** `handle`, for a channel in the same process. */
  readonly fetch: Fetch;
  /**
   * Adds an update that people caused and returns its id. `edited_message`, `message_reaction` …
   * are kinds too.
   */
  addUpdate(kind: string, content: Json): number;
  /** A person writes. Fields of `extra` are added to the message or replace its own. */
  say(chat: Json, from: Json, text: string, extra?: Json): { readonly updateId: number; readonly messageId: number };
  /** Stores a file as if a person had sent it. Returns the fields that every file of a message has. */
  storeFile(bytes: Uint8Array<ArrayBuffer>): {
    readonly file_id: string;
    readonly file_unique_id: string;
    readonly file_size: number;
  };
  /**
   * A person presses the button with this word under a message of the bot, or a program claims so.
   * Returns the update's id.
   */
  press(messageId: number, from: Json, word: string): number;
  /** The answers that were shown to people who pressed, in order. */
  shown(): readonly string[];
  /** The update as JSON, whether confirmed or not. */
  update(id: number): Json;
  /**
   * Sends waiting updates to the webhook, in order, until one is rejected. The real server repeats
   * this automatically.
   */
  deliver(): Promise<void>;
  failNext(method: string, fault: BotFault): void;
  revoke(): void;
  /** The person or group blocks the bot. */
  block(chat: number): void;
  /** Returns the sent messages, oldest first. */
  sent(): readonly BotMessage[];
  /** Calls that arrived, oldest first. */
  calls(): readonly { readonly method: string; readonly parameters: Json }[];
  unconfirmed(): number;
}

const MAX_TEXT_LENGTH = 4096;
const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;

const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
const MAX_CAPTION_LENGTH = 1024;

/** The parameter of each method that has the file. */
const fileFields: Readonly<Record<string, string>> = {
  sendPhoto: "photo",
  sendAudio: "audio",
  sendVoice: "voice",
  sendVideo: "video",
  sendDocument: "document",
};

const toFile = (id: string, bytes: Uint8Array) => ({
  file_id: id,
  file_unique_id: `unique-${id}`,
  file_size: bytes.length,
});

export const createFakeBotApi = (options: {
  readonly clock: Clock;
  readonly token: string;
  readonly bot?: { readonly id: number; readonly username: string };
  /** The fetch that reaches webhooks. */
  readonly webhookFetch?: Fetch;
}): FakeBotApi => {
  const { clock, token, bot = { id: 4242, username: "hearth_bot" } } = options;
  const botUser = { ...bot, is_bot: true, first_name: "Hearth" };
  const updates = new Map<number, Json>();
  let pendingIds: number[] = [];
  const chats = new Map<number, Json>();
  const authors = new Map<string, Json>();
  const blocked = new Set<number>();
  const faults = new Map<string, BotFault[]>();
  const calls: { method: string; parameters: Json }[] = [];
  const sentMessages: BotMessage[] = [];
  const queries = new Set<string>();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const shownAnswers: string[] = [];
  const wakers = new Set<() => void>();
  let lastUpdateId = 700_000_000;
  let lastMessageId = 0;
  let isRevoked = false;
  let webhook: { readonly url: string; readonly secret: string } | undefined;
  let allowedKinds: readonly string[] = [];
  let terminate = (): void => undefined;

  const seconds = (): number => Math.floor(clock.now() / 1000);
  const isAllowed = (kind: string): boolean => allowedKinds.length === 0 || allowedKinds.includes(kind);

  const methods: Readonly<Record<string, (parameters: Json, signal: AbortSignal) => Response | Promise<Response>>> = {
    getMe: () => okResponse(botUser),

    async getUpdates(parameters, signal) {
      if (webhook !== undefined) {
        return errorResponse(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      terminate();
      let isTerminated = false;
      const { promise, resolve } = Promise.withResolvers<void>();
      terminate = () => {
        isTerminated = true;
        resolve();
      };
      readAllowed(parameters);
      const offset = toInteger(parameters["offset"]) ?? 0;
      pendingIds = offset < 0 ? pendingIds.slice(offset) : pendingIds.filter((id) => id >= offset);
      const timeout = toInteger(parameters["timeout"]) ?? 0;
      if (pendingIds.length === 0 && timeout > 0) {
        const controller = new AbortController();
        wakers.add(resolve);
        await Promise.race([clock.sleep(timeout * 1000, AbortSignal.any([controller.signal, signal])), promise]);
        wakers.delete(resolve);
        controller.abort();
      }
      signal.throwIfAborted();
      if (isTerminated) {
        return errorResponse(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        );
      }
      const limit = Math.min(Math.max(toInteger(parameters["limit"]) ?? 100, 1), 100);
      return okResponse(pendingIds.slice(0, limit).map((id) => updates.get(id)));
    },

    setWebhook(parameters) {
      const url = toText(parameters["url"]);
      const secret = toText(parameters["secret_token"]);
      if (!/^[\w-]{0,256}$/.test(secret))
        return errorResponse(400, "Bad Request: secret token contains illegal characters");
      if (url !== "" && !url.startsWith("https://")) {
        return errorResponse(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
      }
      webhook = url === "" ? undefined : { url, secret };
      readAllowed(parameters);
      terminate();
      return okResponse(true);
    },

    deleteWebhook(parameters) {
      webhook = undefined;
      if (parameters["drop_pending_updates"] === true) pendingIds = [];
      return okResponse(true);
    },

    sendMessage(parameters) {
      const target = readTarget(parameters);
      if (target instanceof Response) return target;
      const isHtml = parameters["parse_mode"] === "HTML";
      const source = toText(parameters["text"]);
      const parsed = isHtml ? parseTelegramHtml(source) : { ok: true as const, text: source, tags: [] };
      if (!parsed.ok) return errorResponse(400, parsed.description);
      const visible = cleanText(parsed.text);
      if (!/[^\p{Z}\p{Cc}\p{Cf}\s\u2800]/u.test(visible))
        return errorResponse(400, "Bad Request: message text is empty");
      if (visible.length > MAX_TEXT_LENGTH) return errorResponse(400, "Bad Request: message is too long");
      const reply = readReply(parameters, target.chat);
      if (reply instanceof Response) return reply;
      const buttons = readKeyboard(parameters["reply_markup"]);
      if (buttons === undefined) return errorResponse(400, "Bad Request: BUTTON_DATA_INVALID");
      lastMessageId += 1;
      const message = {
        ...target,
        buttons,
        messageId: lastMessageId,
        text: visible,
        tags: parsed.tags,
        ...reply,
      };
      sentMessages.push(message);
      authors.set(`${target.chat} ${lastMessageId}`, botUser);
      return okResponse({
        message_id: lastMessageId,
        from: botUser,
        chat: chats.get(target.chat),
        date: seconds(),
        text: visible,
      });
    },

    getFile(parameters) {
      const id = toText(parameters["file_id"]);
      const bytes = files.get(id);
      if (bytes === undefined)
        return errorResponse(400, "Bad Request: wrong file_id or the file is temporarily unavailable");
      if (bytes.length > MAX_DOWNLOAD_BYTES) return errorResponse(400, "Bad Request: file is too big");
      return okResponse({ ...toFile(id, bytes), file_path: `documents/${id}` });
    },

    answerCallbackQuery(parameters) {
      const answer = toText(parameters["text"]);
      if (answer.length > 200) return errorResponse(400, "Bad Request: MESSAGE_TOO_LONG");
      if (!queries.delete(toText(parameters["callback_query_id"])))
        return errorResponse(400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
      shownAnswers.push(answer);
      return okResponse(true);
    },

    editMessageReplyMarkup(parameters) {
      const target = readTarget(parameters);
      if (target instanceof Response) return target;
      const index = sentMessages.findIndex(
        ({ chat, messageId }) => chat === target.chat && messageId === toInteger(parameters["message_id"]),
      );
      const message = sentMessages[index];
      if (message === undefined) return errorResponse(400, "Bad Request: message to edit not found");
      const buttons = readKeyboard(parameters["reply_markup"]);
      if (buttons === undefined) return errorResponse(400, "Bad Request: BUTTON_DATA_INVALID");
      if (JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
        return errorResponse(
          400,
          "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
        );
      }
      sentMessages[index] = { ...message, buttons };
      return okResponse({
        message_id: message.messageId,
        from: botUser,
        chat: chats.get(message.chat),
        date: seconds(),
      });
    },

    sendChatAction(parameters) {
      const target = readTarget(parameters);
      return target instanceof Response ? target : okResponse(true);
    },
  };

  const readAllowed = (parameters: Json): void => {
    const kinds = parameters["allowed_updates"];
    if (Array.isArray(kinds)) allowedKinds = kinds.filter((kind) => typeof kind === "string");
  };

  const readReply = (parameters: Json, chat: number): { readonly replyTo?: number } | Response => {
    const reply = parameters["reply_parameters"] as Json | undefined;
    const replyTo = toInteger(reply?.["message_id"]);
    if (replyTo === undefined) return {};
    if (authors.has(`${chat} ${replyTo}`)) return { replyTo };
    const isOptional = reply?.["allow_sending_without_reply"] === true;
    return isOptional ? {} : errorResponse(400, "Bad Request: message to be replied not found");
  };

  const sendFile = (method: string, parameters: Json, file: UploadedFile | undefined): Response => {
    const target = readTarget(parameters);
    if (target instanceof Response) return target;
    const field = fileFields[method] ?? "";
    if (file?.field !== field) return errorResponse(400, `Bad Request: there is no ${field} in the request`);
    if (file.bytes.length === 0) return errorResponse(400, "Bad Request: file must be non-empty");
    if (file.bytes.length > MAX_UPLOAD_BYTES) return errorResponse(413, "Request Entity Too Large");
    if (method === "sendPhoto" && file.bytes.length > MAX_PHOTO_BYTES)
      return errorResponse(400, "Bad Request: file is too big");
    const caption = cleanText(toText(parameters["caption"]));
    if (caption.length > MAX_CAPTION_LENGTH) return errorResponse(400, "Bad Request: message caption is too long");
    const reply = readReply(parameters, target.chat);
    if (reply instanceof Response) return reply;
    lastMessageId += 1;
    const { name, type, bytes } = file;
    const message = { ...target, buttons: [], messageId: lastMessageId, text: caption, tags: [], ...reply };
    sentMessages.push({ ...message, file: { method, name, type, bytes } });
    authors.set(`${target.chat} ${lastMessageId}`, botUser);
    return okResponse({
      message_id: lastMessageId,
      from: botUser,
      chat: chats.get(target.chat),
      date: seconds(),
      caption,
    });
  };

  const readTarget = (parameters: Json): { readonly chat: number; readonly thread?: number } | Response => {
    const chat = toInteger(parameters["chat_id"]);
    if (chat === undefined || !chats.has(chat)) {
      return errorResponse(
        400,
        toText(parameters["chat_id"]) === "" ? "Bad Request: chat_id is empty" : "Bad Request: chat not found",
      );
    }
    if (blocked.has(chat)) {
      return errorResponse(
        403,
        chat > 0 ? "Forbidden: bot was blocked by the user" : "Forbidden: bot was kicked from the group chat",
      );
    }
    if (parameters["message_thread_id"] === undefined) return { chat };
    const thread = toInteger(parameters["message_thread_id"]);
    return thread === undefined
      ? errorResponse(400, "Bad Request: invalid message thread ID specified")
      : { chat, thread };
  };

  const download = (usedToken: string, id: string): Response => {
    const fault = faults.get("download")?.shift();
    if (fault?.kind === "before" || fault?.kind === "after") throw fault.error;
    if (fault?.kind === "no" || fault?.kind === "page") return new Response("nginx", { status: fault.status });
    const bytes = files.get(id);
    if (usedToken !== token || isRevoked || bytes === undefined) return errorResponse(404, "Not Found");
    return new Response(bytes, { headers: { "content-type": "application/octet-stream" } });
  };

  const handle = async (request: Request): Promise<Response> => {
    const fileRequest = /\/file\/bot([^/]+)\/documents\/([^/]+)$/.exec(new URL(request.url).pathname);
    if (fileRequest !== null) return download(fileRequest[1] ?? "", fileRequest[2] ?? "");
    const [, usedToken, method = ""] = /\/bot([^/]+)\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    const fault = faults.get(method)?.shift();
    if (fault?.kind === "before") throw fault.error;
    const { parameters, file } = await readBody(request);
    calls.push({ method, parameters });
    if (usedToken === undefined || !/^\d+:/.test(usedToken)) return errorResponse(404, "Not Found");
    if (usedToken !== token || isRevoked) return errorResponse(401, "Unauthorized");
    if (fault?.kind === "silent") return neverAnswer(request.signal);
    if (fault?.kind === "no") return errorResponse(fault.status, fault.description, fault.retryAfter);
    if (fault?.kind === "page") return new Response(fault.body, { status: fault.status });
    const answer = await callMethod(method, parameters, file, request.signal);
    if (fault?.kind === "after") throw fault.error;
    return fault?.kind === "stuck" ? neverAnswer(request.signal) : answer;
  };

  const callMethod = (
    method: string,
    parameters: Json,
    file: UploadedFile | undefined,
    signal: AbortSignal,
  ): Response | Promise<Response> => {
    if (Object.hasOwn(fileFields, method)) return sendFile(method, parameters, file);
    const runMethod = Object.hasOwn(methods, method) ? methods[method] : undefined;
    return runMethod === undefined ? errorResponse(404, "Not Found: method not found") : runMethod(parameters, signal);
  };

  const addUpdate = (kind: string, content: Json): number => {
    lastUpdateId += 1;
    updates.set(lastUpdateId, { update_id: lastUpdateId, [kind]: content });
    // `allowed_updates` also decides which updates are stored for the bot.
    if (isAllowed(kind)) {
      pendingIds.push(lastUpdateId);
      for (const wake of wakers) wake();
    }
    return lastUpdateId;
  };

  return {
    handle,
    fetch: (input, init) => handle(new Request(input, init)),
    addUpdate,
    say(chat, from, text, extra = {}) {
      lastMessageId += 1;
      const chatId = toInteger(chat["id"]) ?? 0;
      chats.set(chatId, chat);
      const repliedMessage = extra["reply_to_message"] as Json | undefined;
      const author = authors.get(`${chatId} ${String(repliedMessage?.["message_id"])}`);
      const reply = repliedMessage === undefined ? {} : { reply_to_message: { from: author, chat, ...repliedMessage } };
      const message = { message_id: lastMessageId, from, chat, date: seconds(), text, ...extra, ...reply };
      authors.set(`${chatId} ${message.message_id}`, from);
      return { updateId: addUpdate("message", message), messageId: message.message_id };
    },
    storeFile(bytes) {
      const id = `file_${files.size}`;
      files.set(id, bytes);
      return toFile(id, bytes);
    },
    press(messageId, from, word) {
      const message = sentMessages.find((message) => message.messageId === messageId);
      if (message === undefined) throw new Error(`The bot sent no message ${messageId}.`);
      const id = String(77_000_000 + lastUpdateId);
      queries.add(id);
      const pressedMessage = {
        message_id: messageId,
        from: botUser,
        chat: chats.get(message.chat),
        date: seconds(),
        text: message.text,
      };
      return addUpdate("callback_query", { id, from, message: pressedMessage, chat_instance: "1", data: word });
    },
    shown: () => [...shownAnswers],
    update(id) {
      const update = updates.get(id);
      if (update === undefined) throw new Error(`There is no update ${id}.`);
      return update;
    },
    async deliver() {
      for (const id of [...pendingIds]) {
        if (webhook === undefined || options.webhookFetch === undefined) return;
        const response = await options.webhookFetch(webhook.url, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...(webhook.secret === "" ? {} : { "x-telegram-bot-api-secret-token": webhook.secret }),
          },
          body: JSON.stringify(updates.get(id)),
        });
        if (!response.ok) return;
        pendingIds = pendingIds.filter((pendingId) => pendingId !== id);
      }
    },
    failNext: (method, fault) => void faults.set(method, [...(faults.get(method) ?? []), fault]),
    revoke() {
      isRevoked = true;
    },
    block: (chat) => void blocked.add(chat),
    sent: () => [...sentMessages],
    calls: () => [...calls],
    unconfirmed: () => pendingIds.length,
  };
};

const readBody = async (request: Request): Promise<{ readonly parameters: Json; readonly file?: UploadedFile }> => {
  if (request.method !== "POST") return { parameters: Object.fromEntries(new URL(request.url).searchParams) };
  if (request.headers.get("content-type")?.startsWith("multipart/form-data") === true)
    return readForm(await request.formData());
  const body: unknown = await request.json();
  return { parameters: (body ?? {}) as Json };
};
