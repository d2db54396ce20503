/**
 * Lists the parts of the prompt of a model call, with their tokens. The parts derive from the
 * stored input of the activation and the results of its earlier steps, so a turn stores nothing
 * for them.
 */
import { type Agents, createContext, type Frozen, canSeePart, readFrozen, type Start } from "../../agents/index.ts";
import { continueFrom, estimateTokens, HEARTBEAT_PART, noteOn } from "../../agents/lazy.ts";
import { type Kernel, type JournaledStep, usageOf } from "../../kernel/index.ts";
import { readFrozenText } from "../../kernel/lazy.ts";
import type { Models } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import {
  type ActivationId,
  filesOf,
  HEARTBEAT_PATH,
  HearthError,
  type FilePart,
  isHearthError,
  type ModelMessage,
  type StepPrompt,
  type StepPromptPart,
  textsOf,
  toolText,
  type Usage,
  userText,
} from "@hearth/protocol";
import { decide, startLoop, systemPieces } from "@hearth/protocol/loop";
import { findTool, toOffer } from "@hearth/protocol/tools";
import { toHistorySteps } from "./history-steps.ts";

export interface StepPrompts {
  /**
   * Lists the parts, without those that the present people of the room may not see. Throws
   * `activation.not-found` if the step is not a model call of the loop.
   */
  show(activation: ActivationId, step: number): Promise<StepPrompt>;
}

type PromptItem = Omit<StepPromptPart, "cachedTokens">;

export interface StepPromptsOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly policy: Policy;
  readonly agents: Agents;
}

export const createStepPrompts = (options: StepPromptsOptions): StepPrompts => {
  const { kernel, people, agents, policy } = options;
  const { store, blobs, journal } = kernel;
  const { records, rooms, audienceOf } = people;
  const context = createContext({
    kernel,
    people,
    models: options.models,
    agents: withoutPaidTexts(agents),
    isIsolated: policy.isIsolated,
    findUnfinished: () => Promise.resolve(undefined),
  });

  const isStored = async ({ hash }: { readonly hash: string }): Promise<boolean> => {
    try {
      return (await blobs.get(hash)) !== undefined;
    } catch (error) {
      if (isHearthError(error, "store.damaged")) return false;
      throw error;
    }
  };

  /** Splits the input into the readable part and the items whose text is erased. */
  const splitErased = async (
    frozen: Frozen,
  ): Promise<{ readonly readable: Frozen; readonly erased: readonly PromptItem[] }> => {
    const { parts, summary, unfinished, ...otherFields } = frozen;
    const areStored = await Promise.all(parts.map(isStored));
    const hasSummary = summary !== undefined && (await isStored(summary));
    const hasUnfinished = unfinished !== undefined && (await isStored(unfinished));
    const readable: Frozen = { ...otherFields, parts: parts.filter((_, index) => areStored[index]) };
    if (hasSummary) readable.summary = summary;
    if (hasUnfinished) readable.unfinished = unfinished;
    return {
      readable,
      erased: [
        ...parts.filter((_, index) => areStored[index] !== true).map(({ name }) => erasedItem(fileItem(name, ""))),
        ...(summary === undefined || hasSummary ? [] : [erasedItem(item("summary", 0))]),
        ...(unfinished === undefined || hasUnfinished ? [] : [erasedItem(item("unfinished", 0))]),
      ],
    };
  };

  const toolItems = (names: readonly string[]): readonly PromptItem[] => {
    const declarations = names.flatMap((name) => findTool(agents.table, name) ?? []);
    if (declarations.length === 0) return [];
    return [item("tools", estimateTokens(JSON.stringify(declarations.map(toOffer))), { count: declarations.length })];
  };

  return {
    async show(id, step) {
      const [[row], knownSteps] = await Promise.all([
        store.select({ table: "activations", where: { id } }),
        journal.load(id),
      ]);
      const call = knownSteps.get(step);
      if (row === undefined || step < 0 || call?.kind !== "model") throw noSuchCallError(id, step);
      const usage = call.output === undefined ? {} : { usage: usageOf([call]) };
      const text = await readFrozenText(blobs, row);
      if (text === undefined) return { parts: [], tokens: 0, ...usage, erased: true };
      const frozen = readFrozen(text, { startedAt: row.started_at ?? row.created_at });
      const [agent, room, isRemoved] = await Promise.all([
        records.get("agent", row.agent),
        records.get("room", row.room),
        rooms.isRemoved(row.room, row.cause),
      ]);
      const audience = await audienceOf(agent, room);
      const visibleParts = frozen.parts.filter(({ name }) => canSeePart(audience, name));
      const hiddenCount = frozen.parts.length - visibleParts.length;
      const { readable, erased } = await splitErased({ ...frozen, parts: visibleParts });
      const start = await context.thaw(row, JSON.stringify(readable), audience);
      const steps = toHistorySteps(new Map([...knownSteps].filter(([index]) => index < step)));
      const input = continueFrom(start.input, steps);
      const request = decide(startLoop(input));
      const items = [
        ...toolItems(request.kind === "model" ? request.tools : []),
        ...systemItems(start),
        ...messageItems(start, row.parent === null && isRemoved),
        ...input.history.slice(start.input.history.length).flatMap(toStepItems),
        ...erased,
        ...(hiddenCount === 0 ? [] : [erasedItem(item("hidden", 0, { count: hiddenCount }))]),
      ];
      const parts = merge(addCachedTokens(items, cachedShare(call)));
      return { parts, tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0), ...usage };
    },
  };
};

