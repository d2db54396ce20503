/** Describes a turn: its trigger, times, steps, answered messages and cost. */
import type { Client } from "@hearth/client";
import type {
  Activation,
  ActivationDetail,
  ActivationId,
  ActivationPart,
  Compaction,
  EventId,
  Trigger,
  Usage,
} from "@hearth/protocol";
import { isHearthError, showMoney, tokensOf } from "@hearth/protocol";
import { countOf } from "./count.ts";
import { type Names, createNames } from "./names.ts";
import { localTime, formatDuration } from "./time.ts";

/** An activation with related records, which need further requests. */
export interface Turn {
  readonly activation: ActivationDetail;
  /** The activations that were merged into this one, oldest first. */
  readonly mergedActivations: readonly Activation[];
  /** The messages that the activation answers. Empty unless it has replied. */
  readonly answers: readonly EventId[];
}

export type Fact = readonly [string, string | undefined];

/** The house's maximum page size. */
const MAX_PAGE_SIZE = 1000;

export const readTurn = async (client: Client, id: ActivationId): Promise<Turn> => {
  const activation = await client.activations.get(id);
  const { agent, cause, state } = activation;
  const activations = (await activationsIn(client, activation)).filter((candidate) => candidate.agent === agent);
  const mergedActivations = activations.filter((candidate) => isMergedInto(candidate, id, activations)).toReversed();
  return {
    activation,
    mergedActivations,
    answers: state === "replied" ? [cause, ...mergedActivations.map((activation) => activation.cause)] : [],
  };
};

/**
 * Lists the activations of the room, which every reader of this activation may read. If the room
 * was removed, lists those of the agent.
 */
const activationsIn = async (client: Client, { agent, room }: Activation): Promise<readonly Activation[]> => {
  try {
    return await client.rooms.activations(room, { limit: MAX_PAGE_SIZE });
  } catch (error) {
    if (!isHearthError(error, "record.not-found")) throw error;
    return client.agents.activations(agent, { room, limit: MAX_PAGE_SIZE });
  }
};

/** Whether an activation was merged into the one with this id, directly or through other activations. */
const isMergedInto = ({ mergedInto }: Activation, id: ActivationId, activations: readonly Activation[]): boolean => {
  if (mergedInto === undefined) return false;
  const host = activations.find((candidate) => candidate.id === mergedInto);
  return mergedInto === id || (host !== undefined && isMergedInto(host, id, activations));
};

export const describeTurn = async (client: Client, turn: Turn): Promise<readonly Fact[]> => {
  const { activation } = turn;
  const names = await createNames(client);
  return [
    ["id", activation.id],
    ["agent", await names.get(activation.agent)],
    ["room", await nameRoom(client, activation.room)],
    ["woken by", await describeTrigger(activation, names)],
    ["queued", localTime(activation.createdAt)],
    ...describeTimes(activation),
    ["state", describeState(activation)],
    ["why", describeReason(activation)],
    ["hint", activation.error?.hint],
    ["merged", activation.mergedInto && `into ${activation.mergedInto}, which answers its message`],
    ["answers", describeAnswers(turn)],
    ["model", activation.model],
    ["tokens", describeUsage(activation.usage)],
    ["compacted", activation.compaction && describeCompaction(activation.compaction)],
    ["programs", activation.programs && `${describeUsage(activation.programs)}, included above`],
    ["cost", describeCost(activation.usage)],
  ];
};

export const stepHeadings = ["STEP", "KIND", "NAME", "EFFECT", "STATE", "TOOK", "TOKENS", "OUTCOME"] as const;

export const describeSteps = ({ steps, parts }: ActivationDetail): readonly (readonly string[])[] => {
  // Each tool step is one part, in the same order.
  const calls = parts.filter((part) => part.kind === "tool").values();
  return steps.map((step) => {
    const call = step.kind === "tool" ? calls.next().value : undefined;
    return [
      String(step.step),
      step.kind,
      step.name,
      step.effect,
      step.state,
      step.endedAt === undefined ? "" : formatDuration(step.endedAt - step.startedAt),
      step.usage === undefined ? "" : describeUsage(step.usage),
      describeOutcome(step, call),
    ];
  });
};

