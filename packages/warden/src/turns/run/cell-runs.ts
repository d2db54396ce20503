/** Runs a turn in cells: the next cell continues from the journal when one dies or gives way. */
import type { Agents, Context, Frozen } from "../../agents/index.ts";
import { shrink } from "../../agents/lazy.ts";
import type { CellLease, Cells } from "../../cells/index.ts";
import { type Kernel, observe } from "../../kernel/index.ts";
import type { Catalog, Models } from "../../models/index.ts";
import type { FileLabels, LabelledValue, OpenTurnTaint, Policy } from "../../policy/index.ts";
import {
  type ActivationId,
  type ActivationInput,
  type FrameScope,
  type InboxId,
  isHearthError,
} from "@hearth/protocol";
import type { CompactionTurn, SessionLength } from "../compaction/compaction-turn.ts";
import type { Compactions } from "../compaction/compactions.ts";
import { createLeftRunning } from "../queue/left-running.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import { finishedSteps, givenUp } from "../recovery/giving-up.ts";
import { MAX_CELL_DEATHS } from "../recovery/retry-policy.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { RunHostStep } from "./host-steps.ts";
import type { Intake, IntakeTurn } from "./intake.ts";
import type { Outcome } from "./outcome.ts";
import type { PartialText } from "./partial-reply.ts";
import { createResultLabels, type ResultLabels } from "./result-labels.ts";
import type { RunOptions } from "./run-options.ts";
import { runActivation } from "./run.ts";
import type { KnownSteps, TurnSteps } from "./turn-steps.ts";
import { createTurnTexts, labelToShow } from "./turn-texts.ts";

export interface CellRunsOptions {
  readonly kernel: Kernel;
  readonly models: Models;
  readonly policy: Policy;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly context: Context;
  readonly checkpoints: Pick<Checkpoints, "touched">;
  readonly lifecycle: Pick<Lifecycle, "delta">;
  readonly intake: Intake;
  readonly compactions: Compactions;
  readonly runHostStep: RunHostStep;
  /** Receives the activations whose programs got access to the network. */
  readonly offered: Set<ActivationId>;
}

/** A turn that has begun. The fields that a cell's run changes are not readonly. */
export interface Turn {
  readonly talk: CompactionTurn;
  readonly scope: FrameScope;
  readonly steps: TurnSteps;
  /** Whether it has a session that could become too long. */
  readonly hasTalk: boolean;
  readonly model: Awaited<ReturnType<Catalog["resolve"]>>;
  /** Resolves when its beginning is on disk. */
  readonly durable: Promise<void>;
  readonly files: FileLabels;
  /** The reply as its readers have seen it. */
  readonly shown: PartialText;
  /** The input for a new cell, with what an earlier version of the loop did. */
  readonly toInput: (input: ActivationInput) => ActivationInput;
  readonly intake: IntakeTurn;
  frozen: Frozen;
  input: ActivationInput;
  held: readonly LabelledValue[];
  known: KnownSteps;
  /** How many cells died since it last made progress. */
  deaths: number;
}

/** `again`: the next cell continues. `lost`: its cell died. */
type CellOutcome = Outcome | { readonly kind: "again" } | { readonly kind: "lost"; readonly isFault: boolean };

/** Pause before the second cell. Each later pause is twice as long. */
const FIRST_PAUSE_MS = 200;
/** How long a stopped activation may take to end before its cell is closed. */
const STOP_MS = 500;

export interface CellRuns {
  /** Runs the turn to its outcome. Throws what ends it without one. */
  run(turn: Turn): Promise<Outcome>;
}

