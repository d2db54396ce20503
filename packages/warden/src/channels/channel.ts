/**
 * The interface of a chat platform. A channel verifies, translates and sends. It stores nothing,
 * does not know persons or rooms, and does not decide who may speak.
 */
import type { Choice } from "../kernel/index.ts";
import type { Clock, ErrorBody, Fetch } from "@hearth/protocol";

/** An update of the platform in Hearth's terms. */
export interface InboundUpdate {
  /**
   * The platform's own id of the update, from verified bytes. The same update always has the same
   * id, and no other update has it.
   */
  readonly externalId: string;
  /**
   * `edit`: an earlier message now has this text. `press`: a person pressed a choice under one of
   * our messages.
   */
  readonly kind: "message" | "edit" | "press";
  readonly conversation: { readonly id: string; readonly kind: "direct" | "group"; readonly name: string };
  readonly sender: { readonly id: string; readonly name: string };
  /**
   * The platform's id of the message, unique in the conversation. An edit names the message that it
   * changes, a press the message with the choices.
   */
  readonly messageId: string;
  readonly replyTo?: string;
  /**
   * The time when it was written, in UTC milliseconds. For a press, the time when the message
   * with the choices was written.
   */
  readonly at: number;
  /**
   * Plain text or Markdown, empty only if there are files. For a press, the value of the choice.
   */
  readonly text: string;
  /** The files of a message, which stay on the platform until `fetchFile` is called. */
  readonly files?: readonly InboundFile[];
  /** The platform's id of a press. The person who pressed waits for an answer. */
  readonly press?: string;
  /**
   * Whether the platform says that the message is addressed to our account: by a mention, as a
   * reply, or in a direct conversation.
   */
  readonly isMention: boolean;
  /** Whether a group or a channel is the sender, and no person is named. No agent reads it. */
  readonly isAnonymous?: true;
}

export interface InboundFile {
  /** The platform's id of the file. */
  readonly id: string;
  readonly name: string;
  /** The platform's description of the file: "photo, 640 × 480, 30 kB". */
  readonly summary: string;
  /** The size. It is absent if the platform does not report it. */
  readonly sizeBytes?: number;
}

export type FetchedFile =
  | { readonly kind: "fetched"; readonly bytes: Uint8Array }
  /** The platform was not reached, asked for a pause, or rejects the secret. */
  | { readonly kind: "later"; readonly error: ErrorBody }
  /** The platform does not return the file. `why` is the end of a sentence. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * The updates of one answer of the platform. `cursor` acknowledges the whole answer, including
 * skipped updates.
 */
export interface InboundBatch {
  readonly inbound: readonly InboundUpdate[];
  readonly cursor: string;
}