const describeOutcome = (
  { kind, state, failed, glimpse = "", messages = [] }: ActivationDetail["steps"][number],
  call: Extract<ActivationPart, { kind: "tool" }> | undefined,
): string => {
  const request = call === undefined ? "" : `${JSON.stringify(call.input)} → `;
  if (state === "unknown") return `${request}outcome unknown`;
  if (state === "started") return request;
  if (kind === "intake") return `took in ${countOf(messages.length, "message")}: ${glimpse}`;
  return `${request}${failed === true ? "failed: " : ""}${glimpse}`;
};

const nameRoom = async (client: Client, id: string): Promise<string> => {
  try {
    return (await client.rooms.get(id)).content.name;
  } catch (error) {
    if (!isHearthError(error, "record.not-found")) throw error;
    return `${id} (removed)`;
  }
};

const describeTrigger = async ({ trigger, message }: ActivationDetail, names: Names): Promise<string> => {
  const cause = triggerWords[trigger];
  if (message === undefined) return `${cause} (the message was deleted)`;
  return `${cause} by ${await names.get(message.author)}: ${message.text}`;
};

const triggerWords: Readonly<Record<Trigger, string>> = {
  direct: "a direct message",
  mention: "a mention",
  ambient: "a message that may be relevant",
  wake: "an author whose messages always wake it",
  inbox: "another agent",
  job: "a job",
  heartbeat: "a heartbeat",
};

const describeTimes = ({ createdAt, startedAt, endedAt }: Activation): readonly Fact[] => [
  [
    "started",
    startedAt === undefined ? undefined : `${localTime(startedAt)}, after ${formatDuration(startedAt - createdAt)}`,
  ],
  [
    "ended",
    endedAt === undefined
      ? undefined
      : `${localTime(endedAt)}, after ${formatDuration(endedAt - (startedAt ?? createdAt))}`,
  ],
];

const describeState = ({ state }: Activation): string =>
  state === "waiting" ? "waiting for a person's decision" : state;

/** Returns the reason of an activation's end, for example "cooldown: It wrote a moment ago." */
export const describeReason = ({ error, reason, skip }: Activation): string | undefined => {
  const message = error?.message ?? reason;
  return skip === undefined ? message : message === undefined ? skip : `${skip}: ${message}`;
};

/** Describes the answered messages, for example "3 messages, also those of act_…, act_…". */
const describeAnswers = ({ answers, mergedActivations }: Turn): string | undefined => {
  const mergedIds = mergedActivations.map(({ id }) => id);
  if (answers.length === 0) return undefined;
  const mergedNote =
    mergedActivations.length === 0
      ? ""
      : `, also ${mergedActivations.length === 1 ? "that" : "those"} of ${mergedIds.join(", ")}`;
  return `${countOf(answers.length, "message")}${mergedNote}`;
};

const describeCost = ({ cost, estimated }: Usage): string | undefined =>
  cost === undefined ? undefined : `${showMoney(cost)}${estimated === true ? ", some of it estimated" : ""}`;

/**
 * Describes token usage, for example "1200 in (1000 cached), 50 out". It is "not reported" when the
 * provider reported no usage.
 */
export const describeUsage = (usage: Usage): string => {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, estimated } = usage;
  if (estimated === true && tokensOf(usage) === 0) return "not reported";
  const cacheNote = cacheReadTokens === 0 ? "" : ` (${cacheReadTokens} cached)`;
  const estimateNote = estimated === true ? " (estimated)" : "";
  return `${inputTokens + cacheReadTokens + cacheWriteTokens} in${cacheNote}, ${outputTokens} out${estimateNote}`;
};

/** Describes a compaction. */
const describeCompaction = ({ range, messages, state, reason, files }: Compaction): string => {
  if (reason !== undefined) return `${state}: ${reason}`;
  const rangeNote = range === undefined ? "" : `, events ${range.after + 1}–${range.through}`;
  const fileNote = files.length === 0 ? "" : `; kept in ${files.map(({ path }) => path).join(", ")}`;
  return `${state}: ${countOf(messages ?? 0, "message")}${rangeNote}${fileNote}`;
};
