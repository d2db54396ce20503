/**
 * Calls methods of the Bot API and classifies their failures. It uses `fetch` directly, for only
 * a few methods. Documented at core.telegram.org/bots/api: «Making requests», «ResponseParameters»,
 * «Sending files».
 */
import { createDeadline } from "../../../models/index.ts";
import { type Clock, type ErrorBody, type ErrorCode, type Fetch, HearthError } from "@hearth/protocol";
import { describeDisconnection } from "../../network.ts";
import { hideSecrets } from "../../secrets.ts";

export type BotApiAnswer =
  | { readonly kind: "ok"; readonly result: unknown }
  /** Telegram received the call and refused it. */
  | {
      readonly kind: "no";
      readonly status: number;
      readonly description: string;
      readonly error: ErrorBody;
      readonly retryAfterMs?: number;
    }
  /** The call never arrived, or a proxy reports that it did not arrive. */
  | { readonly kind: "unreached"; readonly error: ErrorBody }
  /** The call went out, and its outcome is unknown. */
  | { readonly kind: "lost"; readonly error: ErrorBody };

export interface Call {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A file that the call sends with the parameters, as a form. */
  readonly file?: CallFile;
  readonly signal: AbortSignal;
  /** Default: 30 s. */
  readonly timeoutMs?: number;
}

