/**
 * Runs the tool calls of an activation. Each call passes the choke point and is journaled before it
 * takes effect, and its result is added to the activation's taint.
 */
import type { KnownStep, OpenSpan } from "../../kernel/index.ts";
import {
  type ActivationId,
  type CitableFile,
  HearthError,
  type InmateFrame,
  type Label,
  type Part,
  type ToolCall,
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
  done(frame: Extract<InmateFrame, { type: "step-done" }>): Promise<void>;
  /** Number of calls that run in the cell. */
  running(): number;
  /** The longest timeout of the calls that run in the cell. */
  longestMs(): number;
}

export interface ToolStepsOptions {
  readonly run: RunOptions;
  readonly order: Pick<StepOrder, "checkToolCall">;
  readonly frames: Pick<ResultFrames, "recordLabel">;
  readonly files: Pick<TurnFiles, "addResult">;
  readonly inbox: Pick<TurnInbox, "fill" | "keep">;
  /** Receives the promise of each background write. */
  readonly onWrite: (write: Promise<void>) => void;
}

interface Running {
  readonly tool: ToolDeclaration;
  readonly call: ToolCall;
  readonly since: number;
  readonly span: OpenSpan | undefined;
}

export const createToolSteps = (options: ToolStepsOptions): ToolSteps => {
  const { order, frames, files, inbox, onWrite } = options;
  const { chokePoint, turn, input, cellLease, known, taint, labels, table, calls } = options.run;
  const { world, journal, telemetry } = options.run.kernel;
  const { scope, lease, signal, place } = turn;
  const { pushDelta } = calls;
  const { activation, agent } = scope;
  const { leakScan } = chokePoint;
  const running = new Map<number, Running>();
  /** Requested tool calls, in order. */
  const earlier: ToolCall[] = [];
  /** Tool calls that other activations made on its behalf. */
  let delegated = 0;
  // Each call takes a round, and the answer takes one.
  const maxToolCalls = input.maxRounds - 1;

  const showEnd = ({ call, tool, since, span }: Running, text: string, failed: boolean): void => {
    const place = tool.runs === "host" ? "host" : "cell";
    span?.end({ tool: tool.name, place, ...(failed ? { error: "tool" } : {}) });
    const { now, monotonic } = world.clock;
    pushDelta(toToolEnd({ at: now(), call: call.id, name: tool.name, failed, text, durationMs: monotonic() - since }));
  };

  /** Shows the call to the watchers, without secrets. */
  const showStart = (at: number, { id, name, input }: ToolCall): void =>
    pushDelta({
      type: "tool-start",
      at,
      call: id,
      name,
      input: JSON.parse(leakScan.redactJson(JSON.stringify(input))),
    });

  /** Answers a call that does not run, because it is in the journal or was refused. */
  const answer = (step: number, call: ToolCall, text: string, failed: boolean, ...added: FilesOfResult): void => {
    const at = world.clock.now();
    showStart(at, call);
    pushDelta(toToolEnd({ at, call: call.id, name: call.name, failed, text, durationMs: 0 }));
    files.addResult(...added);
    cellLease.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
  };

  const runOnHost = async (step: number, run: Running): Promise<Outcome | undefined> => {
    const remaining = Math.max(0, maxToolCalls - earlier.length - delegated);
    // Releases the cell while the call runs on the host, because the call may need a cell too and
    // holding this one could deadlock.
    const resume = cellLease.pause();
    const outcome = await calls.runOnHost(run.tool.name, run.call.input, { step, remaining }).finally(resume);
    if (outcome.usage !== undefined) calls.addUsage(outcome.usage);
    if (signal.aborted) return { kind: "stopped" };
    const { text, failed, parts, cites, toolCalls = 0 } = outcome;
    files.addResult(parts, cites);
    delegated += toolCalls;
    recordResult(run.call, text, outcome.label);
    await inbox.keep(outcome.files ?? []);
    showEnd(run, text, failed);
    cellLease.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
    return undefined;
  };

  const recordResult = (call: ToolCall, text: string, label: Label): void => {
    taint.add({ text, label });
    frames.recordLabel(call, label);
  };

  /** Answers a call from the journal. Returns false if the call was interrupted and may run again. */
  const replay = async (step: number, call: ToolCall, before: KnownStep): Promise<boolean> => {
    if (before.output !== undefined) {
      const { text, failed, parts, cites, toolCalls = 0 } = readToolStep(before.output);
      delegated += toolCalls;
      recordResult(call, text, before.label ?? labels.of(call));
      answer(step, call, text, failed, parts, cites);
      return true;
    }
    if (REPEATABLE_EFFECTS.has(before.effect)) return false;
    await journal.markUnknown(lease, activation, step);
    answer(step, call, OUTCOME_UNKNOWN, true);
    return true;
  };

  /** Lets the inmate run the call, after sending the files and network access that the tool needs. */
  const runInCell = async (
    step: number,
    run: Running,
    { again, atRoot }: { readonly again: boolean; readonly atRoot: boolean },
  ): Promise<void> => {
    running.set(step, run);
    const { timeoutMs, traits, workspace } = run.tool;
    if (workspace !== "none") await inbox.fill();
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
    running: () => running.size,
    longestMs: () => Math.max(0, ...[...running.values()].map(({ tool, call }) => callTimeoutMs(tool, call.input))),

    async request({ step, call }) {
      order.checkToolCall(step, call.name);
      const before = known.get(step);
      const earlierCalls = [...earlier];
      earlier.push(call);
      if (before?.kind === "tool" && (await replay(step, call, before))) return undefined;
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
          delegated,
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
      const run: Running = { tool, call, since: world.clock.monotonic(), span };
      showStart(world.clock.now(), call);
      if (tool.runs === "host") return runOnHost(step, run);
      await runInCell(step, run, { again: before !== undefined, atRoot: verdict.byPerson === true });
      return undefined;
    },

    async done({ step, failed, image, text: said }) {
      const run = running.get(step);
      if (run === undefined)
        throw new HearthError("cell.protocol", `The inmate finished step ${step}, which the warden did not start.`);
      running.delete(step);
      const { text: noted, cites } = await calls.addCitation(run, { text: said, failed });
      const text = leakScan.redactResult(noted);
      const label = labels.of(run.call);
      recordResult(run.call, text, label);
      const picture = image === undefined ? undefined : await calls.storePicture(image, run.tool.name);
      const kept = toKept(picture, cites);
      files.addResult(kept.parts, cites);
      const writes = [...labels.labelWritten(run.call, taint.label), ...filesOfStep(activation, step, kept.parts)];
      onWrite(journal.endStep(lease, activation, step, writeToolStep({ text, failed, ...kept }), { label, writes }));
      showEnd(run, text, failed);
    },
  };
};

type FilesOfResult = Parameters<TurnFiles["addResult"]>;

/** The files of a result, as its step stores them. */
const toKept = (picture: Part | undefined, cites: CitableFile[] | undefined): Pick<ToolStep, "parts" | "cites"> => ({
  ...(picture === undefined ? {} : { parts: [picture] }),
  ...(cites === undefined ? {} : { cites }),
});

/** The journal's entry for the start of a call. A call of an unknown tool has no effect. */
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
