/**
 * Runs one compaction: the model writes notes for the agent's memory, then a summary, and one
 * commit stores the result. Each model call is a journal step of the turn that started the
 * compaction, so a crash does not repeat it.
 */
import {
  writeJson,
  leaseLostError,
  packBody,
  writeLabel,
  type Journal,
  type Log,
  type Blobs,
  type Write,
  type Row,
  type DurableStreams,
} from "../../kernel/index.ts";
import {
  logFolder,
  isOpen,
  newCompaction,
  toSummary,
  type Brains,
  type ReadConversationSlice,
  type ConversationSlice,
  type Frozen,
  type Session,
  type SessionRange,
  type Summaries,
} from "../../agents/index.ts";
import { readNotes, readSummary, toNotesRequest, toSummaryRequest } from "../../agents/lazy.ts";
import type { Records } from "../../people/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import {
  addUsage,
  type AgentRecord,
  type ChangeId,
  type Compacted,
  type CompactionFailed,
  DEFAULT_MODEL,
  isHearthError,
  type KeptFile,
  type Label,
  noUsage,
  type Usage,
  wallDay,
  type World,
} from "@hearth/protocol";
import type { CompactionTurn } from "./compaction-turn.ts";
import type { CallJournaled, JournaledAnswer } from "../run/journaled-call.ts";
import { NOTES_STEP, SUMMARY_STEP } from "../run/step-output.ts";

export interface CompactOptions {
  readonly world: World;
  readonly log: Log;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly blobs: Blobs;
  readonly records: Pick<Records, "get">;
  readonly brains: Pick<Brains, "open">;
  readonly journal: Pick<Journal, "load">;
  readonly summaries: Summaries;
  readonly readSlice: ReadConversationSlice;
  readonly callJournaled: CallJournaled;
  readonly leakScan: Pick<LeakScan, "redactOutgoing">;
}

export interface CompactLimits {
  /** Maximum length of the text to summarize, in UTF-16 code units. */
  readonly maxLength: number;
  /** The model that writes the summary, as `provider/model`, and how many tokens it accepts. */
  readonly summaryModel: string;
  readonly tokenLimit: number;
  /** The frozen input of a turn that has already begun. The compaction replaces it. */
  readonly frozen?: Frozen;
}

/**
 * Returns the new frozen input of a turn that has begun, or undefined if it stays unchanged. Throws
 * only errors that end the turn: a failed disk write or a lost lease.
 */
export type Compact = (
  turn: CompactionTurn,
  session: Session,
  sessionRange: SessionRange,
  limits: CompactLimits,
) => Promise<Frozen | undefined>;

/** Longest time that one model call may take. */
const CALL_TIMEOUT_MS = 120_000;
/** Pause after a failed automatic compaction. */
const PAUSE_AFTER_FAILURE_MS = 10 * 60_000;

const NOTHING_TO_SUMMARIZE = "There is nothing to summarize before the message that is being answered.";
const NO_SUMMARY = "The model wrote no summary.";

/** Thrown when the turn was stopped. The next turn continues the compaction. */
const STOPPED = Symbol("stopped");