/**
 * Replaces `make` of transcripts and descriptions by a lookup of stored ones, because making one costs
 * money.
 */
const withoutPaidTexts = (agents: Agents): Agents => {
  const { transcripts, descriptions } = agents;
  return {
    ...agents,
    transcripts: { ...transcripts, make: (room, upload) => transcripts.find(room, upload) },
    descriptions: { ...descriptions, make: (room, upload) => descriptions.find(room, upload) },
  };
};

const item = (
  kind: PromptItem["kind"],
  tokens: number,
  { name, count = 1 }: { name?: string; count?: number } = {},
): PromptItem => (name === undefined ? { kind, count, tokens } : { kind, name, count, tokens });

const erasedItem = (promptItem: PromptItem): PromptItem => ({ ...promptItem, tokens: 0, erased: true });

/** Returns the item of a part of the brain, by the part's name. */
const fileItem = (name: string, text: string): PromptItem => {
  const tokens = estimateTokens(text);
  if (name === "skills") return item("skills", tokens);
  if (name === "prompt") return item("instructions", tokens);
  return item("file", tokens, { name: name === HEARTBEAT_PART ? HEARTBEAT_PATH : name });
};

const systemItems = ({ input }: Start): readonly PromptItem[] =>
  systemPieces(input).map(({ kind, name, text }) =>
    kind === "part" ? fileItem(name, text) : item(kind, estimateTokens(text)),
  );

/** Returns the items of the messages. With `isRemoved`, the message to answer was deleted since. */
const messageItems = ({ messagesBySource, parts }: Start, isRemoved: boolean): readonly PromptItem[] => {
  const partNamesByNote = new Map(parts.map(({ name }) => [noteOn(name), name]));
  return [
    ...messagesBySource.summary.flatMap((message) => toItems("summary", message)),
    ...messagesBySource.session.flatMap((message) => toItems("conversation", message)),
    ...messagesBySource.late.map((message) => {
      const name = message.role === "user" ? partNamesByNote.get(message.note ?? "") : undefined;
      return name === undefined ? item("conversation", tokensOfMessage(message)) : fileItem(name, message.text);
    }),
    ...messagesBySource.unfinished.flatMap((message) => toItems("unfinished", message)),
    ...messagesBySource.inbox.flatMap((message) => toItems("inbox", message)),
    ...(isRemoved
      ? [erasedItem(item("message", 0))]
      : messagesBySource.asked.flatMap((message) => toItems("message", message))),
  ];
};

/** Returns the items of a message that the activation added after its start. */
const toStepItems = (message: ModelMessage): readonly PromptItem[] => {
  switch (message.role) {
    case "user":
      return toItems("intake", message);
    case "assistant":
      return [item("reply", tokensOfMessage(message))];
    case "tool":
      return [
        item(
          "result",
          tokensOfMessage(message) + filesOf(message.parts).reduce((sum, file) => sum + tokensOfFile(file), 0),
          {
            name: message.name,
          },
        ),
      ];
  }
};

