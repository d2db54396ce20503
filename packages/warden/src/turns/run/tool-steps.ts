/**
 * The tool calls of an activation. Each passes the choke point and is journaled before it takes
 * effect, and its result is added to the activation's taint.
 */
import type { KnownStep, OpenSpan } from "../../kernel/index.ts";
import { HearthError, type InmateFrame, type Label, type Part, type ToolCall } from "@hearth/protocol";
import { callTimeoutMs, type EffectClass, findTool, type ToolDeclaration } from "@hearth/protocol/tools";
import { toolEnd } from "./tool-end-preview.ts";
import type { StepOrder } from "../queue/step-order.ts";
import type { ResultFrames } from "./result-frames.ts";
import { type Outcome, toOutcome } from "./outcome.ts";
import type { RunOptions } from "./run-options.ts";
import { readToolStep, writeToolStep } from "./step-output.ts";
import { filesOfStep, type TurnFiles } from "./turn-files.ts";
import type { TurnInbox } from "./turn-inbox.ts";

export interface ToolSteps {
  /** Returns an outcome when the activation cannot continue. */
  request(frame: Extract<InmateFrame, { type: "step-request" }>): Promise<Outcome | undefined>;
  /** Throws `cell.protocol` for a step that the cell was not allowed to run. */
  done(frame: Extract<InmateFrame, { type: "step-done" }>): Promise<void>;
  /** How many calls run in the cell. */
  running(): number;
  /** The longest timeout of the running calls. */
  longestMs(): number;
}

export interface ToolStepsOptions {
  readonly run: RunOptions;
  readonly order: Pick<StepOrder, "asksCall">;
  readonly frames: Pick<ResultFrames, "note">;
  readonly files: Pick<TurnFiles, "addResult">;
  readonly inbox: Pick<TurnInbox, "fill" | "keep">;
  /** Takes a background write. */
  readonly settle: (write: Promise<void>) => void;
}

interface Running {
  readonly tool: ToolDeclaration;
  readonly call: ToolCall;
  readonly since: number;
  readonly span: OpenSpan | undefined;
}

