/** Runs a queued activation until its outcome is committed. Retries if the disk or a model fails. */
import { type Kernel, queueKeyOf, type Lease, type Row, type SpanFacts } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import { isHearthError, noUsage, toErrorBody, type Usage } from "@hearth/protocol";
import type { ActivationQueues } from "../queue/activation-queues.ts";
import type { ActivationRows } from "../queue/activation-rows.ts";
import type { Gates } from "../queue/gates.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import type { RunningActivations, Stopper } from "../queue/running-activations.ts";
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from "../recovery/persist-outcome.ts";
import { isDiskRefusal, type Retries, STOPPED } from "../recovery/retries.ts";
import type { ActivationRun } from "./activation-run.ts";
import { type Ended, toStopped } from "./endings/final-state.ts";
import type { Outcome } from "./outcome.ts";
import type { Outcomes } from "./outcomes.ts";

type ActivationRow = Row<"activations">;

export interface RunnerOptions {
  readonly kernel: Pick<Kernel, "world" | "log" | "leases" | "telemetry">;
  readonly leakScan: Pick<LeakScan, "redactError">;
  readonly rows: ActivationRows;
  readonly lanes: Pick<ActivationQueues<ActivationRow>, "putBack">;
  readonly running: RunningActivations;
  /** Whether the agent is halted because its brain was edited by hand. */
  readonly isHalted: (row: ActivationRow) => Promise<boolean>;
  /** The gates of ambient activations. */
  readonly gates: Gates;
  readonly lifecycle: Pick<Lifecycle, "withProgress">;
  readonly retries: Retries;
  readonly outcomes: Outcomes;
  readonly attempt: ActivationRun;
  /** Aborts when the daemon closes. */
  readonly closing: AbortSignal;
}

export interface Runner {
  /** Resolves when the activation ended, waits for a person, or goes back to its lane. */
  run(row: ActivationRow): Promise<void>;
  /** Calls the listener when an activation begins to run. `signal` aborts when the run is over. */
  onRun(listener: (row: ActivationRow, signal: AbortSignal) => void): void;
}

/** One run of an activation, with its present row, lease and usage. */
interface Run {
  row: ActivationRow;
  lease: Lease | undefined;
  usage: Usage;
  readonly stopper: Stopper;
}

/** How a run ended, for telemetry. With `moved`, another daemon continues the activation. */
type Ending = Pick<SpanFacts, "outcome" | "error">;

/** With `over`, the end is already committed. With `postponed`, the activation waits for its retry. */
type AttemptResult = Outcome | Ended | "over" | "postponed";

