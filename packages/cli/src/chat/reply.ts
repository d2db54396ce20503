/**
 * Follows the reply to a message: finds the activation, reports its progress and returns its end.
 */
import type { Client } from "@hearth/client";
import {
  type Activation,
  type AgentRecord,
  type Approval,
  type DeltaEvent,
  HearthError,
  type StoredMessage,
  fromErrorBody,
  isHearthError,
} from "@hearth/protocol";
import type { Terminal } from "../terminal.ts";
import { followPendingApprovals } from "./pending-approvals.ts";
import { localTime } from "../show/time.ts";

export interface Question {
  /** The message as stored in its room. */
  readonly message: StoredMessage;
  readonly agent: AgentRecord;
  /** The head of the room's live stream before the message was posted. */
  readonly liveHead: number;
}

/** Progress of a reply. */
export type ReplyProgress =
  | { readonly kind: "woken"; readonly activation: Activation["id"] }
  /** The agent is stopped. The message is queued until a person runs the command `until`. */
  | { readonly kind: "held"; readonly until: string }
  | { readonly kind: "delta"; readonly event: DeltaEvent }
  /** The agent waits for a person to decide an approval. */
  | { readonly kind: "asked"; readonly approval: Approval }
  /** The stream of the reply starts again. */
  | { readonly kind: "restarted" }
  /** The model call failed and is retried at this time, in UTC milliseconds. */
  | { readonly kind: "postponed"; readonly reason: string; readonly at: number }
  | { readonly kind: "lost" }
  | { readonly kind: "back" };

/** How the activation ended. Only the kind `replied` has a reply. */
export type ReplyEnd =
  | { readonly kind: "replied"; readonly activation: Activation; readonly message: StoredMessage }
  | { readonly kind: "silent"; readonly activation: Activation; readonly reason: string }
  | { readonly kind: "stopped"; readonly activation: Activation }
  | { readonly kind: "failed"; readonly activation: Activation | undefined; readonly error: HearthError };

export interface ReplyOptions {
  readonly client: Client;
  readonly sleep: Terminal["sleep"];
  /** Aborts the waiting. The activation continues. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReplyProgress) => void;
  /**
   * Called after the agent woke. Resolves when the reply may be shown, with `false` if it was
   * already shown.
   */
  readonly awaitTurn?: () => Promise<boolean>;
}

/** How long to wait until the message wakes its agent. */
const WAKE_TIMEOUT_MS = 30_000;
/** The house's maximum page size. */
const MAX_PAGE_SIZE = 1000;
const POLL_INTERVAL_MS = 250;

/** Reads the head of the room's live stream. Call this before posting the message. */
export const readLiveHead = async (client: Client, room: string): Promise<number> => {
  let after = 0;
  for (;;) {
    const { events, next } = await client.rooms.live(room, { after, limit: 1000 });
    if (events.length === 0) return after;
    after = next;
  }
};

/**
 * Resolves with the end of the reply, or with undefined when `signal` aborts or the reply was
 * already shown.
 */
export const awaitReply = async (options: ReplyOptions, question: Question): Promise<ReplyEnd | undefined> => {
  const id = await findActivation(options, question);
  if (options.signal.aborted) return undefined;
  if (id === undefined) {
    return {
      kind: "failed",
      activation: undefined,
      error: new HearthError(
        "activation.failed",
        `The message was posted, but ${question.agent.content.name} did not wake within 30 seconds.`,
        { hint: "To find the cause, run: hearth doctor" },
      ),
    };
  }
  options.onProgress({ kind: "woken", activation: id });
  if (options.awaitTurn !== undefined && !(await options.awaitTurn())) return undefined;
  await reportIfHeld(options, question.agent);
  const controller = new AbortController();
  const approvals = followPendingApprovals(
    options.client,
    question.message,
    AbortSignal.any([controller.signal, options.signal]),
    (approval) => options.onProgress({ kind: "asked", approval }),
  );
  try {
    await reportProgress(options, id);
    const activation = await awaitEnd(options, id);
    if (activation === undefined) return undefined;
    return toEnd(activation, await findReply(options.client, question, activation));
  } finally {
    controller.abort();
    await approvals;
  }
};

