/**
 * Runs the tool calls of an activation. Each call passes the choke point and is journaled before it
 * takes effect, and its result is added to the activation's taint.
 */
import type { JournaledStep, OpenSpan } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import {
  type ActivationId,
  type CitableFile,
  type Clock,
  HearthError,
  type InmateFrame,
  type Label,
  type Part,
  type ToolCall,
  type DeltaEvent,
} from "@hearth/protocol";
import { callTimeoutMs, type EffectClass, findTool, type ToolDeclaration } from "@hearth/protocol/tools";
import { toToolEnd } from "./tool-end-preview.ts";
import type { StepOrder } from "../queue/step-order.ts";
import type { ResultFrames } from "./result-frames.ts";
import { type Outcome, toOutcome } from "./outcome.ts";
import type { RunOptions } from "./run-options.ts";
import { readToolStep, type ToolStep, writeToolStep } from "./step-output.ts";
import { filesOfStep, type TurnFiles } from "./turn-files.ts";
import type { TurnInbox } from "./turn-inbox.ts";

export interface ToolSteps {
  /** Starts or answers a tool call. Returns an outcome if the activation cannot continue. */
  request(frame: Extract<InmateFrame, { type: "step-request" }>): Promise<Outcome | undefined>;
  /** Records the result of a call that the cell ran. Throws `cell.protocol` for any other step. */
  recordDone(frame: Extract<InmateFrame, { type: "step-done" }>): Promise<void>;
  /** Number of calls that run in the cell. */
  runningCount(): number;
  /** Number of the activation's calls, including those of earlier runs. */
  totalCount(): number;
  /** The longest timeout of the calls that run in the cell. */
  longestTimeoutMs(): number;
}

export interface ToolStepsOptions {
  readonly run: RunOptions;
  readonly order: Pick<StepOrder, "checkToolCall">;
  readonly frames: Pick<ResultFrames, "recordLabel">;
  readonly files: Pick<TurnFiles, "addResult">;
  readonly inbox: Pick<TurnInbox, "sendReceived" | "sendPermanent">;
  /** Receives the promise of each background write. */
  readonly onWrite: (write: Promise<void>) => void;
}

interface RunningCall {
  readonly tool: ToolDeclaration;
  readonly call: ToolCall;
  readonly startedAtMs: number;
  readonly span: OpenSpan | undefined;
}

