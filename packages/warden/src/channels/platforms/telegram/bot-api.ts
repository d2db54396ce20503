/**
 * Calls of the Bot API, and what their failures mean. By `fetch` alone: it is eight methods.
 * Documented at core.telegram.org/bots/api: «Making requests», «ResponseParameters».
 */
import { createDeadline } from "../../../models/index.ts";
import { type Clock, type ErrorBody, type ErrorCode, type Fetch, HearthError } from "@hearth/protocol";
import { describeDisconnection } from "../../network.ts";
import { hideSecrets } from "../../secrets.ts";

export type Answer =
  | { readonly kind: "ok"; readonly result: unknown }
  /** It was read, and the answer is no. */
  | {
      readonly kind: "no";
      readonly status: number;
      readonly description: string;
      readonly error: ErrorBody;
      readonly retryAfterMs?: number;
    }
  /** It never arrived, or whoever stands between says so. */
  | { readonly kind: "unreached"; readonly error: ErrorBody }
  /** It went out, and what became of it is not known. */
  | { readonly kind: "lost"; readonly error: ErrorBody };

export interface Call {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Default 30 s. */
  readonly timeoutMs?: number;
}

export interface BotApi {
  /** Never throws. */
  call(call: Call): Promise<Answer>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_DESCRIPTION_LENGTH = 300;

export const createBotApi = (options: {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly token: string;
  readonly baseUrl: string;
  /** More of what must not be shown. */
  readonly secrets: readonly string[];
}): BotApi => {
  const { fetch, clock, token } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const hide = (text: string): string => hideSecrets(text, [token, encodeURIComponent(token), ...options.secrets]);

  return {
    async call({ method, parameters, signal, timeoutMs = DEFAULT_TIMEOUT_MS }) {
      if (signal.aborted) return { kind: "unreached", error: stopped };
      using deadline = createDeadline({ clock, ms: timeoutMs, signal });
      let status: number;
      let text: string;
      try {
        const response = await fetch(`${base}/bot${token}/${method}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(parameters),
          signal: deadline.signal,
          redirect: "manual",
          // A connection of its own: one kept for long may be dead, and then nobody knows what arrived.
          keepalive: false,
        });
        ({ status } = response);
        text = await response.text();
      } catch (thrown) {
        if (signal.aborted) return { kind: "lost", error: stopped };
        if (deadline.isOver()) return { kind: "lost", error: unreachable("it does not answer") };
        const { isBefore, why } = describeDisconnection(thrown);
        return { kind: isBefore ? "unreached" : "lost", error: unreachable(why) };
      }
      return readAnswer(status, text, hide);
    },
  };
};

const readAnswer = (status: number, text: string, hide: (text: string) => string): Answer => {
  const body = parse(text);
  if (body?.["ok"] === true && status < 300) return { kind: "ok", result: body["result"] };
  if (body?.["ok"] !== false) return readStranger(status);
  const code = body["error_code"];
  const told = hide(typeof body["description"] === "string" ? body["description"] : "")
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .toWellFormed();
  const retryAfterMs = readRetryAfter(body["parameters"]);
  return describeNo(typeof code === "number" && Number.isInteger(code) ? code : status, told, retryAfterMs);
};

/** An answer that is not Telegram's own: of a proxy on the way, or of something else altogether. */
const readStranger = (status: number): Answer => {
  if (status === 429) return describeNo(status, "", undefined);
  const error = unreachable(`something answers ${status} that is not the Bot API`);
  // A proxy that lost the server behind it does not know what that has done.
  return { kind: status < 300 || status === 408 || status === 502 || status === 504 ? "lost" : "unreached", error };
};

const describeNo = (status: number, description: string, retryAfterMs: number | undefined): Answer => {
  const { code, hint } = wordsFor(status, description);
  const told = description === "" ? `status ${status}` : description.replace(/\.$/, "");
  return {
    kind: "no",
    status,
    description,
    error: { code, message: `Telegram says no: ${told}.`, hint },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

const wordsFor = (status: number, description: string): { readonly code: ErrorCode; readonly hint: string } => {
  if (status === 401 || status === 404)
    return { code: "channel.auth", hint: "Check the bot's token, or get a new one from @BotFather." };
  if (status === 409 && /webhook/i.test(description))
    return {
      code: "channel.refused",
      hint: "A webhook is set for this bot. Take it away to ask for messages instead.",
    };
  if (status === 409)
    return {
      code: "channel.refused",
      hint: "Another program asks for this bot's messages. Stop it, or give this house a bot of its own.",
    };
  if (status === 429)
    return { code: "channel.rate-limited", hint: "Telegram wants fewer messages. It goes on by itself." };
  if (status === 403)
    return { code: "channel.refused", hint: "The person has blocked the bot, or it may not write in this group." };
  if (/upgraded to a supergroup/i.test(description))
    return { code: "channel.refused", hint: "The group has become another one. Write to the bot there once." };
  if (status >= 500) return { code: "channel.failed", hint: "Telegram has a problem. It is tried again." };
  return { code: "channel.refused", hint: "See what Telegram says above." };
};

const unreachable = (why: string): ErrorBody => ({
  code: "channel.unreachable",
  message: `Telegram cannot be reached: ${why}.`,
  hint: "Check the network, and whether it lets this machine reach Telegram.",
});

const stopped: ErrorBody = { code: "channel.unreachable", message: "The call to Telegram was stopped." };

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