const findActivation = async (
  options: ReplyOptions,
  { message, agent, liveHead }: Question,
): Promise<Activation["id"] | undefined> => {
  const { client, sleep, signal, onProgress } = options;
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener("abort", stop);
  sleep(WAKE_TIMEOUT_MS, controller.signal).then(stop).catch(reportError);
  // The live stream is in memory, so after a restart of the daemon only the records have the activation.
  // The request names the room, because the caller may not read the agent's activations in other rooms.
  const findInRecords = async (): Promise<Activation["id"] | undefined> =>
    (await client.rooms.activations(message.room, { since: message.at, limit: MAX_PAGE_SIZE })).find(
      (activation) => activation.cause === message.id && activation.agent === agent.id,
    )?.id;
  try {
    let isLost = false;
    for await (const item of client.rooms.followLive(message.room, { after: liveHead, signal: controller.signal })) {
      if (
        item.kind === "event" &&
        item.event.type !== "activation-over" &&
        item.event.cause === message.id &&
        item.event.agent === agent.id
      ) {
        return item.event.activation;
      }
      if (item.kind === "lost") {
        isLost = true;
        onProgress({ kind: "lost" });
      }
      if (item.kind === "failed") throw item.error;
      if (item.kind === "open") {
        if (isLost) onProgress({ kind: "back" });
        isLost = false;
        const activation = await findInRecords();
        if (activation !== undefined) return activation;
      }
    }
    return signal.aborted ? undefined : await findInRecords();
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
};

/** Reports that the agent is stopped. Ignores errors: waiting works without this report. */
const reportIfHeld = async ({ client, onProgress }: ReplyOptions, { id, handle }: AgentRecord): Promise<void> => {
  const scopes = (await client.stops.list().catch(() => [])).map(({ scope }) => scope);
  if (scopes.includes(id)) onProgress({ kind: "held", until: `hearth agent resume ${handle}` });
  else if (scopes.includes("house")) onProgress({ kind: "held", until: "hearth resume-all" });
};

/** Reports why and until when the next model call is delayed. */
const reportIfPostponed = async ({ client, onProgress }: ReplyOptions, id: Activation["id"]): Promise<void> => {
  const activation = await client.activations.get(id).catch(() => undefined);
  if (activation?.retryAt === undefined) return;
  const reason = activation.error?.message ?? "The model call failed.";
  onProgress({ kind: "postponed", reason, at: activation.retryAt });
};

/** Describes a delayed model call. */
export const describePostponed = ({ reason, at }: Extract<ReplyProgress, { kind: "postponed" }>): string =>
  `${reason} Retrying at ${localTime(at)}. Ctrl-C stops it.`;

/** Reports the reply's progress. The end or failure of this stream does not decide the outcome. */
const reportProgress = async (options: ReplyOptions, id: Activation["id"]): Promise<void> => {
  const { client, signal, onProgress } = options;
  let isLost = false;
  for await (const item of client.activations.followDeltas(id, { signal })) {
    switch (item.kind) {
      case "event":
        onProgress(item.event.type === "restart" ? { kind: "restarted" } : { kind: "delta", event: item.event });
        if (item.event.type === "restart") await reportIfPostponed(options, id);
        if (item.event.type === "end") return;
        break;
      case "restarted":
        onProgress({ kind: "restarted" });
        break;
      case "lost":
        isLost = true;
        onProgress({ kind: "lost" });
        break;
      case "open":
        if (isLost) onProgress({ kind: "back" });
        isLost = false;
        break;
      case "end":
      case "failed":
        return;
    }
  }
};

const awaitEnd = async (
  { client, sleep, signal }: ReplyOptions,
  id: Activation["id"],
): Promise<Activation | undefined> => {
  let currentId = id;
  while (!signal.aborted) {
    try {
      const activation = await client.activations.get(currentId);
      if (activation.mergedInto !== undefined) {
        currentId = activation.mergedInto;
        continue;
      }
      // An activation that waits for a person's decision has not ended.
      if (!["queued", "running", "waiting"].includes(activation.state)) return activation;
    } catch (error) {
      // A daemon that restarts will answer soon.
      if (!isHearthError(error, "house.unreachable") && !isHearthError(error, "house.closing")) throw error;
    }
    await sleep(POLL_INTERVAL_MS, signal);
  }
  return undefined;
};

const PAGE_SIZE = 100;

/** Finds the message of the activation, or another message of the agent that also answers this one. */
const findReply = async (
  client: Client,
  { message, agent }: Question,
  activation: Activation,
): Promise<StoredMessage | undefined> => {
  let after = message.offset;
  for (;;) {
    const { events, next } = await client.rooms.events(message.room, { after, limit: PAGE_SIZE });
    for (const event of events) {
      if (event.type !== "message" || event.author !== agent.id || event.stopped === true) continue;
      if (event.activation === activation.id || event.causes.includes(message.id)) return event;
    }
    if (events.length === 0) return undefined;
    after = next;
  }
};

const toEnd = (activation: Activation, message: StoredMessage | undefined): ReplyEnd => {
  if (message !== undefined) return { kind: "replied", activation, message };
  switch (activation.state) {
    case "stopped":
      return { kind: "stopped", activation };
    case "failed":
      return {
        kind: "failed",
        activation,
        error:
          activation.error === undefined
            ? new HearthError("activation.failed", activation.reason ?? "The activation failed.")
            : fromErrorBody(activation.error),
      };
    case "queued":
    case "running":
    case "waiting":
    case "replied":
    case "skipped":
      return { kind: "silent", activation, reason: activation.reason ?? "It ended without a reply." };
  }
};