export const createCompact = (options: CompactOptions): Compact => {
  const { world, log, streams, records, journal, summaries, readSlice, callJournaled, leakScan } = options;

  const commit = async (
    { row, lease }: CompactionTurn,
    place: number,
    writes: readonly Write[],
    event: Compacted | CompactionFailed,
  ): Promise<void> => {
    const id = world.ids.derive("evt", row.id, "compaction", String(place));
    const result = await streams.commit({
      guards: [lease.guard],
      writes: [...writes, ...lease.renewal()],
      events: [{ stream: `agent:${row.agent}`, id, event }],
    });
    if (result.kind === "refused") throw leaseLostError(row.agent);
  };

  const fail = async (
    turn: CompactionTurn,
    session: Session,
    plan: Row<"compactions">,
    reason: string,
    usage: Usage,
  ): Promise<undefined> => {
    const at = world.clock.now();
    const failedRow: Row<"compactions"> = {
      ...plan,
      state: "failed",
      reason,
      activation: turn.row.id,
      usage: writeJson(usage),
      ended_at: at,
    };
    await commit(turn, plan.place, [{ kind: "put", table: "compactions", row: failedRow }], {
      type: "compaction-failed",
      at,
      ...activationIdsOf(turn),
      reason,
      usage,
    });
    session.newestCompaction = failedRow;
    session.quietUntil = at + PAUSE_AFTER_FAILURE_MS;
    log.write("warn", "could not compact a session; the agent gets as much of it as fits", {
      activation: turn.row.id,
      agent: turn.agent.handle,
      reason,
    });
  };

  return async (turn, session, sessionRange, { maxLength, summaryModel, tokenLimit, frozen }) => {
    const { row, agent } = turn;
    const { newestCompaction } = session;
    const openCompaction = newestCompaction !== undefined && isOpen(newestCompaction) ? newestCompaction : undefined;
    const isResumed = openCompaction?.state === "begun" && openCompaction.activation === row.id;
    let plan = planFor(turn, session, world.clock.now());
    let usage = noUsage;
    const countUsage = (journaledAnswer: JournaledAnswer | undefined): JournaledAnswer => {
      if (journaledAnswer === undefined) throw STOPPED;
      usage = addUsage(usage, journaledAnswer.usage);
      return journaledAnswer;
    };
    try {
      const selection = isResumed
        ? { through: openCompaction.through }
        : { maxLength, ...(plan.keep === null ? {} : { keep: plan.keep }) };
      const slice = await readSlice(sessionRange, agent, await timezoneOf(records, agent), selection);
      if (slice === undefined) {
        // Only a compaction that a person requested is reported as failed.
        if (openCompaction !== undefined) await fail(turn, session, plan, NOTHING_TO_SUMMARIZE, usage);
        else session.quietUntil = world.clock.now() + PAUSE_AFTER_FAILURE_MS;
        return undefined;
      }
      const { after, through, head, messages, label } = slice;
      plan = { ...plan, after, through, head, messages, labels: writeLabel(label) };
      const journaledSteps = await journal.load(row.id);
      const call = callOptionsOf(turn, summaryModel);
      const notesCall = countUsage(
        await callJournaled({
          ...call,
          step: NOTES_STEP,
          journaledStep: journaledSteps.get(NOTES_STEP),
          request: (model) => toNotesRequest({ model, agent, transcript: slice.transcript }),
          sameCommit: { writes: [{ kind: "put", table: "compactions", row: plan }] },
        }),
      );
      session.newestCompaction = plan;
      if (notesCall.error !== undefined) return await fail(turn, session, plan, notesCall.error, usage);
      const files = await appendNotes(options, turn, slice, readNotes(notesCall.message.toolCalls));
      const answer = countUsage(
        await callJournaled({
          ...call,
          step: SUMMARY_STEP,
          journaledStep: journaledSteps.get(SUMMARY_STEP),
          request: (model) => toSummaryRequest({ model, agent, transcript: slice.transcript }),
        }),
      );
      const text = readSummary(answer.message.text, tokenLimit);
      if (text === undefined) return await fail(turn, session, plan, answer.error ?? NO_SUMMARY, usage);
      return await finish(turn, session, plan, { text: leakScan.redactOutgoing(text), label, files, usage }, frozen);
    } catch (error) {
      if (error === STOPPED) return undefined;
      if (!isHearthError(error) || ERRORS_THAT_END_THE_TURN.some((code) => isHearthError(error, code))) throw error;
      await fail(turn, session, plan, error.message, usage);
      return undefined;
    }
  };

  async function finish(
    turn: CompactionTurn,
    session: Session,
    plan: Row<"compactions">,
    summaryResult: {
      readonly text: string;
      readonly label: Label;
      readonly files: readonly KeptFile[];
      readonly usage: Usage;
    },
    frozen: Frozen | undefined,
  ): Promise<Frozen | undefined> {
    const { label, files, usage } = summaryResult;
    const at = world.clock.now();
    const summary = await summaries.put(summaryResult.text);
    const doneCompaction = doneRow(plan, { summary, files, usage, at });
    const compactedSummary = toSummary(doneCompaction);
    const newFrozen =
      frozen === undefined || compactedSummary === undefined
        ? undefined
        : { ...frozen, range: { ...frozen.range, start: plan.through }, summary: compactedSummary };
    await commit(
      turn,
      plan.place,
      [
        { kind: "put", table: "compactions", row: doneCompaction },
        ...(newFrozen === undefined ? [] : [await planFrozenUpdate(options.blobs, turn, newFrozen)]),
      ],
      {
        type: "compacted",
        at,
        ...activationIdsOf(turn),
        range: { after: plan.after, through: plan.through },
        messages: plan.messages,
        summary,
        label,
        files: [...files],
        usage,
      },
    );
    session.newestCompaction = doneCompaction;
    session.activeCompaction = doneCompaction;
    session.checkedOffset = doneCompaction.head;
    session.tokens = undefined;
    return newFrozen;
  }
};

