/**
 * Runs one activation: the first rounds in the warden, later rounds in an inmate. Each request of
 * the loop passes the choke point and is journaled before it takes effect. A step that is already
 * in the journal is answered from the journal, so the same code runs and resumes activations.
 */
import { HearthError, type InmateFrame, isHearthError } from "@hearth/protocol";
import { createSilenceTimeout } from "../queue/silence-timeout.ts";
import { createStepOrder } from "../queue/step-order.ts";
import { createDeferredFinalWrite, type DeferredFinalWrite } from "./deferred-final-write.ts";
import { createModelSteps } from "./model-steps.ts";
import type { Outcome, Overflow } from "./outcome.ts";
import { type ToolCallDue, runFirstRounds } from "./first-rounds.ts";
import { toCellInput } from "./request-history.ts";
import { createResultFrames } from "./result-frames.ts";
import type { RunOptions } from "./run-options.ts";
import { createTurnFiles } from "./turn-files.ts";
import { createTurnInbox } from "./turn-inbox.ts";
import { createToolSteps, type ToolSteps } from "./tool-steps.ts";

export type { Outcome } from "./outcome.ts";

type Finish = Extract<InmateFrame, { type: "finish" }>;

/** Runs until there is an outcome. Throws `cell.lost` if the cell dies. Another run may continue. */
export const runActivation = async (options: RunOptions): Promise<Outcome | Overflow> => {
  const steps = createSteps(options);
  try {
    const firstResult = await steps.begin();
    return firstResult.kind === "calls-tool" ? await runInCell(options, steps, firstResult) : firstResult;
  } finally {
    steps.finalWrite.flush();
  }
};

/** Continues the loop in the cell, from the first tool call on. */
const runInCell = async (
  { kernel, turn, input, cellLease }: RunOptions,
  { handle, tools }: Steps,
  { answers }: ToolCallDue,
): Promise<Outcome | Overflow> => {
  const { scope, signal } = turn;
  let isSilent = false;

  const stop = (): void => cellLease.send({ type: "stop", ...scope });
  signal.addEventListener("abort", stop, { once: true });
  const graceMs = Math.min(turn.silenceMs, TOOL_GRACE_MS);
  using silence = createSilenceTimeout({
    clock: kernel.world.clock,
    graceMs,
    onSilence() {
      // If a tool was running, the activation continues in a new cell, where the outcome of the
      // call is unknown. Otherwise the inmate itself is stuck, and the activation fails.
      isSilent = tools.runningCount() === 0;
      cellLease.reportViolation(isSilent ? SILENT_REASON : OVERRUN_REASON);
    },
  });
  const startTimeout = (): void => {
    silence.start(tools.runningCount() === 0 ? turn.silenceMs : tools.longestTimeoutMs() + graceMs);
  };
  try {
    cellLease.send({ type: "activate", ...scope, input: toCellInput(input), answers });
    if (signal.aborted) stop();
    startTimeout();
    for await (const frame of cellLease.frames) {
      silence.stop();
      const outcome = await handle(frame);
      if (outcome !== undefined) {
        if (frame.type !== "finish") stop();
        return outcome;
      }
      startTimeout();
    }
    throw new HearthError("cell.lost", "The cell was closed while the turn was running.");
  } catch (error) {
    // The cell gets no further answers, so the turn must end in the cell too.
    stop();
    if (isHearthError(error, "cell.protocol")) cellLease.reportViolation(error.message);
    if (isSilent && isHearthError(error, "cell.lost"))
      throw new HearthError("cell.silent", `The agent's cell failed: ${SILENT_REASON}.`, {
        hint: "Send your message again.",
        cause: error,
      });
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

interface Steps {
  readonly finalWrite: DeferredFinalWrite;
  readonly tools: ToolSteps;
  /** Runs the rounds before the first tool call. */
  begin(): Promise<ToolCallDue | Outcome | Overflow>;
  /** Returns an outcome when the activation is over or cannot continue. */
  handle(frame: InmateFrame): Promise<Outcome | Overflow | undefined>;
}

const createSteps = (options: RunOptions): Steps => {
  const { kernel, chokePoint, turn, input, knownSteps, table, cellLease, calls, labels, taint } = options;
  const { world, journal } = kernel;
  const { scope, lease, signal, startCommitted } = turn;
  /** First error from a background write. */
  let failure: unknown;
  const onWrite = (write: Promise<void>): void => {
    write.catch((error: unknown) => {
      failure ??= error;
    });
  };
  const order = createStepOrder(input, knownSteps);
  const frames = createResultFrames({ world, session: scope.session, table });
  const finalWrite = createDeferredFinalWrite({ journal, lease, activation: scope.activation, onWrite });
  const files = createTurnFiles(scope.room, input.history);
  const inbox = createTurnInbox({
    scope,
    history: input.history,
    cellLease,
    clock: world.clock,
    readFile: calls.readFile,
    openFile: calls.openFile,
    signal,
    labelReceived: (paths) => calls.storeLabels(labels.labelReceived(paths, taint.label)),
    labelPermanent: (paths) => calls.storeLabels(labels.labelPermanent(paths, taint.label)),
  });
  const models = createModelSteps({ run: options, order, frames, files, inbox, finalWrite });
  const tools = createToolSteps({ run: options, order, frames, files, inbox, onWrite });

  const untilReady = async (): Promise<void> => {
    await startCommitted;
    if (failure !== undefined) throw failure;
  };

  const reply = async (text: string): Promise<Outcome> => {
    order.checkReply(text, tools.runningCount());
    const stepWrites = await finalWrite.planWrites();
    const citations = files.citationsIn(text);
    // The labels are removed in the commit of the last step. In a separate commit, the audit log
    // would record the removal as a person's decision.
    const lastWrites = stepWrites.length === 0 ? stepWrites : [...stepWrites, ...labels.unlabelReceived()];
    const toolCalls = tools.totalCount();
    return { kind: "reply", text, toolCalls, lastWrites, ...(citations.length === 0 ? {} : { citations }) };
  };

  const finish = async ({ outcome }: Finish): Promise<Outcome | Overflow> => {
    if (signal.aborted) return { kind: "stopped" };
    if (outcome.kind === "failed" && models.hasOverflowed()) return { kind: "overflow" };
    if (outcome.kind === "failed") return { kind: "failed", error: chokePoint.leakScan.redactError(outcome.error) };
    if (outcome.kind === "stopped") return outcome;
    return reply(outcome.text);
  };

  const request = async (frame: Extract<InmateFrame, { type: "model-request" }>): Promise<Outcome | undefined> => {
    const answer = await models.request(frame);
    if (answer.kind !== "answer") return answer;
    cellLease.send({ type: "model-result", ...scope, step: frame.step, result: answer.result });
    return undefined;
  };

  return {
    finalWrite,
    tools,
    begin: () => runFirstRounds({ input, signal, leakScan: chokePoint.leakScan, models, untilReady, reply }),
    async handle(frame) {
      await untilReady();
      if (frame.type !== "finish") finalWrite.flush();
      switch (frame.type) {
        case "hello":
          return undefined; // The pool handles it.
        case "model-request":
          return signal.aborted ? undefined : request(frame);
        case "step-request":
          return signal.aborted ? undefined : tools.request(frame);
        case "step-done":
          await tools.recordDone(frame);
          return undefined;
        case "finish":
          return finish(frame);
      }
    },
  };
};

const SILENT_REASON = "it stopped responding";
const OVERRUN_REASON = "it did not end a tool call in time";
/** How long an inmate may take to end a tool call after the call's own timeout. */
const TOOL_GRACE_MS = 30_000;
