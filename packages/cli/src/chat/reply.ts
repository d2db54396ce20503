/** A reply from the message that asks for it to its end: who was woken, what it does, what it said. */
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
import { localTime } from "../time.ts";

export interface Question {
  /** The message, where it stands in its room. */
  readonly message: StoredMessage;
  readonly agent: AgentRecord;
  /** Where the room's live stream stood before the message was posted. */
  readonly liveHead: number;
}

/** What happens on the way. */
export type ReplyPart =
  | { readonly kind: "woken"; readonly activation: Activation["id"] }
  /** The agent is stopped: the message waits until somebody runs this. */
  | { readonly kind: "held"; readonly until: string }
  | { readonly kind: "delta"; readonly event: DeltaEvent }
  /** It waits for a person's word. */
  | { readonly kind: "asked"; readonly approval: Approval }
  /** What was shown so far comes again. */
  | { readonly kind: "restarted" }
  /** The model could not answer; it is asked again at this time, UTC milliseconds. */
  | { readonly kind: "postponed"; readonly why: string; readonly at: number }
  | { readonly kind: "lost" }
  | { readonly kind: "back" };

/** How it ended. Only the first is a reply. */
export type ReplyEnd =
  | { readonly kind: "replied"; readonly activation: Activation; readonly message: StoredMessage }
  | { readonly kind: "silent"; readonly activation: Activation; readonly reason: string }
  | { readonly kind: "stopped"; readonly activation: Activation }
  | { readonly kind: "failed"; readonly activation: Activation | undefined; readonly error: HearthError };

export interface ReplyOptions {
  readonly client: Client;
  readonly sleep: Terminal["sleep"];
  /** Ends the watching, not the activation. */
  readonly signal: AbortSignal;
  readonly on: (part: ReplyPart) => void;
  /** Resolves when the reply may be shown; with `false` when nothing of it is left to show. It has woken somebody by then. */
  readonly turn?: () => Promise<boolean>;
}

/** How long a message may take to wake somebody. */
const WAKE_MS = 30_000;
/** As many as the house lists at once. */
const MANY = 1000;
const LOOK_MS = 250;

/** Where the room's live stream stands; to be asked before posting. */
export const readLiveHead = async (client: Client, room: string): Promise<number> => {
  let after = 0;
  for (;;) {
    const { events, next } = await client.rooms.live(room, { after, limit: 1000 });
    if (events.length === 0) return after;
    after = next;
  }
};

/** Resolves when the reply is over; with nothing when `signal` aborts first, or when its turn to be shown never comes. */
export const awaitReply = async (options: ReplyOptions, question: Question): Promise<ReplyEnd | undefined> => {
  const id = await whoWoke(options, question);
  if (options.signal.aborted) return undefined;
  if (id === undefined) {
    return {
      kind: "failed",
      activation: undefined,
      error: new HearthError(
        "activation.failed",
        `The message is in the room, but ${question.agent.content.name} did not wake.`,
        { hint: "See: hearth doctor" },
      ),
    };
  }
  options.on({ kind: "woken", activation: id });
  if (options.turn !== undefined && !(await options.turn())) return undefined;
  await tellIfHeld(options, question.agent);
  const over = new AbortController();
  const asked = followPendingApprovals(
    ...([options.client, question.message, AbortSignal.any([over.signal, options.signal])] as const),
    (approval) => options.on({ kind: "asked", approval }),
  );
  try {
    await watch(options, id);
    const activation = await whenOver(options, id);
    if (activation === undefined) return undefined;
    return toEnd(activation, await findReply(options.client, question, activation));
  } finally {
    over.abort();
    await asked;
  }
};