export const createToolSteps = (options: ToolStepsOptions): ToolSteps => {
  const { order, frames, files, inbox, settle } = options;
  const { chokePoint, turn, input, cellLease, known, taint, labels, table, calls } = options.run;
  const { world, journal, telemetry } = options.run.kernel;
  const { scope, lease, signal, place } = turn;
  const { delta } = calls;
  const { activation, agent } = scope;
  const { leaks } = chokePoint;
  const running = new Map<number, Running>();
  /** Allowed tool calls, in their order. */
  const earlier: ToolCall[] = [];
  /** Tool calls that other activations made on its behalf. */
  let delegated = 0;
  // One round per call, and one for the answer.
  const maxToolCalls = input.maxRounds - 1;

  const glimpse = ({ call, tool, since, span }: Running, text: string, failed: boolean): void => {
    const place = tool.runs === "host" ? "host" : "cell";
    span?.end({ tool: tool.name, place, ...(failed ? { error: "tool" } : {}) });
    const { now, monotonic } = world.clock;
    delta(toolEnd({ at: now(), call: call.id, name: tool.name, failed, text, durationMs: monotonic() - since }));
  };

  /** Secrets are removed before watchers see the call. */
  const showStart = (at: number, { id, name, input }: ToolCall): void =>
    delta({ type: "tool-start", at, call: id, name, input: JSON.parse(leaks.shown(JSON.stringify(input))) });

  /** Answers a call without running it: its result is known, or it was refused. */
  const answer = (step: number, call: ToolCall, text: string, failed: boolean, parts?: Part[]): void => {
    const at = world.clock.now();
    showStart(at, call);
    delta(toolEnd({ at, call: call.id, name: call.name, failed, text, durationMs: 0 }));
    files.addResult(parts);
    cellLease.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
  };

  const runOnHost = async (step: number, run: Running): Promise<Outcome | undefined> => {
    const remaining = Math.max(0, maxToolCalls - earlier.length - delegated);
    // Release the cell lease while waiting for the host: nothing runs in the cell, and holding the
    // lease could deadlock.
    const goOn = cellLease.pause();
    const outcome = await calls.onHost(run.tool.name, run.call.input, { step, remaining }).finally(goOn);
    if (outcome.usage !== undefined) calls.spent(outcome.usage);
    if (signal.aborted) return { kind: "stopped" };
    const { text, failed, parts, toolCalls = 0 } = outcome;
    files.addResult(parts);
    delegated += toolCalls;
    take(run.call, text, outcome.label);
    await inbox.keep(outcome.files ?? []);
    glimpse(run, text, failed);
    cellLease.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
    return undefined;
  };

  const take = (call: ToolCall, text: string, label: Label): void => {
    taint.take({ text, label });
    frames.note(call, label);
  };

  /** Answers a call of an earlier run from the journal. Returns false if the call must run again. */
  const replay = async (step: number, call: ToolCall, before: KnownStep): Promise<boolean> => {
    if (before.output !== undefined) {
      const { text, failed, parts, toolCalls = 0 } = readToolStep(before.output);
      delegated += toolCalls;
      take(call, text, before.label ?? labels.of(call));
      answer(step, call, text, failed, parts);
      return true;
    }
    if (repeatable.has(before.effect)) return false;
    await journal.unknown(lease, activation, step);
    answer(step, call, UNKNOWN, true);
    return true;
  };

  /** Allows the inmate to run the call, with what its tool needs. */
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
      order.asksCall(step, call.name);
      const before = known.get(step);
      const passed = [...earlier];
      earlier.push(call);
      if (before?.kind === "tool" && (await replay(step, call, before))) return undefined;
      const tool = findTool(table, call.name);
      const start = {
        activation,
        step,
        kind: "tool",
        name: call.name,
        input: JSON.stringify(call.input),
        effect: tool?.effect ?? "pure",
      } as const;
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
          earlier: passed,
          delegated,
          maxToolCalls,
          taint: taint.behind(call),
        },
        (along) => journal.started(lease, start, along),
      );
      if (verdict.verdict === "refused" || tool === undefined) {
        const unknownTool = { text: `There is no tool ${call.name}.`, stage: undefined };
        const { text, stage: refusedBy } = verdict.verdict === "refused" ? verdict : unknownTool;
        // A refusal has no effect, whatever the effect class of the refused tool.
        await journal.did(lease, { ...start, effect: "pure", refusedBy }, writeToolStep({ text, failed: true }));
        answer(step, call, text, true);
        return undefined;
      }
      if (verdict.verdict !== "on") return toOutcome(step, verdict);
      const span = telemetry.start("tool", activation);
      const run: Running = { tool, call, since: world.clock.monotonic(), span };
      showStart(world.clock.now(), call);
      if (tool.runs === "host") return runOnHost(step, run);
      await runInCell(step, run, { again: before !== undefined, atRoot: verdict.byWord === true });
      return undefined;
    },

    async done({ step, failed, image, text: said }) {
      const run = running.get(step);
      if (run === undefined)
        throw new HearthError("cell.protocol", `The inmate finished step ${step}, which the warden did not start.`);
      running.delete(step);
      const text = leaks.result(said);
      const label = labels.of(run.call);
      take(run.call, text, label);
      const picture = image === undefined ? undefined : await calls.storePicture(image, run.tool.name);
      const kept = picture === undefined ? {} : { parts: [picture] };
      files.addResult(kept.parts);
      const writes = [...labels.written(run.call, taint.label), ...filesOfStep(activation, step, kept.parts)];
      settle(journal.done(lease, activation, step, writeToolStep({ text, failed, ...kept }), { label, writes }));
      glimpse(run, text, failed);
    },
  };
};

/**
 * Effect classes that may run again when the outcome is unknown: the call is harmless, has an
 * idempotency key, or checks first.
 */
const repeatable: ReadonlySet<EffectClass> = new Set(["pure", "keyed", "reconcilable"]);

const UNKNOWN =
  "Hearth was interrupted during this call, so its outcome is unknown. Check before you do it again, and tell the user.";