export interface Webhook {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** One outgoing message: a piece that `pieces` returned. */
export interface Outbound {
  readonly conversation: string;
  /** Markdown. */
  readonly text: string;
  readonly replyTo?: string;
  /**
   * Choices that the reader may press. A platform without buttons omits them, so the text alone
   * must suffice.
   */
  readonly choices?: readonly Choice[];
  /**
   * The idempotency key, which is the same for every attempt. Platforms that support such keys
   * get it.
   */
  readonly key: string;
}

/** One outgoing message that consists of a file. */
export interface OutboundFile {
  readonly conversation: string;
  readonly replyTo?: string;
  readonly name: string;
  /** The media type, detected from the content. */
  readonly type: string;
  readonly durationMs?: number;
  /** The audio is a spoken message. A platform without voice messages sends it as any other audio. */
  readonly isVoice?: true;
  /** Plain text. */
  readonly caption?: string;
  /** The content, at most `maxBytes` of the trait. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As in `Outbound`. */
  readonly key: string;
}

/** The answer that the person who pressed sees. */
export interface PressAnswer {
  readonly conversation: string;
  readonly messageId: string;
  readonly press: string;
  readonly text: string;
  /** Whether no choice is left. The message then shows this text in place of its choices. */
  readonly isOver: boolean;
}

/** The end of the choices of a message, which then shows this text in their place. */
export interface EndedChoices {
  readonly conversation: string;
  readonly messageId: string;
  readonly text: string;
}

export type SendResult =
  | { readonly kind: "sent"; readonly messageId: string }
  /**
   * The call had no effect, and a retry may succeed: the platform was not reached, asked for a
   * pause, or rejects the secret (`channel.auth`).
   */
  | { readonly kind: "later"; readonly error: ErrorBody; readonly retryAfterMs?: number }
  /** The call had no effect and must not be retried. */
  | { readonly kind: "refused"; readonly error: ErrorBody }
  /** The effect is unknown: the request was sent and no answer arrived. */
  | { readonly kind: "unknown"; readonly error: ErrorBody };

export interface ChannelTraits {
  /**
   * Whether a repeated send with the same key gives one message. Otherwise an `unknown` message
   * is never sent again automatically.
   */
  readonly takesKeys: boolean;
  /** Maximum length of a message in the platform's own count of characters. */
  readonly maxLength: number;
  /** Maximum size of a file that the platform returns. */
  readonly maxFetchedBytes: number;
  /**
   * The limit of files that the channel sends. It is absent if the channel sends no files.
   * `sendFile` is then never called.
   */
  readonly files?: { readonly maxBytes: number };
}

/**
 * Contract, checked by `channelConformance`, which every channel runs against a fake of its
 * platform:
 * - `poll` yields batches in the platform's order. It acknowledges a cursor only when the next
 *   batch is requested, so that updates which the reader did not store come again. It reports
 *   failures by `onFailure`, waits, and continues until `signal` aborts; it never throws
 * - an update has the same `externalId` however often and by whatever path (poll, webhook) it
 *   arrives
 * - `receive` throws `channel.unverified` unless the platform signed the delivery or knew the
 *   secret; it checks this before it reads the body
 * - updates that are not messages (members, reactions, unknown kinds, malformed fields) are
 *   skipped, never thrown
 * - `fetchFile` never throws. It returns the whole file, or none of it, and reads at most the given
 *   number of bytes
 * - `pieces` is pure. Joined by line breaks, the pieces contain the whole text. No piece is empty,
 *   each can be sent, and fences and emphasis that a cut splits are closed and reopened
 * - a press has the person who pressed, the conversation, and the exact word of the choice; whether
 *   it counts is decided elsewhere
 * - `endChoices` never throws. Choices that have already ended give `sent`, so it may be repeated
 *   when the outcome is unknown
 * - `send` never throws. Markup that the platform rejects is sent as plain text, once. The result
 *   is `later` only when certainly nothing was sent
 * - `sendFile` never throws. It sends one message, or reports as `send` does. A platform that
 *   refuses a file as a picture, sound or film gets it as a plain file
 * - no result and no error contains the account's secret
 */
export interface Channel {
  readonly kind: string;
  readonly traits: ChannelTraits;
  poll(
    cursor: string | undefined,
    signal: AbortSignal,
    onFailure: (error: ErrorBody) => void,
  ): AsyncIterable<InboundBatch>;
  /**
   * Returns the updates of a webhook delivery. Throws `channel.unverified`, or `request.invalid`
   * for a malformed body.
   */
  receive(webhook: Webhook): Promise<readonly InboundUpdate[]>;
  fetchFile(file: InboundFile, maxBytes: number, signal: AbortSignal): Promise<FetchedFile>;
  pieces(text: string): readonly string[];
  send(message: Outbound, signal: AbortSignal): Promise<SendResult>;
  /** Sends a file. Present exactly if the traits have `files`. */
  sendFile?(file: OutboundFile, signal: AbortSignal): Promise<SendResult>;
  endChoices(ended: EndedChoices, signal: AbortSignal): Promise<SendResult>;
  /** Answers a press. Never throws, because the person can press again. */
  answerPress(answer: PressAnswer, signal: AbortSignal): Promise<void>;
  /** Shows a typing indicator for some seconds. Never throws. */
  typing(conversation: string, signal: AbortSignal): Promise<void>;
  /** Checks the account's secret and reports the account. Never throws. */
  probe(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /**
   * Sets the URL to which the platform sends updates. Without a URL, updates can be polled.
   * Throws a `channel.*` error.
   */
  setWebhook(url: string | undefined, signal: AbortSignal): Promise<void>;
}

export interface ChannelOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly token: string;
  /** The secret that proves that a webhook delivery comes from the platform. */
  readonly webhookSecret: string;
  /** For tests and self-hosted servers. Defaults to the platform's own URL. */
  readonly baseUrl?: string;
}

export type ChannelFactory = (options: ChannelOptions) => Channel;