export const createRunner = (options: RunnerOptions): Runner => {
  const { kernel, leakScan, rows, lanes, running, isHalted, gates, lifecycle, retries, outcomes, attempt, closing } =
    options;
  const { world, log, leases, telemetry } = kernel;
  const listeners: ((row: ActivationRow, signal: AbortSignal) => void)[] = [];

  /** Runs the activation once. Throws `lease.lost`, or an error that ends the activation. */
  const attemptOnce = async (run: Run): Promise<AttemptResult> => {
    const { stopper } = run;
    const { signal } = stopper.abort;
    const id = run.row.id;
    if (run.row.started_at !== null) run.row = await lifecycle.withProgress(run.row);
    await retries.untilDue(run.row, signal);
    // The activation was stopped while it waited for its retry, so there is nothing to run. If the
    // daemon closes, the row stays unchanged.
    if (signal.aborted && (run.row.retry_at > 0 || run.row.crashes > 0)) {
      run.usage = await rows.readUsage(id);
      return stopper.endInstead ?? STOPPED;
    }
    const lease = await leases.acquire(run.row.agent);
    run.lease = lease;
    const gateResult = await gates.pass(run.row, lease, signal);
    if (gateResult.kind === "over") return "over";
    let outcome: Outcome | Ended =
      gateResult.kind === "allowed"
        ? await attempt(gateResult.row, lease, signal, (spent) => (run.usage = spent))
        : gateResult;
    if (outcome.kind === "retry") {
      const retryResult = signal.aborted ? STOPPED : await retries.postpone(run.row, outcome, lease);
      if (retryResult.kind === "over") return "over";
      if (retryResult.kind === "postponed") {
        run.row = retryResult.row;
        return "postponed";
      }
      outcome = retryResult;
    }
    return outcome.kind === "stopped" ? toStopped(outcome, stopper.endInstead) : outcome;
  };

  const waitForDisk = async (run: Run, error: unknown, pauseMs: number): Promise<void> => {
    const { row } = run;
    log.write("error", "the disk refuses writes; an activation waits for it", { activation: row.id, error });
    await world.clock.sleep(pauseMs, run.stopper.abort.signal);
    // A write may have reached the disk although it failed, so the row is read again. `crashes`
    // stays, because a wait is not a crash.
    const currentRow = await rows.find(row.id).catch(() => row);
    run.row = { ...currentRow, crashes: row.crashes };
  };

  const toFailure = ({ row, stopper }: Run, error: unknown): Ended => {
    if (!isHearthError(error)) log.write("error", "an activation broke", { activation: row.id, error });
    return stopper.abort.signal.aborted
      ? (stopper.endInstead ?? { kind: "stopped" })
      : { kind: "failed", error: leakScan.redactError(toErrorBody(error)) };
  };

  /**
   * Runs the activation until its outcome is committed, and returns how the run ended. While the
   * disk refuses writes, the run waits and then resumes from the journal.
   */
  const runUntilStored = async (run: Run, typing: AbortController): Promise<Ending> => {
    const { stopper } = run;
    const { signal } = stopper.abort;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      let outcome: AttemptResult;
      try {
        run.lease = undefined;
        outcome = await attemptOnce(run);
      } catch (error) {
        if (isHearthError(error, "lease.lost")) throw error;
        if (isDiskRefusal(error) && !signal.aborted) {
          await waitForDisk(run, error, pauseMs);
          continue;
        }
        outcome = toFailure(run, error);
      }
      if (outcome === "over") {
        outcomes.notifyOver(run.row.id);
        return { outcome: "over" };
      }
      typing.abort();
      if (outcome === "postponed") {
        pauseMs = FIRST_PAUSE_MS / 2;
        continue;
      }
      await outcomes.persist(run.row, outcome, run.usage, run.lease);
      // The activation was stopped while it began to wait for a decision.
      if (outcome.kind === "waiting" && signal.aborted)
        await outcomes.persist(run.row, toStopped(outcome, stopper.endInstead), run.usage, run.lease);
      return { outcome: outcome.kind, ...(outcome.kind === "failed" ? { error: outcome.error.code } : {}) };
    }
  };

  /** Leaves the activation to another daemon, which holds the agent's lease now. */
  const handOver = (row: ActivationRow, { abort }: Stopper): void => {
    log.write("warn", "another daemon continues an activation", { activation: row.id });
    leases.forget(row.agent);
    abort.abort();
  };

  return {
    async run(row) {
      if (closing.aborted) return;
      const id = row.id;
      const isAgentHalted = running.stopReasonOf(id) === undefined && (await isHalted(row));
      if (closing.aborted) return;
      const stopReason = running.stopReasonOf(id);
      if (stopReason !== undefined) return outcomes.persist(row, { kind: "stopped", ...stopReason }, noUsage);
      if (isAgentHalted) return lanes.putBack(queueKeyOf(row), [row]);
      const stopper = running.begin(row);
      const typing = new AbortController();
      for (const listener of listeners) listener(row, typing.signal);
      const span = telemetry.start("turn", id);
      let ending: Ending = { outcome: "moved" };
      try {
        ending = await runUntilStored({ row, lease: undefined, usage: noUsage, stopper }, typing);
      } catch (error) {
        if (!isHearthError(error, "lease.lost")) throw error;
        handOver(row, stopper);
      } finally {
        typing.abort();
        running.end(row);
        span?.end({ agent: row.agent, room: row.room, trigger: row.trigger, ...ending });
      }
    },
    onRun: (listener) => void listeners.push(listener),
  };
};
