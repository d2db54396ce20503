/** Runs a turn in one cell after another: if a cell ends, the next continues from the journal. */
import type { Context, Frozen } from "../../agents/index.ts";
import type { CellLease } from "../../cells/index.ts";
import { observe } from "../../kernel/index.ts";
import { type InboxId, isHearthError, toErrorBody } from "@hearth/protocol";
import type { SessionLength } from "../compaction/compaction-turn.ts";
import type { Compactions } from "../compaction/compactions.ts";
import { countFinishedSteps, repeatedDeathFailure } from "../recovery/repeated-deaths.ts";
import { MAX_CELL_DEATHS } from "../recovery/retry-policy.ts";
import { type CellRunInputsOptions, createCellRunInputs, type Turn } from "./cell-run-inputs.ts";
import type { Outcome } from "./outcome.ts";
import { runActivation } from "./run.ts";
import { createTurnTexts } from "./turn-texts.ts";

export interface CellRunsOptions extends CellRunInputsOptions {
  readonly context: Context;
  readonly compactions: Compactions;
}

/**
 * With `again`, the activation runs again in another cell. With `lost`, the cell ended. `isFault`
 * is false if the pool closed it to free its slot.
 */
type CellOutcome = Outcome | { readonly kind: "again" } | { readonly kind: "lost"; readonly isFault: boolean };

/** Pause before the second cell. Each later pause is twice as long. */
const FIRST_PAUSE_MS = 200;
/** After a stop, the warden ends a cell that has not stopped within this time. */
const STOP_GRACE_MS = 500;

export interface CellRuns {
  /** Runs the turn until it has an outcome. Throws an error that ends the turn without an outcome. */
  run(turn: Turn): Promise<Outcome>;
}

export const createCellRuns = (options: CellRunsOptions): CellRuns => {
  const { kernel, policy, cells, context, lifecycle, compactions } = options;
  const { world, log, telemetry } = kernel;
  const { clock } = world;
  const { pool } = cells;
  const texts = createTurnTexts(policy.chokePoint.leakScan);
  const inputs = createCellRunInputs(options);

  const endIfStuck = async (cellLease: CellLease, ended: AbortSignal): Promise<void> => {
    await clock.sleep(STOP_GRACE_MS, ended);
    if (!ended.aborted) cellLease.reportViolation("it did not stop when the warden stopped it");
  };

  const pause = ({ cellDeaths, conversation }: Turn): Promise<void> =>
    clock.sleep(FIRST_PAUSE_MS * 2 ** (cellDeaths - 1), conversation.signal);

  /** Notifies the watchers that the text of the reply begins again. */
  const restartReply = ({ conversation, shownReply }: Turn): void => {
    const restart = { type: "restart", at: clock.now() } as const;
    shownReply.add(restart);
    lifecycle.pushDelta(conversation.row, restart);
  };

  /** Returns undefined if the turn was stopped, and `lost` if the cell could not open. */
  const acquire = async (turn: Turn): Promise<CellLease | "lost" | undefined> => {
    const { row, agent, audience, signal } = turn.conversation;
    const span = telemetry.start("cell", row.id);
    try {
      const cellLease = await pool.acquire(agent, audience, turn.scope, signal);
      span?.end({});
      return cellLease;
    } catch (error) {
      span?.end({ error: toErrorBody(error).code });
      turn.cellDeaths += 1;
      if (signal.aborted || !isHearthError(error, "cell.unavailable") || turn.cellDeaths === MAX_CELL_DEATHS)
        throw error;
      log.write("warn", "could not open a cell; will retry", { activation: row.id, error });
      return "lost";
    }
  };

  /** Compacts a session that the model refused as too long, so the next cell gets less history. */
  const shortenSession = async (turn: Turn): Promise<void> => {
    const { row, audience } = turn.conversation;
    restartReply(turn);
    const newFrozen = await compactions.compactDuring(turn.conversation, turn.frozen);
    if (newFrozen !== undefined) {
      const { frozen, input, labelledValues } = await context.thaw(row, JSON.stringify(newFrozen), audience);
      turn.frozen = frozen;
      turn.input = input;
      turn.readValues = labelledValues;
    }
    turn.knownSteps = await turn.steps.load();
  };

  const runInCell = async (turn: Turn, length: SessionLength | undefined): Promise<CellOutcome> => {
    const { row, signal } = turn.conversation;
    const cellLease = await acquire(turn);
    if (cellLease === undefined) return { kind: "stopped" };
    if (cellLease === "lost") {
      await pause(turn);
      return { kind: "again" };
    }
    const controller = new AbortController();
    const turnLabels = inputs.openTaint(turn);
    const { taint } = turnLabels;
    const onStop = (): void =>
      observe(endIfStuck(cellLease, controller.signal), log, "a cell that did not stop could not be ended", {
        activation: row.id,
      });
    signal.addEventListener("abort", onStop, { signal: controller.signal });
    try {
      const outcome = await runActivation(inputs.optionsOf(turn, cellLease, length, turnLabels));
      if (outcome.kind === "overflow") {
        await shortenSession(turn);
        return { kind: "again" };
      }
      return texts.toOutcome(outcome, {
        row,
        taint,
        shownReply: turn.shownReply.text(),
        inboxInPrompt: shownIn(turn.frozen),
      });
    } catch (error) {
      if (signal.aborted) return { kind: "stopped", ...texts.cleanPartial(turn.shownReply.text(), taint) };
      if (!isHearthError(error, "cell.lost")) throw error;
      restartReply(turn);
      const isFault = !cellLease.wasPreempted();
      if (isFault) {
        turn.cellDeaths += 1;
        log.write("warn", "a cell died during an activation; the activation continues in a new cell", {
          activation: row.id,
          error,
        });
      }
      return { kind: "lost", isFault };
    } finally {
      controller.abort();
      cellLease.release();
    }
  };

  return {
    async run(turn) {
      const { conversation, mayCompact } = turn;
      for (;;) {
        const length = mayCompact ? await compactions.measure(conversation, turn.knownSteps) : undefined;
        if (conversation.signal.aborted) return { kind: "stopped" };
        const outcome = await runInCell(turn, length);
        if (outcome.kind === "again") continue;
        if (outcome.kind !== "lost") return outcome;
        const before = countFinishedSteps(turn.knownSteps);
        turn.knownSteps = await turn.steps.load();
        if (!outcome.isFault) continue;
        // Only deaths since the last finished step count.
        if (countFinishedSteps(turn.knownSteps) > before) turn.cellDeaths = 1;
        if (turn.cellDeaths >= MAX_CELL_DEATHS)
          return repeatedDeathFailure(`The cell of this agent died ${turn.cellDeaths} times`);
        await pause(turn);
      }
    },
  };
};

const shownIn = ({ inbox }: Frozen): readonly InboxId[] => inbox.map(({ id }) => id);
