/**
 * Compacts sessions that are too long for their model, either before a turn begins or when the
 * model refuses the request. The oldest part becomes notes in the agent's memory and a summary. The
 * messages stay in the room, and a failed compaction removes nothing.
 */
import type { Kernel, KnownStep } from "../../kernel/index.ts";
import { compactAbove, limitOf } from "../../agents/lazy.ts";
import { isOpen, toSummary, type Frozen, type Session, type SessionParts, type Stretch } from "../../agents/index.ts";
import type { Catalog } from "../../models/index.ts";
import { type AgentRecord, tokensOf } from "@hearth/protocol";
import type { CompactionTurn, SessionLength } from "./compaction-turn.ts";
import { type Compact, createCompact, modelOf, type CompactOptions } from "./compact.ts";
import { KEEP_STEP } from "../run/step-output.ts";

export interface Compactions {
  /**
   * Compacts the session when that is due or was requested. Returns whether a compaction was tried.
   * Costs one comparison of numbers when none is due.
   */
  before(turn: CompactionTurn): Promise<boolean>;
  /**
   * Called when the model refuses a request as too long. Returns the new frozen input, or undefined
   * when the old one stays.
   */
  during(turn: CompactionTurn, frozen: Frozen): Promise<Frozen | undefined>;
  length(turn: CompactionTurn, known: ReadonlyMap<number, KnownStep>): Promise<SessionLength>;
}

export interface CompactionsOptions {
  readonly kernel: Kernel;
  readonly records: CompactOptions["records"];
  readonly brains: CompactOptions["brains"];
  readonly providers: Pick<Catalog, "resolve" | "leaves">;
  readonly session: SessionParts;
  readonly readSlice: CompactOptions["readSlice"];
  readonly callJournaled: CompactOptions["callJournaled"];
  readonly leaks: CompactOptions["leaks"];
}

/** Characters per token, until the provider reports a token count. */
const CHARACTERS = 4;
/**
 * Longest input of the model that writes the summary, in characters per token of its limit. Some
 * languages have few characters per token.
 */
const GIVEN_CHARACTERS = 2;

export const createCompactions = (options: CompactionsOptions): Compactions => {
  const { kernel, records, brains, providers, session: parts, readSlice, callJournaled, leaks } = options;
  const { world, config } = kernel;
  const { sessions, stretches, summaries } = parts;
  const compact: Compact = createCompact({
    ...kernel,
    records,
    brains,
    summaries,
    readSlice,
    callJournaled,
    leaks,
  });

  const sessionOf = ({ agent, row, lease }: CompactionTurn): Promise<Session> =>
    sessions.of(agent.id, row.room, lease.fence);

  const limitFor = (model: string): number => limitOf(providers.leaves([model]), config.current());
  const aboveFor = (agent: AgentRecord): number => compactAbove(limitFor(modelOf(agent)), config.current().compaction);
  const writerOf = (agent: AgentRecord): string => config.current().compaction.model ?? modelOf(agent);

  /** Whether this same turn started the compaction before a crash. */
  const isBegunBy = ({ last }: Session, { row }: CompactionTurn): boolean =>
    last?.state === "begun" && last.activation === row.id;

  const shorten = async (
    turn: CompactionTurn,
    session: Session,
    stretch: Stretch,
    which: { readonly maxLength?: number; readonly frozen?: Frozen },
  ): Promise<Frozen | undefined> => {
    const writer = writerOf(turn.agent);
    const limit = limitFor(writer);
    const most = Math.min(which.maxLength ?? Infinity, limit * GIVEN_CHARACTERS);
    return compact(turn, session, stretch, { ...which, maxLength: most, writer, limit });
  };

  /** After a crash, the compaction resumes with the range that it started with. */
  const begun = async ({ row }: CompactionTurn, { given, last }: Session): Promise<Stretch | undefined> => {
    if (last === undefined) return undefined;
    const range = { start: last.after, cause: row.cause_offset, head: last.head };
    const summary = toSummary(given);
    return {
      range,
      seen: await stretches.read(row.room, range),
      ...(summary === undefined ? {} : { summary }),
    };
  };

  return {
    async before(turn) {
      const session = await sessionOf(turn);
      const isAsked = session.last !== undefined && isOpen(session.last);
      const isDue = (session.tokens ?? 0) > aboveFor(turn.agent) && world.clock.now() >= session.quietUntil;
      if (!isAsked && !isDue) return false;
      const stretch =
        (isBegunBy(session, turn) ? await begun(turn, session) : undefined) ?? (await stretches.of(turn.row));
      await shorten(turn, session, stretch, {});
      return true;
    },

    async during(turn, frozen) {
      const session = await sessionOf(turn);
      const seen = await stretches.read(turn.row.room, frozen.range);
      const { summary } = frozen;
      const stretch =
        (isBegunBy(session, turn) ? await begun(turn, session) : undefined) ??
        ({ range: frozen.range, seen, ...(summary === undefined ? {} : { summary }) } satisfies Stretch);
      // All of it was too long, so try half of it.
      const maxLength = seen.messages.reduce((length, { body }) => length + body.text.length, 0) / 2;
      return shorten(turn, session, stretch, { maxLength, frozen });
    },

    async length(turn, known) {
      const session = await sessionOf(turn);
      const above = aboveFor(turn.agent);
      const mayShorten = !known.has(KEEP_STEP) || isBegunBy(session, turn);
      return {
        mayShorten,
        isTooLong: (characters) =>
          mayShorten &&
          session.tokens === undefined &&
          world.clock.now() >= session.quietUntil &&
          characters / CHARACTERS > above,
        told(usage, characters) {
          const isReported = usage.estimated !== true && tokensOf(usage) > 0;
          session.tokens = isReported ? tokensOf(usage) : Math.ceil(characters / CHARACTERS);
        },
      };
    },
  };
};