export interface CallFile {
  /** The parameter that names the file. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Download =
  | { readonly kind: "ok"; readonly bytes: Uint8Array }
  | { readonly kind: "too-large" }
  /** The server received the request and refused it. */
  | { readonly kind: "no"; readonly status: number }
  | { readonly kind: "lost"; readonly error: ErrorBody };

export interface BotApi {
  /** Never throws. */
  call(call: Call): Promise<BotApiAnswer>;
  /** Reads a file at the path that `getFile` returned. Never throws. */
  download(path: string, maxBytes: number, signal: AbortSignal): Promise<Download>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const MAX_DESCRIPTION_LENGTH = 300;

export const createBotApi = (options: {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly token: string;
  readonly baseUrl: string;
  /** Further strings that must not be shown. */
  readonly secrets: readonly string[];
}): BotApi => {
  const { fetch, clock, token } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const redact = (text: string): string => hideSecrets(text, [token, encodeURIComponent(token), ...options.secrets]);

  return {
    async call({ method, parameters, file, signal, timeoutMs = DEFAULT_TIMEOUT_MS }) {
      if (signal.aborted) return { kind: "unreached", error: stoppedError };
      using deadline = createDeadline({ clock, ms: timeoutMs, signal });
      let status: number;
      let text: string;
      try {
        const response = await fetch(`${base}/bot${token}/${method}`, {
          method: "POST",
          ...(file === undefined
            ? { headers: { "content-type": "application/json" }, body: JSON.stringify(parameters) }
            : { body: toForm(parameters, file) }),
          signal: deadline.signal,
          redirect: "manual",
          // Use a new connection: an old one may be dead, and then the outcome of the request would
          // be unknown.
          keepalive: false,
        });
        ({ status } = response);
        text = await response.text();
      } catch (thrown) {
        if (signal.aborted) return { kind: "lost", error: stoppedError };
        if (deadline.hasExpired()) return { kind: "lost", error: unreachableError("it did not answer in time") };
        const { isBeforeSend, why } = describeDisconnection(thrown);
        return { kind: isBeforeSend ? "unreached" : "lost", error: unreachableError(why) };
      }
      return readAnswer(status, text, redact);
    },

    async download(path, maxBytes, signal) {
      using deadline = createDeadline({ clock, ms: DOWNLOAD_TIMEOUT_MS, signal });
      const encodedPath = path.split("/").map(encodeURIComponent).join("/");
      try {
        const response = await fetch(`${base}/file/bot${token}/${encodedPath}`, {
          signal: deadline.signal,
          redirect: "manual",
          keepalive: false,
        });
        if (response.status === 200) return await readBytes(response, maxBytes);
        await response.body?.cancel();
        return { kind: "no", status: response.status };
      } catch (thrown) {
        if (signal.aborted) return { kind: "lost", error: stoppedError };
        if (deadline.hasExpired()) return { kind: "lost", error: unreachableError("a file did not arrive in time") };
        return { kind: "lost", error: unreachableError(describeDisconnection(thrown).why) };
      }
    },
  };
};

/** Converts the parameters to a form. A value that is not text is written as JSON. */
const toForm = (parameters: Call["parameters"], { field, name, type, bytes }: CallFile): FormData => {
  const form = new FormData();
  for (const [key, value] of Object.entries(parameters))
    form.append(key, typeof value === "string" ? value : JSON.stringify(value));
  // A form would escape these characters, and the Bot API would show the escapes.
  const plainName = name.replaceAll('"', "'").replace(/[\r\n]+/g, " ");
  form.append(field, new Blob([bytes], { type }), plainName);
  return form;
};

const readBytes = async (response: Response, maxBytes: number): Promise<Download> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    // Leaving the loop closes the connection.
    if (length > maxBytes) return { kind: "too-large" };
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return { kind: "ok", bytes };
};

const readAnswer = (status: number, text: string, hide: (text: string) => string): BotApiAnswer => {
  const body = parse(text);
  if (body?.["ok"] === true && status < 300) return { kind: "ok", result: body["result"] };
  if (body?.["ok"] !== false) return toForeignAnswer(status);
  const code = body["error_code"];
  const description = hide(typeof body["description"] === "string" ? body["description"] : "")
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .toWellFormed();
  const retryAfterMs = readRetryAfter(body["parameters"]);
  return toRefusal(typeof code === "number" && Number.isInteger(code) ? code : status, description, retryAfterMs);
};

/** Classifies an answer that is not Telegram's own: it comes from a proxy, or from another server. */
const toForeignAnswer = (status: number): BotApiAnswer => {
  if (status === 429) return toRefusal(status, "", undefined);
  const error = unreachableError(`a server that is not the Bot API answered with status ${status}`);
  // A proxy that lost its upstream does not know what the upstream has done.
  return { kind: status < 300 || status === 408 || status === 502 || status === 504 ? "lost" : "unreached", error };
};

const toRefusal = (status: number, description: string, retryAfterMs: number | undefined): BotApiAnswer => {
  const { code, hint } = codeAndHintFor(status, description);
  const reason = description === "" ? `status ${status}` : description.replace(/\.$/, "");
  return {
    kind: "no",
    status,
    description,
    error: { code, message: `Telegram refused the call: ${reason}.`, hint },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

const codeAndHintFor = (status: number, description: string): { readonly code: ErrorCode; readonly hint: string } => {
  if (status === 401 || status === 404)
    return { code: "channel.auth", hint: "Check the bot's token, or create a new one with @BotFather." };
  if (status === 409 && /webhook/i.test(description))
    return {
      code: "channel.refused",
      hint: "A webhook is set for this bot. Remove it to poll for messages instead.",
    };
  if (status === 409)
    return {
      code: "channel.refused",
      hint: "Another program polls this bot's messages. Stop that program, or create a separate bot for this house.",
    };
  if (status === 429)
    return {
      code: "channel.rate-limited",
      hint: "Telegram limits the rate of messages. Hearth waits and retries automatically.",
    };
  if (status === 403)
    return { code: "channel.refused", hint: "The person has blocked the bot, or it may not write in this group." };
  if (/upgraded to a supergroup/i.test(description))
    return { code: "channel.refused", hint: "The group was migrated to a new one. Write a message to the bot there." };
  if (status >= 500)
    return { code: "channel.failed", hint: "Telegram has an internal error. Hearth retries automatically." };
  return { code: "channel.refused", hint: "Read Telegram's message above and correct the cause." };
};

const unreachableError = (why: string): ErrorBody => ({
  code: "channel.unreachable",
  message: `Telegram cannot be reached: ${why}.`,
  hint: "Check the network connection and any firewall between this machine and Telegram.",
});

const stoppedError: ErrorBody = { code: "channel.unreachable", message: "The call to Telegram was stopped." };

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const readRetryAfter = (parameters: unknown): number | undefined => {
  if (typeof parameters !== "object" || parameters === null || !("retry_after" in parameters)) return undefined;
  const seconds = parameters.retry_after;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0
    ? Math.ceil(seconds * 1000)
    : undefined;
};

export const toThrown = (error: ErrorBody): HearthError =>
  new HearthError(error.code, error.message, error.hint === undefined ? {} : { hint: error.hint });