const whoWoke = async (
  options: ReplyOptions,
  { message, agent, liveHead }: Question,
): Promise<Activation["id"] | undefined> => {
  const { client, sleep, signal, on } = options;
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener("abort", stop);
  void sleep(WAKE_MS, over.signal).then(stop);
  // The live stream is in memory: the daemon may have started again, and what woke before is only in its records. Those of the room:
  // whoever speaks there need not be allowed to look at what the agent does elsewhere.
  const inRecords = async (): Promise<Activation["id"] | undefined> =>
    (await client.rooms.activations(message.room, { since: message.at, limit: MANY })).find(
      (one) => one.cause === message.id && one.agent === agent.id,
    )?.id;
  try {
    let lost = false;
    for await (const item of client.rooms.followLive(message.room, { after: liveHead, signal: over.signal })) {
      if (
        item.kind === "event" &&
        item.event.type !== "activation-over" &&
        item.event.cause === message.id &&
        item.event.agent === agent.id
      ) {
        return item.event.activation;
      }
      if (item.kind === "lost") {
        lost = true;
        on({ kind: "lost" });
      }
      if (item.kind === "failed") throw item.error;
      if (item.kind === "open") {
        if (lost) on({ kind: "back" });
        lost = false;
        const known = await inRecords();
        if (known !== undefined) return known;
      }
    }
    return signal.aborted ? undefined : await inRecords();
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
};

/** Nobody sits before a silent screen without knowing why. That it cannot be asked is no reason not to wait. */
const tellIfHeld = async ({ client, on }: ReplyOptions, { id, handle }: AgentRecord): Promise<void> => {
  const scopes = (await client.stops.list().catch(() => [])).map(({ scope }) => scope);
  if (scopes.includes(id)) on({ kind: "held", until: `hearth agent resume ${handle}` });
  else if (scopes.includes("house")) on({ kind: "held", until: "hearth resume-all" });
};

/** The reply comes after the next try of the model: the reader is told why and when. */
const tellIfPostponed = async (
  { client, on }: Pick<ReplyOptions, "client" | "on">,
  id: Activation["id"],
): Promise<void> => {
  const activation = await client.activations.get(id).catch(() => undefined);
  if (activation?.retryAt === undefined) return;
  on({ kind: "postponed", why: activation.error?.message ?? "The model could not answer.", at: activation.retryAt });
};

/** How a wait for the model's next try is told. */
export const tellPostponed = ({ why, at }: Extract<ReplyPart, { kind: "postponed" }>): string =>
  `${why} Trying again at ${localTime(at)}; Ctrl-C stops it.`;

/** Shows what can be shown. That it ends, or fails to be followed, says nothing about the reply. */
const watch = async ({ client, signal, on }: ReplyOptions, id: Activation["id"]): Promise<void> => {
  let lost = false;
  for await (const item of client.activations.followDeltas(id, { signal })) {
    switch (item.kind) {
      case "event":
        on(item.event.type === "restart" ? { kind: "restarted" } : { kind: "delta", event: item.event });
        if (item.event.type === "restart") await tellIfPostponed({ client, on }, id);
        if (item.event.type === "end") return;
        break;
      case "restarted":
        on({ kind: "restarted" });
        break;
      case "lost":
        lost = true;
        on({ kind: "lost" });
        break;
      case "open":
        if (lost) on({ kind: "back" });
        lost = false;
        break;
      case "end":
      case "failed":
        return;
    }
  }
};

const whenOver = async (
  { client, sleep, signal }: ReplyOptions,
  id: Activation["id"],
): Promise<Activation | undefined> => {
  let asked = id;
  while (!signal.aborted) {
    try {
      const activation = await client.activations.get(asked);
      if (activation.mergedInto !== undefined) {
        asked = activation.mergedInto;
        continue;
      }
      // One that waits for a person's decision is not over.
      if (!["queued", "running", "waiting"].includes(activation.state)) return activation;
    } catch (error) {
      // A daemon that is starting again answers soon.
      if (!isHearthError(error, "house.unreachable") && !isHearthError(error, "house.closing")) throw error;
    }
    await sleep(LOOK_MS, signal);
  }
  return undefined;
};

const PAGE = 100;

/** The message that the activation wrote, or one by the same agent that answers this message among others. */
const findReply = async (
  client: Client,
  { message, agent }: Question,
  activation: Activation,
): Promise<StoredMessage | undefined> => {
  let after = message.offset;
  for (;;) {
    const { events, next } = await client.rooms.events(message.room, { after, limit: PAGE });
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
      return { kind: "silent", activation, reason: activation.reason ?? "It had nothing to say." };
  }
};