export const createCellRuns = (options: CellRunsOptions): CellRuns => {
  const { kernel, models, policy, cells, agents, lifecycle, compactions, runHostStep, offered } = options;
  const { world, log, store } = kernel;
  const { clock } = world;
  const { chokePoint, taints } = policy;
  const { egress, pool } = cells;
  const { table } = agents;
  const silenceMs = kernel.config.current().cells.silenceSeconds * 1000;
  const texts = createTurnTexts(chokePoint.leaks);
  const left = createLeftRunning(pool);

  const endIfStuck = async (cellLease: CellLease, over: AbortSignal): Promise<void> => {
    await clock.sleep(STOP_MS, over);
    if (!over.aborted) cellLease.accuse("it did not stop when the warden stopped it");
  };

  const pause = ({ deaths, talk }: Turn): Promise<void> => clock.sleep(FIRST_PAUSE_MS * 2 ** (deaths - 1), talk.signal);

  /** Notifies the watchers that the reply begins again. */
  const restartReply = ({ talk, shown }: Turn): void => {
    const restart = { type: "restart", at: clock.now() } as const;
    shown.take(restart);
    lifecycle.delta(talk.row, restart);
  };

  /**
   * Undefined when the turn was stopped. `lost`: the cell died while it opened, just as it may
   * later.
   */
  const acquire = async (turn: Turn): Promise<CellLease | "lost" | undefined> => {
    const { row, agent, audience, signal } = turn.talk;
    try {
      return await pool.sit(agent, audience, turn.scope, signal);
    } catch (error) {
      turn.deaths += 1;
      if (signal.aborted || !isHearthError(error, "cell.unavailable") || turn.deaths === MAX_CELL_DEATHS) throw error;
      log.write("warn", "could not open a cell; will retry", { activation: row.id, error });
      return "lost";
    }
  };

  /** Opened again for each cell, with everything that the last cell had read. */
  const openTaint = (turn: Turn): { readonly taint: OpenTurnTaint; readonly labels: ResultLabels } => {
    const { agent, audience } = turn.talk;
    const { activation } = turn.scope;
    const taint = taints.open(activation, turn.held);
    const labels = createResultLabels({
      table,
      activation,
      audience,
      files: turn.files,
      reached: taint.hosts,
      left: {
        began: () => left.began(agent.id, audience),
        folders: () => left.folders(agent.id),
      },
      touched: options.checkpoints.touched,
    });
    taints.onReach(activation, async (host) => {
      const writes = labels.reaching(host);
      if (writes.length > 0) await store.commit({ writes });
    });
    return { taint, labels };
  };

  /** The calls of one cell's run to the warden. */
  const callsOf = (turn: Turn, taint: OpenTurnTaint, input: ActivationInput): RunOptions["calls"] => {
    const { row, agent, audience, lease, signal } = turn.talk;
    const isHeartbeat = row.trigger === "heartbeat";
    return {
      intake: (step) => options.intake(turn.intake, step),
      onHost: (name, given, at) =>
        runHostStep(name, given, {
          ...at,
          activation: row,
          agent,
          audience,
          lease,
          granted: input.tools,
          signal,
          label: labelToShow(taint),
          outgoing: (text: string) => texts.outgoing(text, taint),
          inside: (text: string) => texts.inside(text, taint),
        }),
      offerEgress() {
        offered.add(turn.scope.activation);
        return egress.offer(turn.scope.activation, agent.id);
      },
      redactions: () => agents.session.redactions.get(row.id),
      shrink,
      delta(event) {
        // A heartbeat's text is not shown while it streams, because it may turn out to be nothing
        // to say.
        if (isHeartbeat && event.type === "text-delta") return;
        turn.shown.take(event);
        lifecycle.delta(row, event);
      },
      spent: turn.steps.spend,
    };
  };

  const optionsOf = (
    turn: Turn,
    cellLease: CellLease,
    length: SessionLength | undefined,
    { taint, labels }: Pick<RunOptions, "taint" | "labels">,
  ): RunOptions => {
    const { row, agent, lease, signal } = turn.talk;
    const { frozen, scope } = turn;
    const input = turn.toInput(turn.input);
    const isChild = row.parent !== null;
    const isHeartbeat = row.trigger === "heartbeat";
    return {
      kernel,
      chokePoint,
      turn: {
        scope,
        lease,
        signal,
        durable: turn.durable,
        place: isChild ? agent.house : scope.room,
        isChild,
        isHeartbeat,
        // A child's failure is the result of its parent's tool call. Heartbeats and ambient turns
        // may have nothing to say.
        mayRetry: !isChild,
        isAnswerNeeded: !isChild && !isHeartbeat && row.trigger !== "ambient",
        silenceMs,
      },
      input,
      model: { ...turn.model, names: [frozen.model, ...frozen.fallback], resolve: models.providers.resolve },
      cellLease,
      known: turn.known,
      taint,
      labels,
      table,
      calls: callsOf(turn, taint, input),
      ...(length === undefined ? {} : { length }),
    };
  };

  /** The model refuses the session as too long, so the next cell gets less history. */
  const shortenSession = async (turn: Turn): Promise<void> => {
    const { row, audience } = turn.talk;
    restartReply(turn);
    const anew = await compactions.during(turn.talk, turn.frozen);
    if (anew !== undefined) {
      const { frozen, input, held } = await options.context.thaw(row, JSON.stringify(anew), audience);
      Object.assign(turn, { frozen, input, held });
    }
    turn.known = await turn.steps.load();
  };

  const runInCell = async (turn: Turn, length: SessionLength | undefined): Promise<CellOutcome> => {
    const { row, signal } = turn.talk;
    const cellLease = await acquire(turn);
    if (cellLease === undefined) return { kind: "stopped" };
    if (cellLease === "lost") {
      await pause(turn);
      return { kind: "again" };
    }
    const over = new AbortController();
    const reading = openTaint(turn);
    const { taint } = reading;
    const onStop = (): void =>
      observe(endIfStuck(cellLease, over.signal), log, "a cell that did not stop could not be ended", {
        activation: row.id,
      });
    signal.addEventListener("abort", onStop, { signal: over.signal });
    try {
      const outcome = await runActivation(optionsOf(turn, cellLease, length, reading));
      if (outcome.kind === "overflow") {
        await shortenSession(turn);
        return { kind: "again" };
      }
      return texts.toOutcome(outcome, { row, taint, shown: turn.shown.text(), used: shownIn(turn.frozen) });
    } catch (error) {
      if (signal.aborted) return { kind: "stopped", ...texts.leavePartial(turn.shown.text(), taint) };
      if (!isHearthError(error, "cell.lost")) throw error;
      restartReply(turn);
      const isFault = !cellLease.gaveWay();
      if (isFault) {
        turn.deaths += 1;
        log.write("warn", "a cell died during an activation; the activation continues in a new cell", {
          activation: row.id,
          error,
        });
      }
      return { kind: "lost", isFault };
    } finally {
      over.abort();
      cellLease.leave();
    }
  };

  return {
    async run(turn) {
      const { talk, hasTalk } = turn;
      for (;;) {
        const length = hasTalk ? await compactions.length(talk, turn.known) : undefined;
        if (talk.signal.aborted) return { kind: "stopped" };
        const outcome = await runInCell(turn, length);
        if (outcome.kind === "again") continue;
        if (outcome.kind !== "lost") return outcome;
        const before = finishedSteps(turn.known);
        turn.known = await turn.steps.load();
        if (!outcome.isFault) continue;
        // Only deaths without progress count.
        if (finishedSteps(turn.known) > before) turn.deaths = 1;
        if (turn.deaths >= MAX_CELL_DEATHS) return givenUp(`The cell of this agent died ${turn.deaths} times`);
        await pause(turn);
      }
    },
  };
};

const shownIn = ({ inbox }: Frozen): readonly InboxId[] => inbox.map(({ id }) => id);
