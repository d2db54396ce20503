/** Runs a turn in cells: the next cell continues from the journal when one dies or gives way. */
import type { Context, Frozen } from "../../agents/index.ts";
import type { CellLease } from "../../cells/index.ts";
import { observe } from "../../kernel/index.ts";
import { type InboxId, isHearthError, toErrorBody } from "@hearth/protocol";
import type { SessionLength } from "../compaction/compaction-turn.ts";
import type { Compactions } from "../compaction/compactions.ts";
import { finishedSteps, givenUp } from "../recovery/giving-up.ts";
import { MAX_CELL_DEATHS } from "../recovery/retry-policy.ts";
import { type CellRunInputsOptions, createCellRunInputs, type Turn } from "./cell-run-inputs.ts";
import type { Outcome } from "./outcome.ts";
import { runActivation } from "./run.ts";
import { createTurnTexts } from "./turn-texts.ts";

export interface CellRunsOptions extends CellRunInputsOptions {
  readonly context: Context;
  readonly compactions: Compactions;
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
  const { kernel, policy, cells, context, lifecycle, compactions } = options;
  const { world, log, telemetry } = kernel;
  const { clock } = world;
  const { pool } = cells;
  const texts = createTurnTexts(policy.chokePoint.leaks);
  const inputs = createCellRunInputs(options);

  const endIfStuck = async (cellLease: CellLease, over: AbortSignal): Promise<void> => {
    await clock.sleep(STOP_MS, over);
    if (!over.aborted) cellLease.accuse("it did not stop when the warden stopped it");
  };

  const pause = ({ deaths, talk }: Turn): Promise<void> => clock.sleep(FIRST_PAUSE_MS * 2 ** (deaths - 1), talk.signal);

  /** Notifies the watchers that the reply begins again. */
  const restartReply = ({ talk, shown }: Turn): void => {
    const restart = { type: "restart", at: clock.now() } as const;
    shown.take(restart);
    lifecycle.pushDelta(talk.row, restart);
  };

  /**
   * Undefined when the turn was stopped. `lost`: the cell died while it opened, just as it may
   * later.
   */
  const acquire = async (turn: Turn): Promise<CellLease | "lost" | undefined> => {
    const { row, agent, audience, signal } = turn.talk;
    const span = telemetry.start("cell", row.id);
    try {
      const cellLease = await pool.sit(agent, audience, turn.scope, signal);
      span?.end({});
      return cellLease;
    } catch (error) {
      span?.end({ error: toErrorBody(error).code });
      turn.deaths += 1;
      if (signal.aborted || !isHearthError(error, "cell.unavailable") || turn.deaths === MAX_CELL_DEATHS) throw error;
      log.write("warn", "could not open a cell; will retry", { activation: row.id, error });
      return "lost";
    }
  };

  /** The model refuses the session as too long, so the next cell gets less history. */
  const shortenSession = async (turn: Turn): Promise<void> => {
    const { row, audience } = turn.talk;
    restartReply(turn);
    const anew = await compactions.during(turn.talk, turn.frozen);
    if (anew !== undefined) {
      const { frozen, input, held } = await context.thaw(row, JSON.stringify(anew), audience);
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
    const controller = new AbortController();
    const reading = inputs.openTaint(turn);
    const { taint } = reading;
    const onStop = (): void =>
      observe(endIfStuck(cellLease, controller.signal), log, "a cell that did not stop could not be ended", {
        activation: row.id,
      });
    signal.addEventListener("abort", onStop, { signal: controller.signal });
    try {
      const outcome = await runActivation(inputs.optionsOf(turn, cellLease, length, reading));
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
      controller.abort();
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
