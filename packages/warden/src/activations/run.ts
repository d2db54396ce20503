/**
 * One activation between warden and inmate: each frame of the inmate is a request, journaled before it takes effect.
 * Steps that the journal already has are answered from it, so the same code runs an activation and resumes one.
 */
import {
  type ActivationInput,
  AssistantMessage,
  type DeltaEvent,
  type ErrorBody,
  type FrameScope,
  HearthError,
  type InmateFrame,
  type ToolCall,
  type ToolOffer,
  type Usage,
  type World,
} from "@hearth/protocol";
import { type EffectClass, isToolName, type ToolName, tools } from "@hearth/protocol/tools";
import { z } from "zod";
import type { Seat } from "../cells/pool.ts";
import type { Journal, KnownStep } from "../journal/journal.ts";
import type { Provider } from "../providers/provider.ts";
import { callModel } from "./model-call.ts";

export type Outcome =
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "failed"; readonly error: ErrorBody }
  | { readonly kind: "stopped" };

export interface RunOptions {
  readonly world: World;
  readonly journal: Journal;
  readonly scope: FrameScope;
  readonly input: ActivationInput;
  readonly model: { readonly provider: Provider; readonly model: string };
  readonly seat: Seat;
  /** Resolves when the activation's beginning is on the disk. */
  readonly durable: Promise<void>;
  readonly offerOf: (tool: ToolName) => ToolOffer;
  readonly known: ReadonlyMap<number, KnownStep>;
  readonly signal: AbortSignal;
  readonly delta: (event: DeltaEvent) => void;
  readonly spent: (usage: Usage) => void;
}

type FrameOf<Type extends InmateFrame["type"]> = Extract<InmateFrame, { type: Type }>;

/** Longest answer that is asked of a model, in tokens. */
const MAX_OUTPUT_TOKENS = 8192;
/** Longest tool output in a delta: a glimpse for people, the model gets it all. */
const MAX_GLIMPSE = 4000;