export const createToolSteps = (options: ToolStepsOptions): ToolSteps => {
  const { order, frames, files, inbox, onWrite } = options;
  const { chokePoint, turn, input, cellLease, knownSteps, taint, labels, table, calls } = options.run;
  const { world, journal, telemetry } = options.run.kernel;
  const { scope, lease, signal, place } = turn;
  const { activation, agent } = scope;
  const { leakScan } = chokePoint;
  const display = createCallDisplay({ clock: world.clock, pushDelta: calls.pushDelta, leakScan });
  const runningCalls = new Map<number, RunningCall>();
  const callSteps = new Set([...knownSteps].flatMap(([step, { kind }]) => (kind === "tool" ? [step] : [])));
  /** Requested tool calls, in order. */
  const requestedCalls: ToolCall[] = [];
  /** Number of tool calls that other activations made on this one's behalf. */
  let delegatedCount = 0;
  // Each call takes a round, and the answer takes one.
  const maxToolCalls = input.maxRounds - 1;

  const end = (run: RunningCall, text: string, failed: boolean): void => {
    endSpan(run, failed);
    display.showEnd(run, text, failed);
  };

  /** Answers a call that does not run, because it is in the journal or was refused. */
  const answer = (step: number, call: ToolCall, text: string, failed: boolean, ...resultFiles: FilesOfResult): void => {
    display.showAnswered(call, text, failed);
    files.addResult(...resultFiles);
    cellLease.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
  };

  const runOnHost = async (step: number, run: RunningCall): Promise<Outcome | undefined> => {
    const remaining = Math.max(0, maxToolCalls - requestedCalls.length - delegatedCount);
    // Releases the cell while the call runs on the host, because the call may need a cell too and
    // holding this one could deadlock.
    const resume = cellLease.pause();
    const outcome = await calls.runOnHost(run.tool.name, run.call.input, { step, remaining }).finally(resume);
    if (outcome.usage !== undefined) calls.addUsage(outcome.usage);
    if (signal.aborted) return { kind: "stopped" };
    const { text, failed, parts, cites, toolCalls = 0 } = outcome;
    files.addResult(parts, cites);
    delegatedCount += toolCalls;
    recordResult(run.call, text, outcome.label);
    await inbox.sendPermanent(outcome.files ?? []);
    end(run, text, failed);
    cellLease.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
    return undefined;
  };

  const recordResult = (call: ToolCall, text: string, label: Label): void => {
    taint.add({ text, label });
    frames.recordLabel(call, label);
  };

  /** Answers a call from the journal. Returns false if the call was interrupted and may run again. */
  const replay = async (step: number, call: ToolCall, journaledStep: JournaledStep): Promise<boolean> => {
    if (journaledStep.output !== undefined) {
      const { text, failed, parts, cites, toolCalls = 0 } = readToolStep(journaledStep.output);
      delegatedCount += toolCalls;
      recordResult(call, text, journaledStep.label ?? labels.of(call));
      answer(step, call, text, failed, parts, cites);
      return true;
    }
    if (REPEATABLE_EFFECTS.has(journaledStep.effect)) return false;
    await journal.markUnknown(lease, activation, step);
    answer(step, call, OUTCOME_UNKNOWN, true);
    return true;
  };

  /** Lets the inmate run the call, after sending the files and network access that the tool needs. */
  const runInCell = async (
    step: number,
    run: RunningCall,
    { again, atRoot }: { readonly again: boolean; readonly atRoot: boolean },
  ): Promise<void> => {
    runningCalls.set(step, run);
    const { timeoutMs, traits, workspace } = run.tool;
    if (workspace !== "none") await inbox.sendReceived();
    const egress = traits.acts ? await calls.offerEgress() : undefined;
    cellLease.send({
      type: "step-result",
      ...scope,
      step,
      result: {
        verdict: "run",
        timeoutMs,
        key: `${activation}/${step}`,
        again,
        ...(atRoot ? { atRoot } : {}),
        ...(egress === undefined ? {} : { egress }),
      },
    });
  };

  return {
    runningCount: () => runningCalls.size,
    totalCount: () => callSteps.size,
    longestTimeoutMs: () =>
      Math.max(0, ...[...runningCalls.values()].map(({ tool, call }) => callTimeoutMs(tool, call.input))),

    async request({ step, call }) {
      order.checkToolCall(step, call.name);
      const journaledStep = knownSteps.get(step);
      const earlierCalls = [...requestedCalls];
      requestedCalls.push(call);
      callSteps.add(step);
      if (journaledStep?.kind === "tool" && (await replay(step, call, journaledStep))) return undefined;
      const tool = findTool(table, call.name);
      const start = toStepStart(activation, step, call, tool?.effect);
      const verdict = await chokePoint.pass(
        {
          kind: "tool",
          activation,
          agent: { id: agent, handle: input.agent.handle },
          place,
          step,
          effect: start.effect,
          signal,
          call,
          granted: input.tools,
          earlier: earlierCalls,
          delegated: delegatedCount,
          maxToolCalls,
          taint: taint.taintOf(call),
        },
        (sameCommit) => journal.startStep(lease, start, sameCommit),
      );
      if (verdict.verdict === "refused" || tool === undefined) {
        const unknownTool = { text: `There is no tool ${call.name}.`, stage: undefined };
        const { text, stage: refusedBy } = verdict.verdict === "refused" ? verdict : unknownTool;
        // A refusal has no effect, whatever the effect class of the refused tool.
        await journal.recordStep(lease, { ...start, effect: "pure", refusedBy }, writeToolStep({ text, failed: true }));
        answer(step, call, text, true);
        return undefined;
      }
      if (verdict.verdict !== "allowed") return toOutcome(step, verdict);
      const span = telemetry.start("tool", activation);
      const run: RunningCall = { tool, call, startedAtMs: world.clock.monotonic(), span };
      display.showStart(call);
      if (tool.runs === "host") return runOnHost(step, run);
      await runInCell(step, run, { again: journaledStep !== undefined, atRoot: verdict.byPerson === true });
      return undefined;
    },

    async recordDone({ step, failed, image, text: rawText }) {
      const run = runningCalls.get(step);
      if (run === undefined)
        throw new HearthError("cell.protocol", `The inmate finished step ${step}, which the warden did not start.`);
      runningCalls.delete(step);
      const { text: textWithNote, cites } = await calls.addCitation(run, { text: rawText, failed });
      const text = leakScan.redactResult(textWithNote);
      const label = labels.of(run.call);
      recordResult(run.call, text, label);
      const picture = image === undefined ? undefined : await calls.storePicture(image, run.tool.name);
      const stepFiles = toStepFiles(picture, cites);
      files.addResult(stepFiles.parts, cites);
      const writes = [...labels.labelWritten(run.call, taint.label), ...filesOfStep(activation, step, stepFiles.parts)];
      const stepEnd = { label, writes, effect: run.tool.effect };
      onWrite(journal.endStep(lease, activation, step, writeToolStep({ text, failed, ...stepFiles }), stepEnd));
      end(run, text, failed);
    },
  };
};