/** Returns the items of a message: its text, and each of its files. */
const toItems = (kind: PromptItem["kind"], message: ModelMessage): readonly PromptItem[] => [
  item(kind, tokensOfMessage(message)),
  ...(message.role === "assistant" ? [] : (message.parts ?? [])).map((part) =>
    part.kind === "text"
      ? item("attachment", estimateTokens(part.text), part.file === undefined ? {} : { name: part.file.name })
      : item("attachment", tokensOfFile(part), { name: part.name }),
  ),
];

/** Estimates the tokens of a message without its files. */
const tokensOfMessage = (message: ModelMessage): number => {
  switch (message.role) {
    case "user":
      return estimateTokens(userText(message));
    case "assistant":
      return estimateTokens(
        message.text + message.toolCalls.map(({ name, input }) => `${name}${JSON.stringify(input)}`).join(""),
      );
    case "tool":
      return estimateTokens([toolText(message), ...textsOf(message.parts)].join(""));
  }
};

/** Vendors scale larger pictures down to about this many tokens. */
const PICTURE_TOKENS = 1600;
const PIXELS_PER_TOKEN = 750;
/** The text of a document is cut at about this many bytes. */
const DOCUMENT_BYTES = 60_000;
const AUDIO_TOKENS_PER_SECOND = 25;

/** Estimates the tokens of a file that the model reads itself, or as converted text. */
const tokensOfFile = ({ kind, sizeBytes, width, height, durationMs }: FilePart): number => {
  switch (kind) {
    case "image":
      return width === undefined || height === undefined
        ? PICTURE_TOKENS
        : Math.min(PICTURE_TOKENS, Math.ceil((width * height) / PIXELS_PER_TOKEN));
    case "audio":
      return Math.ceil(((durationMs ?? 0) / 1000) * AUDIO_TOKENS_PER_SECOND);
    case "document":
    case "file":
      return Math.ceil(Math.min(sizeBytes, DOCUMENT_BYTES) / 4);
  }
};

/**
 * Returns the share of the prompt that the provider read from its cache. Returns undefined if the
 * provider reported none.
 */
const cachedShare = (call: JournaledStep): number | undefined => {
  if (call.output === undefined) return undefined;
  const { inputTokens, cacheReadTokens, cacheWriteTokens }: Usage = usageOf([call]);
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  return cacheReadTokens === 0 ? undefined : cacheReadTokens / promptTokens;
};

/** Adds the cached tokens of each item. Providers cache the beginning of a prompt. */
const addCachedTokens = (items: readonly PromptItem[], share: number | undefined): readonly StepPromptPart[] => {
  if (share === undefined) return items;
  let remainingTokens = Math.round(share * items.reduce((sum, { tokens }) => sum + tokens, 0));
  return items.map((promptItem) => {
    const cachedTokens = Math.min(remainingTokens, promptItem.tokens);
    remainingTokens -= cachedTokens;
    return { ...promptItem, cachedTokens };
  });
};

/** Merges the items of one kind and name, at the place of the first. */
const merge = (items: readonly StepPromptPart[]): StepPromptPart[] => {
  const mergedItems = new Map<string, StepPromptPart>();
  for (const promptItem of items) {
    const { kind, name = null, erased = false } = promptItem;
    const key = JSON.stringify([kind, name, erased]);
    const earlierItem = mergedItems.get(key);
    mergedItems.set(key, earlierItem === undefined ? promptItem : sumOf(earlierItem, promptItem));
  }
  return [...mergedItems.values()];
};

const sumOf = (a: StepPromptPart, b: StepPromptPart): StepPromptPart => {
  const sum = { ...a, count: a.count + b.count, tokens: a.tokens + b.tokens };
  return a.cachedTokens === undefined || b.cachedTokens === undefined
    ? sum
    : { ...sum, cachedTokens: a.cachedTokens + b.cachedTokens };
};

const noSuchCallError = (id: ActivationId, step: number): HearthError =>
  new HearthError("activation.not-found", `Step ${step} of ${id} is not a model call.`, {
    hint: `To list its steps: hearth activation show ${id}`,
  });
