/**
 * A chat platform behind its own API. It verifies, translates and sends; it stores nothing, knows no person and no room, and
 * decides nothing about who may speak.
 */
import type { Choice } from "../kernel/index.ts";
import type { Clock, ErrorBody, Fetch } from "@hearth/protocol";

/** Something that happened on the platform, in house words. */
export interface Inbound {
  /** The platform's own id of the update, from verified bytes: the same update always has the same, and no other has it. */
  readonly externalId: string;
  /** `edit`: an earlier message says this from now on. `press`: somebody took one of the choices of a message of ours. */
  readonly kind: "message" | "edit" | "press";
  readonly conversation: { readonly id: string; readonly kind: "direct" | "group"; readonly name: string };
  readonly sender: { readonly id: string; readonly name: string };
  /** The platform's id of the message, unique in the conversation. An edit names the message that it changes, a press the one with the choices. */
  readonly messageId: string;
  readonly replyTo?: string;
  /** When it was written, UTC milliseconds; of a press, when what was pressed was. */
  readonly at: number;
  /** Plain text or Markdown, never empty. Of a press, the word of the choice. */
  readonly text: string;
  /** The platform's id of a press: whoever pressed waits for an answer to it. */
  readonly press?: string;
  /** Whether the platform says that it speaks to our account: by name, as an answer to it, or because nobody else is there. */
  readonly isMention: boolean;
}

/** What one answer of the platform held. `cursor` acknowledges all of it, also what was of no interest. */
export interface InboundBatch {
  readonly inbound: readonly Inbound[];
  readonly cursor: string;
}

export interface Webhook {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** One message on its way out: a piece of what `pieces` gave. */
export interface Outbound {
  readonly conversation: string;
  /** Markdown. */
  readonly text: string;
  readonly replyTo?: string;
  /** What its reader may answer with one touch. A platform without such a thing leaves them out: the text has to do without. */
  readonly choices?: readonly Choice[];
  /** The same for every attempt: platforms that take a key get it. */
  readonly key: string;
}

/** What is said to whoever pressed. */
export interface PressAnswer {
  readonly conversation: string;
  readonly messageId: string;
  readonly press: string;
  readonly text: string;
  /** There is nothing left to choose: from now on the message says this in place of its choices. */
  readonly isOver: boolean;
}

/** There is nothing left to choose: from now on the message says this in place of its choices. */
export interface EndedChoices {
  readonly conversation: string;
  readonly messageId: string;
  readonly text: string;
}

export type SendResult =
  | { readonly kind: "sent"; readonly messageId: string }
  /** It did not happen, and may yet: the platform was not reached, asked to wait, or does not accept the secret (`channel.auth`). */
  | { readonly kind: "later"; readonly error: ErrorBody; readonly retryAfterMs?: number }
  /** It did not and will not happen. */
  | { readonly kind: "refused"; readonly error: ErrorBody }
  /** Nobody knows whether it happened: the request went out and no answer came back. */
  | { readonly kind: "unknown"; readonly error: ErrorBody };

export interface ChannelTraits {
  /** Whether sending again with the same key gives one message. If not, what is `unknown` is never sent again by itself. */
  readonly takesKeys: boolean;
  /** Longest message in the platform's own count of characters. */
  readonly maxLength: number;
}

/**
 * Contract, checked by `channelConformance`, which every channel runs against a fake of its platform:
 * - `poll` yields batches in the platform's order, and tells the platform of a cursor only when it is asked for the batch after it:
 *   what the reader has not kept comes again. It reports failures by `onFailure`, waits, and goes on until `signal` aborts; it never throws
 * - an update comes out with the same `externalId` however often and however (poll, webhook) it is delivered
 * - `receive` throws `channel.unverified` unless the platform itself signed or knew the secret, before it reads the body
 * - what is no message (members, reactions, unknown kinds, malformed fields) is skipped, never thrown
 * - `pieces` is pure; joined by line breaks the pieces say what the text said, none is empty, each can be sent, fences and emphasis that
 *   a cut runs through are closed and opened again
 * - a press comes with who pressed, in which conversation, and the very word of the choice; whether it counts is not the channel's affair
 * - `endChoices` never throws; what says so already is `sent`, so it may be asked again where nobody knows whether it happened
 * - `send` never throws; markup that the platform does not take is sent as plain text, once; `later` only when surely nothing was sent
 * - no result and no error shows the account's secret
 */
export interface Channel {
  readonly kind: string;
  readonly traits: ChannelTraits;
  poll(
    cursor: string | undefined,
    signal: AbortSignal,
    onFailure: (error: ErrorBody) => void,
  ): AsyncIterable<InboundBatch>;
  /** Throws `channel.unverified`, or `request.invalid` for a body that is none. */
  receive(webhook: Webhook): Promise<readonly Inbound[]>;
  pieces(text: string): readonly string[];
  send(message: Outbound, signal: AbortSignal): Promise<SendResult>;
  endChoices(ended: EndedChoices, signal: AbortSignal): Promise<SendResult>;
  /** Answers a press. Never throws: whoever pressed may press again. */
  answerPress(answer: PressAnswer, signal: AbortSignal): Promise<void>;
  /** Shows that an answer is being written, for some seconds. Never throws. */
  typing(conversation: string, signal: AbortSignal): Promise<void>;
  /** Whether the account's secret holds, and who it is. Never throws. */
  probe(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /** Tells the platform where updates go from now on: to a URL, or nowhere, so that they can be polled. Throws a `channel.*` error. */
  setWebhook(url: string | undefined, signal: AbortSignal): Promise<void>;
}

export interface ChannelOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly token: string;
  /** What proves a webhook to be the platform's own. */
  readonly webhookSecret: string;
  /** For tests and self-hosted servers. Default: the platform's. */
  readonly baseUrl?: string;
}

export type ChannelFactory = (options: ChannelOptions) => Channel;
