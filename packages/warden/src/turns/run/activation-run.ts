/** Runs one activation: begins or resumes it, in as many cells as it needs, up to a limit. */
import {
  readJson,
  usageOf,
  isOfSchedule,
  unjournaledUsage,
  observe,
  type ConfigSource,
  type KnownStep,
  type Lease,
  type Log,
  type Row,
  type PartialReply,
} from "../../kernel/index.ts";
import { createSliceReader, continueFrom, shrink, createHostTools } from "../../agents/lazy.ts";
import type { Pool, CellLease, Egress } from "../../cells/index.ts";
import { tableWith, type Frozen, type SessionParts, type HostParts } from "../../agents/index.ts";
import type { AudienceOf } from "../../people/index.ts";
import {
  toOutgoing,
  type ChokePoint,
  type LabelledFiles,
  type TurnTaint,
  type TurnTaints,
} from "../../policy/index.ts";
import type { Catalog } from "../../models/index.ts";
import {
  type ActivationId,
  addUsage,
  type ErrorBody,
  type FrameScope,
  HearthError,
  type InboxId,
  isHearthError,
  isTainted,
  type Label,
  LOOP_VERSION,
  noUsage,
  type Usage,
} from "@hearth/protocol";
import { findTool, toOffer } from "@hearth/protocol/tools";
import { DELETED, type HouseChildren, PARENT_STOPPED } from "./children.ts";
import { createOneShotCall } from "./one-shot-call.ts";
import type { CompactionTurn } from "../compaction/compaction-turn.ts";
import { createCompactions } from "../compaction/compactions.ts";
import { finishedSteps, givenUp } from "../recovery/giving-up.ts";
import { createHostSteps } from "./host-steps.ts";
import { createJournaledCalls } from "./journaled-call.ts";
import type { Intake, IntakeTurn } from "./intake.ts";
import { createResultLabels } from "./result-labels.ts";
import { createLeftRunning } from "../queue/left-running.ts";
import { type Lifecycle, type LifecycleOptions, Parked } from "../queue/lifecycle.ts";
import { MAX_CELL_DEATHS, MAX_DAEMON_DEATHS } from "../recovery/retry-policy.ts";
import { createPartialText } from "./partial-reply.ts";
import { type Outcome, runActivation } from "./run.ts";
import { interruptedCalls, toHistorySteps } from "./history-steps.ts";

type ActivationRow = Row<"activations">;

export interface ActivationRunOptions
  extends
    LifecycleOptions,
    Pick<
      HostParts,
      | "mayReach"
      | "mayCarry"
      | "maxChain"
      | "levelOf"
      | "search"
      | "further"
      | "budgets"
      | "brains"
      | "recall"
      | "forget"
      | "dayOf"
      | "jobs"
    > {
  readonly log: Log;
  readonly pool: Pool;
  /** How long an inmate may stay silent when the warden waits for it. */
  readonly silenceMs: number;
  readonly providers: Catalog;
  readonly chokePoint: ChokePoint;
  readonly egress: Pick<Egress, "offer" | "revoke" | "took" | "fetch">;
  readonly lifecycle: Lifecycle;
  readonly intake: Intake;
  readonly children: HouseChildren;
  readonly config: Pick<ConfigSource, "current">;
  readonly session: SessionParts;
  readonly audienceOf: AudienceOf;
  readonly taints: TurnTaints;
  readonly files: LabelledFiles;
}

/** `spent` receives the cost, also when the run throws. */
export type ActivationRun = (
  row: ActivationRow,
  lease: Lease,
  signal: AbortSignal,
  spent: (usage: Usage) => void,
) => Promise<Outcome>;

/** Pause before the second cell. Each later pause is twice as long. */
const FIRST_PAUSE_MS = 200;
/** How long a stopped activation may take to end before its cell is closed. */
const STOP_MS = 500;