const endSpan = ({ tool, span }: RunningCall, failed: boolean): void => {
  const place = tool.runs === "host" ? "host" : "cell";
  span?.end({ tool: tool.name, place, ...(failed ? { error: "tool" } : {}) });
};

interface CallDisplayOptions {
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly pushDelta: (event: DeltaEvent) => void;
  readonly leakScan: Pick<LeakScan, "redactJson">;
}

/** Shows the calls to the watchers, without secrets. */
const createCallDisplay = ({ clock, pushDelta, leakScan }: CallDisplayOptions) => {
  const pushStart = (at: number, { id, name, input }: ToolCall): void =>
    pushDelta({
      type: "tool-start",
      at,
      call: id,
      name,
      input: JSON.parse(leakScan.redactJson(JSON.stringify(input))),
    });

  return {
    showStart: (call: ToolCall): void => pushStart(clock.now(), call),

    showEnd: ({ call, tool, startedAtMs }: RunningCall, text: string, failed: boolean): void =>
      pushDelta(
        toToolEnd({
          at: clock.now(),
          call: call.id,
          name: tool.name,
          failed,
          text,
          durationMs: clock.monotonic() - startedAtMs,
        }),
      ),

    /** Shows a call that ended at once, because it did not run. */
    showAnswered(call: ToolCall, text: string, failed: boolean): void {
      const at = clock.now();
      pushStart(at, call);
      pushDelta(toToolEnd({ at, call: call.id, name: call.name, failed, text, durationMs: 0 }));
    },
  };
};

type FilesOfResult = Parameters<TurnFiles["addResult"]>;

/** Returns the files of a result, as its step stores them. */
const toStepFiles = (
  picture: Part | undefined,
  cites: CitableFile[] | undefined,
): Pick<ToolStep, "parts" | "cites"> => ({
  ...(picture === undefined ? {} : { parts: [picture] }),
  ...(cites === undefined ? {} : { cites }),
});

/** Returns the journal's entry for the start of a call. A call of an unknown tool has no effect. */
const toStepStart = (activation: ActivationId, step: number, call: ToolCall, effect: EffectClass = "pure") =>
  ({
    activation,
    step,
    kind: "tool",
    name: call.name,
    input: JSON.stringify(call.input),
    effect,
  }) as const;

/**
 * Effect classes whose calls may run again after an interruption: the call has no effect, has an
 * idempotency key, or checks first whether it is done.
 */
const REPEATABLE_EFFECTS: ReadonlySet<EffectClass> = new Set(["pure", "keyed", "reconcilable"]);

const OUTCOME_UNKNOWN =
  "Hearth was interrupted during this call, so its outcome is unknown. Check before you do it again, and tell the user.";