/** Runs to the end. Throws `cell.lost` when the cell dies: the journal then has all that a next run needs. */
export const runActivation = async (options: RunOptions): Promise<Outcome> => {
  const { world, journal, scope, input, seat, known, signal, delta } = options;
  const { activation } = scope;
  const running = new Map<number, { readonly name: ToolName; readonly call: string; readonly since: number }>();
  /** Steps are asked for in order; anything else is not our inmate. */
  let next = 0;
  let round = 0;

  const inTurn = (step: number): void => {
    if (step !== next)
      throw new HearthError("cell.protocol", `The inmate asked for step ${step} when ${next} was next.`);
    next += 1;
  };

  const onModel = async (frame: FrameOf<"model-request">): Promise<void> => {
    const { step } = frame;
    inTurn(step);
    round += 1;
    delta({ type: "round-start", at: world.clock.now(), round });
    const before = known.get(step);
    if (before?.kind === "model" && before.output !== undefined) {
      const { message } = StoredModelStep.parse(JSON.parse(before.output));
      if (message.text !== "") delta({ type: "text-delta", at: world.clock.now(), text: message.text });
      seat.send({ type: "model-result", ...scope, step, result: { message } });
      return;
    }
    const request = {
      model: options.model.model,
      system: frame.system,
      messages: frame.messages,
      tools: allowed(frame.tools, input).map(options.offerOf),
      toolUse: frame.toolUse,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    await journal.started({
      activation,
      step,
      kind: "model",
      name: input.agent.handle,
      effect: "pure",
      input: JSON.stringify(request),
    });
    const outcome = await callModel({
      provider: options.model.provider,
      request,
      signal,
      onText: (text) => delta({ type: "text-delta", at: world.clock.now(), text }),
    });
    if (outcome.kind === "error") {
      seat.send({ type: "model-result", ...scope, step, result: { error: outcome.error } });
      return;
    }
    options.spent(outcome.usage);
    // Not awaited: whatever the inmate does with it is committed after it, in order.
    settle(journal.done(activation, step, JSON.stringify({ message: outcome.message, usage: outcome.usage })));
    seat.send({ type: "model-result", ...scope, step, result: { message: outcome.message } });
  };

  const onStep = async (frame: FrameOf<"step-request">): Promise<void> => {
    const { step, call } = frame;
    inTurn(step);
    const answer = (text: string, failed: boolean): void => {
      delta({ type: "tool-start", at: world.clock.now(), call: call.id, name: call.name, input: call.input });
      glimpse(call.id, call.name, text, failed, 0);
      seat.send({ type: "step-result", ...scope, step, result: { verdict: "done", text, failed } });
    };
    const before = known.get(step);
    if (before?.kind === "tool" && before.output !== undefined) {
      const { text, failed } = StoredToolStep.parse(JSON.parse(before.output));
      return answer(text, failed);
    }
    if (before?.kind === "tool" && !repeatable.has(before.effect)) {
      await journal.unknown(activation, step);
      return answer(UNKNOWN, true);
    }
    const decision = judge(call, input);
    await journal.started({
      activation,
      step,
      kind: "tool",
      name: call.name,
      effect: decision.verdict === "refused" ? "pure" : tools[decision.name].effect,
      input: JSON.stringify(call.input),
    });
    if (decision.verdict === "refused") {
      const { text } = decision;
      await journal.done(activation, step, JSON.stringify({ text, failed: true }));
      return answer(text, true);
    }
    const { name } = decision;
    delta({ type: "tool-start", at: world.clock.now(), call: call.id, name, input: call.input });
    running.set(step, { name, call: call.id, since: world.clock.monotonic() });
    seat.send({ type: "step-result", ...scope, step, result: { verdict: "run", timeoutMs: tools[name].timeoutMs } });
  };

  const onDone = (frame: FrameOf<"step-done">): void => {
    const { step, text, failed } = frame;
    const call = running.get(step);
    if (call === undefined)
      throw new HearthError("cell.protocol", `The inmate finished step ${step}, which it was not told to do.`);
    running.delete(step);
    settle(journal.done(activation, step, JSON.stringify({ text, failed })));
    glimpse(call.call, call.name, text, failed, world.clock.monotonic() - call.since);
  };

  const glimpse = (call: string, name: string, text: string, failed: boolean, durationMs: number): void =>
    delta({
      type: "tool-end",
      at: world.clock.now(),
      call,
      name,
      failed,
      output: text.slice(0, MAX_GLIMPSE),
      durationMs,
    });

  /** The first failure of a write that nobody waited for. */
  let failure: unknown;
  const settle = (write: Promise<void>): void => {
    write.catch((error: unknown) => {
      failure ??= error;
    });
  };

  const stop = (): void => seat.send({ type: "stop", ...scope });
  signal.addEventListener("abort", stop, { once: true });
  try {
    seat.send({ type: "activate", ...scope, input });
    if (signal.aborted) stop();
    for await (const frame of seat.frames) {
      await options.durable;
      if (failure !== undefined) throw failure;
      switch (frame.type) {
        case "hello":
          break;
        case "model-request":
          if (!signal.aborted) await onModel(frame);
          break;
        case "step-request":
          if (!signal.aborted) await onStep(frame);
          break;
        case "step-done":
          onDone(frame);
          break;
        case "finish":
          return signal.aborted ? { kind: "stopped" } : frame.outcome;
      }
    }
    throw new HearthError("cell.lost", "The cell was closed while the agent was thinking.");
  } catch (error) {
    // Nobody answers it any more: whatever it waits for or runs has to end too.
    stop();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

/** Of these names, the tools that this activation was given. The frozen input counts, not what the inmate says. */
const allowed = (names: readonly string[], input: ActivationInput): readonly ToolName[] =>
  names.filter(isToolName).filter((name) => input.tools.includes(name));

/** Whether a call is run. What the model is told of a call that is not lets it do better. */
const judge = (
  call: ToolCall,
  input: ActivationInput,
): { readonly verdict: "run"; readonly name: ToolName } | { readonly verdict: "refused"; readonly text: string } => {
  const [name] = allowed([call.name], input);
  if (name === undefined) return { verdict: "refused", text: refusal(call.name, input) };
  if (call.unreadable !== undefined) return { verdict: "refused", text: unread(call.unreadable) };
  return { verdict: "run", name };
};

/** What may be done again when nobody knows whether it was done. */
const repeatable: ReadonlySet<EffectClass> = new Set(["pure", "keyed"]);

const UNKNOWN =
  "Hearth was interrupted during this call: nobody knows whether it took effect. Check before you do it again, and tell the person.";

const refusal = (name: string, input: ActivationInput): string =>
  isToolName(name)
    ? `The tool ${name} is not on for this agent. A person can turn it on: hearth agent edit ${input.agent.handle} --tools +${name}`
    : `There is no tool ${name}. There are: ${input.tools.join(", ")}`;

const unread = (text: string): string =>
  `The arguments of this call were not a JSON object, so it was not made: ${text}\nCall it again with arguments that fit its schema.`;

const StoredModelStep = z.object({ message: AssistantMessage });
const StoredToolStep = z.object({ text: z.string(), failed: z.boolean() });
