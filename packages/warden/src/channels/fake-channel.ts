/**
 * The channel of `createFakePlatform`: a real implementation of the contract without a network. For
 * tests, simulations and demos.
 */
import { type Clock, type ErrorBody, fromErrorBody, HearthError } from "@hearth/protocol";
import { z } from "zod";
import { createDeadline } from "../models/resilience/deadline.ts";
import type { Channel, FetchedFile, InboundUpdate, SendResult } from "./channel.ts";
import { type FakeAnswer, type FakeWire, RETRY_AFTER_MS } from "./fake-platform.ts";
import { splitMarkdown } from "./pieces.ts";
import { pollForever } from "./polling.ts";
import { isSameSecret } from "./secrets.ts";

export interface FakeChannelOptions {
  readonly platform: { readonly wire: FakeWire; readonly takesKeys: boolean; readonly secret: string };
  readonly clock: Clock;
  /** Default: 500. */
  readonly maxLength?: number;
  /** Default: 10,000. */
  readonly maxFetchedBytes?: number;
  /** The largest file that it sends. When absent, it sends no files. */
  readonly maxFileBytes?: number;
}

const CALL_TIMEOUT_MS = 30_000;

export const createFakeChannel = (options: FakeChannelOptions): Channel => {
  const { platform, clock, maxLength = 500, maxFetchedBytes = 10_000, maxFileBytes } = options;
  const { wire, takesKeys, secret } = platform;

  /** Runs the call within its timeout. */
  const callInTime = async <Value>(
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<FakeAnswer<Value>>,
  ): Promise<FakeAnswer<Value>> => {
    if (signal.aborted) return { kind: "fault", fault: "unreachable" };
    using deadline = createDeadline({ clock, ms: CALL_TIMEOUT_MS, signal });
    return await call(deadline.signal);
  };

  return {
    kind: "fake",
    traits: {
      takesKeys,
      maxLength,
      maxFetchedBytes,
      ...(maxFileBytes === undefined ? {} : { files: { maxBytes: maxFileBytes } }),
    },

    poll: (cursor, signal, onFailure) =>
      pollForever({
        clock,
        cursor,
        signal,
        onFailure,
        async poll(after, stop) {
          const answer = await callInTime(stop, (inner) => wire.pull(Number(after ?? 0), inner));
          if (answer.kind === "fault") return { kind: "failed", error: errors[answer.fault], ...waitOf(answer.fault) };
          const { inbound, cursor: newCursor } = answer.value;
          if (newCursor === Number(after ?? 0)) return { kind: "answered" };
          return { kind: "answered", batch: { inbound, cursor: String(newCursor) } };
        },
      }),

    async receive(webhook): Promise<readonly InboundUpdate[]> {
      if (!isSameSecret(webhook.headers.get("x-fake-secret"), secret)) {
        throw new HearthError("channel.unverified", "This update does not come from the platform.");
      }
      const update = readUpdate(webhook.body);
      return update.inbound === undefined ? [] : [update.inbound];
    },

    async fetchFile({ id }, maxBytes, signal): Promise<FetchedFile> {
      const answer = await callInTime(signal, (inner) => wire.fetch(id, inner));
      if (answer.kind === "ok")
        return answer.value.length > maxBytes
          ? { kind: "refused", why: "it is too large" }
          : { kind: "fetched", bytes: answer.value };
      const error = errors[answer.fault];
      return answer.fault === "refused" ? { kind: "refused", why: "the platform lost it" } : { kind: "later", error };
    },

    pieces: (text) => splitMarkdown(text, maxLength),

    async send(message, signal): Promise<SendResult> {
      const push = (plain: boolean) => callInTime(signal, (inner) => wire.push(message, plain, inner));
      const firstAnswer = await push(false);
      return toResult(firstAnswer.kind === "fault" && firstAnswer.fault === "markup" ? await push(true) : firstAnswer);
    },

    ...(maxFileBytes === undefined
      ? {}
      : {
          sendFile: async (file, signal) => toResult(await callInTime(signal, (inner) => wire.pushFile(file, inner))),
        }),

    async endChoices(ended, signal): Promise<SendResult> {
      return toResult(await callInTime(signal, (inner) => wire.end(ended, inner)));
    },

    async answerPress(answer) {
      wire.answer(answer);
    },

    async typing(conversation) {
      wire.type(conversation);
    },

    async probe(signal) {
      const answer = await callInTime(signal, (inner) => wire.hello(inner));
      return answer.kind === "ok"
        ? { ok: true, detail: answer.value }
        : { ok: false, detail: errors[answer.fault].message };
    },

    async setWebhook(url, signal) {
      const answer = await callInTime(signal, (inner) => wire.setWebhook(url, inner));
      if (answer.kind === "fault") throw fromErrorBody(errors[answer.fault]);
    },
  };
};

const waitOf = (fault: string): { readonly retryAfterMs?: number } =>
  fault === "rate-limited" ? { retryAfterMs: RETRY_AFTER_MS } : {};

const toResult = (answer: FakeAnswer<string>): SendResult => {
  if (answer.kind === "ok") return { kind: "sent", messageId: answer.value };
  const error = errors[answer.fault];
  switch (answer.fault) {
    case "rate-limited":
    case "failing":
    case "unreachable":
    case "revoked":
      return { kind: "later", error, ...waitOf(answer.fault) };
    case "lost-before":
    case "lost-after":
      return { kind: "unknown", error };
    case "markup":
    case "refused":
    case "conflict":
      return { kind: "refused", error };
  }
};

const unreachableError: ErrorBody = { code: "channel.unreachable", message: "The fake platform cannot be reached." };

const errors: Readonly<Record<Extract<FakeAnswer<never>, { kind: "fault" }>["fault"], ErrorBody>> = {
  "rate-limited": { code: "channel.rate-limited", message: "The fake platform limits the rate of messages." },
  failing: { code: "channel.failed", message: "The fake platform has an internal error." },
  unreachable: unreachableError,
  "lost-before": unreachableError,
  "lost-after": unreachableError,
  markup: { code: "channel.refused", message: "The fake platform rejects the markup." },
  refused: { code: "channel.refused", message: "The fake platform rejects the message." },
  revoked: { code: "channel.auth", message: "The fake platform rejects the secret." },
  conflict: { code: "channel.refused", message: "The fake platform delivers to a webhook, so it cannot be polled." },
};

const updateShape = z.object({
  externalId: z.string().min(1),
  inbound: z
    .object({
      externalId: z.string().min(1),
      kind: z.enum(["message", "edit", "press"]),
      conversation: z.object({ id: z.string(), kind: z.enum(["direct", "group"]), name: z.string() }),
      sender: z.object({ id: z.string(), name: z.string() }),
      messageId: z.string(),
      replyTo: z.string().exactOptional(),
      at: z.number(),
      text: z.string(),
      files: z
        .array(
          z.object({ id: z.string(), name: z.string(), summary: z.string(), sizeBytes: z.number().exactOptional() }),
        )
        .exactOptional(),
      press: z.string().exactOptional(),
      isMention: z.boolean(),
    })
    .exactOptional(),
});

const readUpdate = (body: Uint8Array): z.infer<typeof updateShape> => {
  try {
    return updateShape.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  } catch (cause) {
    throw new HearthError("request.invalid", "The body is not an update of the fake platform.", { cause });
  }
};