const planFor = (
  { row, agent }: CompactionTurn,
  { newestCompaction, tokens }: Session,
  now: number,
): Row<"compactions"> => {
  const openCompaction = newestCompaction !== undefined && isOpen(newestCompaction) ? newestCompaction : undefined;
  return newCompaction({
    agent: agent.id,
    room: row.room,
    place: openCompaction?.place ?? (newestCompaction?.place ?? 0) + 1,
    at: openCompaction?.at ?? now,
    keep: openCompaction?.keep ?? null,
    tokens: tokens ?? null,
    state: "begun",
    activation: row.id,
  });
};

const callOptionsOf = ({ row, agent, lease, signal }: CompactionTurn, model: string) => ({
  agent,
  activation: row.id,
  place: row.room,
  lease,
  signal,
  model,
  timeoutMs: CALL_TIMEOUT_MS,
});

const doneRow = (
  plan: Row<"compactions">,
  {
    summary,
    files,
    usage,
    at,
  }: { readonly summary: string; readonly files: readonly KeptFile[]; readonly usage: Usage; readonly at: number },
): Row<"compactions"> => ({
  ...plan,
  state: "done",
  summary,
  files: writeJson(files),
  usage: writeJson(usage),
  ended_at: at,
});

/**
 * Appends the notes to the daily log of the audience, with the label of their sources. A second
 * call changes nothing.
 */
const appendNotes = async (
  { world, records, brains, leakScan }: CompactOptions,
  { row, agent, audience }: CompactionTurn,
  slice: ConversationSlice,
  notes: readonly string[],
): Promise<readonly KeptFile[]> => {
  if (notes.length === 0) return [];
  const [brain, home] = await Promise.all([brains.open(agent), records.get("house", agent.house)]);
  const path = `${logFolder(audience)}/${wallDay(world.clock.now(), home.content.timezone)}.md`;
  const source = `(from ${row.room}, messages ${slice.after + 1}–${slice.through})`;
  if ((await brain.read(path))?.includes(source) === true) return [];
  const lines = notes.map((note) => `- ${leakScan.redactOutgoing(note)}`);
  const origin = { agent: agent.id, activation: row.id, label: slice.label };
  const result = await brain.append(
    path,
    [`## Notes from the compacted conversation ${source}`, ...lines].join("\n"),
    origin,
  );
  return result.kind === "written" ? [{ path, change: result.change satisfies ChangeId }] : [];
};

const timezoneOf = async (records: Pick<Records, "get">, agent: AgentRecord): Promise<string> =>
  agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;

const planFrozenUpdate = async (blobs: Blobs, { row }: CompactionTurn, frozen: Frozen): Promise<Write> => {
  const { inline, blob } = await packBody(blobs, JSON.stringify(frozen));
  return { kind: "update", table: "activations", where: { id: row.id }, set: { frozen: inline, frozen_blob: blob } };
};

/** The model that the agent uses. */
export const modelOf = ({ content }: AgentRecord): string => content.model ?? DEFAULT_MODEL;

const activationIdsOf = ({ row }: CompactionTurn) => ({
  agent: row.agent,
  room: row.room,
  activation: row.id,
});

const ERRORS_THAT_END_THE_TURN = ["lease.lost", "store.unavailable"] as const;