export const createActivationRun = (options: ActivationRunOptions): ActivationRun => {
  const { world, log, records, rooms, journal, pool, providers, chokePoint, lifecycle, intake, children, egress } =
    options;
  const table = tableWith(options.further);
  const runHostStep = createHostSteps({
    ...options,
    table,
    leaks: chokePoint.leaks,
    tools: createHostTools({ ...options, earlier: options.session.earlier, oneShotCall: createOneShotCall(options) }),
  });
  const compactions = createCompactions({
    ...{ ...options, ...options.session, leaks: chokePoint.leaks, readSlice: createSliceReader(options.session) },
    callJournaled: createJournaledCalls({ ...options, clock: world.clock }),
  });
  const left = createLeftRunning(pool);
  /** Activations whose programs had access to the network. */
  const offered = new Set<ActivationId>();

  const offerOf = (name: string): ReturnType<typeof toOffer> => {
    const tool = findTool(table, name);
    if (tool === undefined) throw new Error(`no tool is named ${name}`);
    return toOffer(tool);
  };

  /**
   * For another agent, which reads the text with its label. What that agent says to people is
   * cleaned later.
   */
  const inside = (text: string, taint: TurnTaint): string =>
    isTainted(taint.label) ? chokePoint.leaks.outgoing(text) : text;

  /** For people, in rooms and channels. */
  const outgoing = (text: string, taint: TurnTaint): string =>
    isTainted(taint.label) ? toOutgoing(text, taint, chokePoint.leaks) : text;

  /** A cell's failure text is the cell's own words, so it is cleaned too. */
  const outgoingError = ({ message, hint, ...error }: ErrorBody, taint: TurnTaint): ErrorBody => ({
    ...{ ...error, message: outgoing(message, taint) },
    ...(hint === undefined ? {} : { hint: outgoing(hint, taint) }),
  });

  /**
   * The text that a stopped turn leaves in the room. It is cleaned and labelled like a finished
   * reply.
   */
  const leavePartial = (text: string, taint: TurnTaint): { readonly partial?: PartialReply } => {
    if (text === "") return {};
    const label = worthSaying(taint);
    return { partial: { text: outgoing(text, taint), ...(label === undefined ? {} : { label }) } };
  };

  const endIfStuck = async (cellLease: CellLease, over: AbortSignal): Promise<void> => {
    await world.clock.sleep(STOP_MS, over);
    if (!over.aborted) cellLease.accuse("it did not stop when the warden stopped it");
  };

  const attempt: ActivationRun = async (row, lease, signal, tellSpent) => {
    const scope: FrameScope = {
      agent: row.agent,
      room: row.room,
      person: row.person,
      // A child has its own session, which starts with its question only.
      session: row.parent === null ? world.ids.derive("ses", row.room, row.agent) : world.ids.derive("ses", row.id),
      activation: row.id,
    };
    const load = async (): Promise<ReadonlyMap<number, KnownStep>> => {
      const known = await journal.load(scope.activation);
      usage = addUsage(unjournaledUsage(row), usageOf(known.values()));
      tellSpent(usage);
      for (const [step, { name, isDamaged }] of known) if (isDamaged === true) throw damagedStep(step, name);
      return known;
    };
    let usage: Usage = usageOf([]);
    await journal.restart(scope.activation);
    const isFresh = row.started_at === null;
    // The message may have been deleted by a request that could not stop its activation in time. A
    // fresh activation that is about to read the room notices the deletion there.
    if ((!isFresh || row.parent !== null) && (await rooms.isRemoved(scope.room, row.cause))) {
      if (!isFresh) await load();
      return { kind: "stopped", reason: DELETED };
    }
    // The same holds for a stop of the parent.
    if (await children.isOrphan(row)) {
      if (!isFresh) await load();
      return { kind: "stopped", reason: PARENT_STOPPED };
    }
    if (row.crashes >= MAX_DAEMON_DEATHS) {
      await load();
      return givenUp(`Hearth died ${row.crashes} times`);
    }
    const agent = await records.get("agent", row.agent);
    const audience = await options.audienceOf(agent, await records.get("room", row.room));
    pool.warm(agent, audience);
    const talk: CompactionTurn = { row, agent, audience, lease, signal };
    const isHeartbeat = row.trigger === "heartbeat";
    // Children and jobs have no session that could become too long.
    const hasTalk = row.parent === null && !isOfSchedule(row);
    const isCompacted = isFresh && hasTalk && (await compactions.before(talk));
    // It was stopped meanwhile, so nothing of it begins.
    if (isCompacted && signal.aborted) {
      await load();
      return { kind: "stopped" };
    }
    const beginning = await lifecycle.begin(row, agent, audience, lease);
    if (beginning === undefined) return { kind: "stopped", reason: DELETED };
    const { resumed, durable } = beginning;
    let { frozen, input, held } = beginning;
    // Steps that need it await it. If no step gets that far, its failure is the failure that ended
    // them.
    durable.catch(() => {});
    const model = await providers.resolve(frozen.model, frozen.fallback);
    // The gates may already have called a model.
    let known: ReadonlyMap<number, KnownStep> =
      resumed || isCompacted || row.trigger === "ambient" ? await load() : new Map();
    const turn: IntakeTurn = {
      row,
      agent,
      frozen,
      lease,
      durable,
      unheardFrom: unheardFrom(row, known),
      fullAt: undefined,
    };
    const isSameLoop = frozen.loop === LOOP_VERSION;
    const told = isSameLoop ? [] : toHistorySteps(known);
    for (const step of interruptedCalls(known, told.length)) await journal.unknown(lease, scope.activation, step);
    const files = await options.files.open(agent.id);
    const shown = createPartialText();
    let cellDeaths = 0;
    for (;;) {
      const begun = isSameLoop ? input : continueFrom(input, told);
      const length = hasTalk ? { length: await compactions.length(talk, known) } : {};
      if (signal.aborted) return { kind: "stopped" };
      const cellLease = await pool.sit(agent, audience, scope, signal).catch((error: unknown) => {
        cellDeaths += 1;
        // A cell may be killed while it opens, just as later.
        if (signal.aborted || !isHearthError(error, "cell.unavailable") || cellDeaths === MAX_CELL_DEATHS) throw error;
        log.write("warn", "could not open a cell; will retry", { activation: row.id, error });
        return "died" as const;
      });
      if (cellLease === undefined) return { kind: "stopped" };
      if (cellLease === "died") {
        await world.clock.sleep(FIRST_PAUSE_MS * 2 ** (cellDeaths - 1), signal);
        continue;
      }
      const over = new AbortController();
      // Opened again for each cell, with everything that the last cell had read.
      const taint = options.taints.open(scope.activation, held, async (host) => {
        const writes = labels.reaching(host);
        if (writes.length > 0) await options.store.commit({ writes });
      });
      const labels = createResultLabels({
        ...{ table, activation: scope.activation, audience, files, reached: taint.hosts },
        left: {
          began: () => left.began(agent.id, audience),
          folders: () => left.folders(agent.id),
        },
        touched: options.checkpoints.touched,
      });
      try {
        const onStop = (): void =>
          observe(endIfStuck(cellLease, over.signal), options.log, "a cell that did not stop could not be ended", {
            activation: row.id,
          });
        signal.addEventListener("abort", onStop, { signal: over.signal });
        const outcome = await runActivation({
          ...{
            world,
            journal,
            lease,
            chokePoint,
            scope,
            model,
            cellLease,
            durable,
            table,
            offerOf,
            known,
            signal,
            shrink,
          },
          ...{ models: [frozen.model, ...frozen.fallback], resolve: providers.resolve },
          ...{ isChild: row.parent !== null, isHeartbeat },
          // A child's failure is the result of its parent's tool call. Heartbeats and ambient turns
          // may have nothing to say.
          ...{ mayRetry: row.parent === null },
          isAnswerNeeded: row.parent === null && !isHeartbeat && row.trigger !== "ambient",
          silenceMs: options.silenceMs,
          redactions: () => options.session.redactions.get(row.id),
          ...{ input: begun, taint, labels, ...length },
          place: row.parent === null ? scope.room : agent.house,
          intake: (step) => intake(turn, step),
          onHost: (name, input, at) =>
            runHostStep(name, input, {
              ...{ activation: row, agent, audience, lease, ...at, granted: begun.tools, signal },
              ...{
                label: worthSaying(taint),
                outgoing: (text: string) => outgoing(text, taint),
                inside: (text: string) => inside(text, taint),
              },
            }),
          offerEgress() {
            offered.add(scope.activation);
            return egress.offer(scope.activation, agent.id);
          },
          delta(event) {
            // A heartbeat's text is not shown while it streams, because it may turn out to be
            // nothing to say.
            if (isHeartbeat && event.type === "text-delta") return;
            shown.take(event);
            lifecycle.delta(row, event);
          },
          spent: (one) => {
            usage = addUsage(usage, one);
            tellSpent(usage);
          },
        });
        if (outcome.kind === "overflow") {
          const restart = { type: "restart", at: world.clock.now() } as const;
          shown.take(restart);
          lifecycle.delta(row, restart);
          const anew = await compactions.during(talk, frozen);
          if (anew !== undefined)
            ({ frozen, input, held } = await options.context.thaw(row, JSON.stringify(anew), audience));
          known = await load();
          continue;
        }
        if (outcome.kind === "failed" || outcome.kind === "retry")
          return { ...outcome, error: outgoingError(outcome.error, taint) };
        if (outcome.kind === "stopped" || outcome.kind === "waiting")
          return { ...outcome, ...leavePartial(shown.text(), taint) };
        const label = worthSaying(taint);
        const used = shownIn(frozen);
        return label === undefined
          ? { ...outcome, used }
          : { ...outcome, text: (row.parent === null ? outgoing : inside)(outcome.text, taint), used, label };
      } catch (error) {
        if (signal.aborted) return { kind: "stopped", ...leavePartial(shown.text(), taint) };
        if (!isHearthError(error, "cell.lost")) throw error;
        const restart = { type: "restart", at: world.clock.now() } as const;
        shown.take(restart);
        lifecycle.delta(row, restart);
        if (!cellLease.gaveWay()) {
          cellDeaths += 1;
          log.write("warn", "a cell died during an activation; the activation continues in a new cell", {
            activation: row.id,
            error,
          });
        }
      } finally {
        over.abort();
        cellLease.leave();
      }
      const before = finishedSteps(known);
      known = await load();
      if (cellLease.gaveWay()) continue;
      // Only deaths without progress count.
      if (finishedSteps(known) > before) cellDeaths = 1;
      if (cellDeaths >= MAX_CELL_DEATHS) return givenUp(`The cell of this agent died ${cellDeaths} times`);
      await world.clock.sleep(FIRST_PAUSE_MS * 2 ** (cellDeaths - 1), signal);
    }
  };

  return async (row, lease, signal, spent) => {
    const activation = row.id;
    let own = noUsage;
    try {
      return await attempt(row, lease, signal, (usage) => {
        own = usage;
        spent(usage);
      });
    } finally {
      egress.revoke(activation);
      options.taints.close(activation);
      // Programs in its cell may have called models too, in this run or an earlier one.
      if (offered.delete(activation) || row.started_at !== null) spent(addUsage(own, await egress.took(activation)));
    }
  };
};

/** Omits an untainted label, which would otherwise appear in every message. */
const worthSaying = ({ label }: TurnTaint): Label | undefined => (isTainted(label) ? label : undefined);

const shownIn = ({ inbox }: Frozen): readonly InboxId[] => inbox.map(({ id }) => id);

/** The room's head when the activation was parked, unless it has read the later messages since. */
const unheardFrom = ({ parked }: ActivationRow, known: ReadonlyMap<number, KnownStep>): number | undefined => {
  if (parked === null) return undefined;
  const { step, head } = Parked.parse(readJson(parked));
  const hasHeard = [...known].some(([index, { kind }]) => kind === "intake" && index > step);
  return hasHeard ? undefined : head;
};

const damagedStep = (step: number, name: string): HearthError =>
  new HearthError("store.damaged", `The output of step ${step} (${name}) is damaged, so the turn cannot continue.`, {
    hint: "Send the message again. To find other damage: hearth doctor --deep",
  });
