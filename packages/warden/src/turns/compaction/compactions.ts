/**
 * Compacts sessions that are too long for their model: before a turn begins, or after the model
 * refused a request. The oldest part becomes notes in the agent's memory and a summary. The
 * messages stay in the room, and a failed compaction changes nothing.
 */
import type { Kernel, JournaledStep } from "../../kernel/index.ts";
import { compactAbove, limitOf } from "../../agents/lazy.ts";
import {
  isOpen,
  toSummary,
  type Frozen,
  type Session,
  type SessionParts,
  type SessionRange,
  type Brains,
  type ReadConversationSlice,
} from "../../agents/index.ts";
import type { Catalog } from "../../models/index.ts";
import { type AgentRecord, tokensOf } from "@hearth/protocol";
import type { CompactionTurn, SessionLength } from "./compaction-turn.ts";
import { type Compact, createCompact, modelOf } from "./compact.ts";
import { NOTES_STEP } from "../run/step-output.ts";
import type { Records } from "../../people/index.ts";
import type { CallJournaled } from "../run/journaled-call.ts";
import type { LeakScan } from "../../policy/index.ts";

export interface Compactions {
  /** Compacts the session if that is due or a person requested it. Returns whether it tried. */
  compactBefore(turn: CompactionTurn): Promise<boolean>;
  /**
   * Compacts the session after the model refused a request as too long. Returns the new frozen
   * input, or undefined if it stays unchanged.
   */
  compactDuring(turn: CompactionTurn, frozen: Frozen): Promise<Frozen | undefined>;
  measure(turn: CompactionTurn, knownSteps: ReadonlyMap<number, JournaledStep>): Promise<SessionLength>;
}

export interface CompactionsOptions {
  readonly kernel: Kernel;
  readonly records: Pick<Records, "get">;
  readonly brains: Pick<Brains, "open">;
  readonly providers: Pick<Catalog, "resolve" | "candidates">;
  readonly session: SessionParts;
  readonly readSlice: ReadConversationSlice;
  readonly callJournaled: CallJournaled;
  readonly leakScan: Pick<LeakScan, "redactOutgoing">;
}

/** Characters per token, until the provider reports a token count. */
const CHARACTERS_PER_TOKEN = 4;
/**
 * Factor from the token limit of the model that writes the summary to the length of its input.
 * Lower than the estimate above, because some languages have fewer characters per token.
 */
const SUMMARY_INPUT_CHARACTERS_PER_TOKEN = 2;

export const createCompactions = (options: CompactionsOptions): Compactions => {
  const { kernel, records, brains, providers, session: parts, readSlice, callJournaled, leakScan } = options;
  const { world, config, log, streams, blobs, journal } = kernel;
  const { sessions, sessionRanges, summaries } = parts;
  const compact: Compact = createCompact({
    world,
    log,
    streams,
    blobs,
    journal,
    records,
    brains,
    summaries,
    readSlice,
    callJournaled,
    leakScan,
  });

  const sessionOf = ({ agent, row, lease }: CompactionTurn): Promise<Session> =>
    sessions.get(agent.id, row.room, lease.fence);

  const limitFor = (model: string): number => limitOf(providers.candidates([model]), config.current());
  const thresholdFor = (agent: AgentRecord): number =>
    compactAbove(limitFor(modelOf(agent)), config.current().compaction);
  const summaryModelOf = (agent: AgentRecord): string => config.current().compaction.model ?? modelOf(agent);

  /** Whether this same turn started the compaction before a crash. */
  const wasStartedBy = ({ newestCompaction }: Session, { row }: CompactionTurn): boolean =>
    newestCompaction?.state === "begun" && newestCompaction.activation === row.id;

  const compactRange = async (
    turn: CompactionTurn,
    session: Session,
    sessionRange: SessionRange,
    limits: { readonly maxLength?: number; readonly frozen?: Frozen },
  ): Promise<Frozen | undefined> => {
    const summaryModel = summaryModelOf(turn.agent);
    const tokenLimit = limitFor(summaryModel);
    const maxLength = Math.min(limits.maxLength ?? Infinity, tokenLimit * SUMMARY_INPUT_CHARACTERS_PER_TOKEN);
    return compact(turn, session, sessionRange, { ...limits, maxLength, summaryModel, tokenLimit });
  };

  /** After a crash, the compaction resumes with the range that it started with. */
  const rangeOfStarted = async (
    { row }: CompactionTurn,
    { activeCompaction, newestCompaction }: Session,
  ): Promise<SessionRange | undefined> => {
    if (newestCompaction === undefined) return undefined;
    const range = { start: newestCompaction.after, cause: row.cause_offset, head: newestCompaction.head };
    const summary = toSummary(activeCompaction);
    return {
      range,
      current: await sessionRanges.read(row.room, range),
      ...(summary === undefined ? {} : { summary }),
    };
  };

  return {
    async compactBefore(turn) {
      const session = await sessionOf(turn);
      const isRequested = session.newestCompaction !== undefined && isOpen(session.newestCompaction);
      const isDue = (session.tokens ?? 0) > thresholdFor(turn.agent) && world.clock.now() >= session.quietUntil;
      if (!isRequested && !isDue) return false;
      const sessionRange =
        (wasStartedBy(session, turn) ? await rangeOfStarted(turn, session) : undefined) ??
        (await sessionRanges.find(turn.row));
      await compactRange(turn, session, sessionRange, {});
      return true;
    },

    async compactDuring(turn, frozen) {
      const session = await sessionOf(turn);
      const current = await sessionRanges.read(turn.row.room, frozen.range);
      const { summary } = frozen;
      const sessionRange =
        (wasStartedBy(session, turn) ? await rangeOfStarted(turn, session) : undefined) ??
        ({ range: frozen.range, current, ...(summary === undefined ? {} : { summary }) } satisfies SessionRange);
      // The whole session was too long, so compact the older half.
      const maxLength = current.messages.reduce((length, { body }) => length + body.text.length, 0) / 2;
      return compactRange(turn, session, sessionRange, { maxLength, frozen });
    },

    async measure(turn, knownSteps) {
      const session = await sessionOf(turn);
      const threshold = thresholdFor(turn.agent);
      const mayCompact = !knownSteps.has(NOTES_STEP) || wasStartedBy(session, turn);
      return {
        mayCompact,
        isTooLong: (characters) =>
          mayCompact &&
          session.tokens === undefined &&
          world.clock.now() >= session.quietUntil &&
          characters / CHARACTERS_PER_TOKEN > threshold,
        recordUsage(usage, characters) {
          const isReported = usage.estimated !== true && tokensOf(usage) > 0;
          session.tokens = isReported ? tokensOf(usage) : Math.ceil(characters / CHARACTERS_PER_TOKEN);
        },
      };
    },
  };
};
