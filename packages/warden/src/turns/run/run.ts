/**
 * One activation between warden and inmate: each frame of the inmate is a request, which passes the choke point and is journaled
 * before it takes effect. Steps that the journal already has are answered from it, so the same code runs an activation and resumes one.
 */
import { labelOf, type HeldMessage } from "../../agents/index.ts";
import { withoutRedacted } from "../../agents/lazy.ts";
import { tokensAtMost, createOutgoingPieces, type OutgoingPieces } from "../../policy/index.ts";
import {
  type AssistantMessage,
  type ErrorBody,
  HearthError,
  type InmateFrame,
  isHearthError,
  isTainted,
  type UserMessage,
} from "@hearth/protocol";
import { createRequestHistory } from "./request-history.ts";
import { createDeferredFinalWrite } from "./deferred-final-write.ts";
import { callWithReservation } from "./reserved-call.ts";
import { createStepOrder } from "../queue/step-order.ts";
import { type Outcome, type Overflow, toOutcome } from "./outcome.ts";
import { createResultFrames } from "./result-frames.ts";
import type { RunOptions } from "./run-options.ts";
import { createSilenceTimeout } from "../queue/silence-timeout.ts";
import { readIntakeStep, readModelStep } from "./step-output.ts";
import { createToolSteps } from "./tool-steps.ts";

export type { Outcome } from "./outcome.ts";

type FrameOf<Type extends InmateFrame["type"]> = Extract<InmateFrame, { type: Type }>;

/** Longest answer that is asked of a model, in tokens. */
const MAX_OUTPUT_TOKENS = 8192;

/** Runs to the end. Throws `cell.lost` when the cell dies: the journal then has all that a next run needs. */
export const runActivation = async (options: RunOptions): Promise<Outcome | Overflow> => {
  const { world, journal, lease, chokePoint, scope, input, cellLease, known, signal, delta, taint } = options;
  const { activation, agent } = scope;
  const { leaks } = chokePoint;
  let isSilent = false;
  const order = createStepOrder(input, known);
  const asked = createRequestHistory(input.history);
  const frames = createResultFrames({ world, session: scope.session, table: options.table });
  let hasShrunk = false;
  /** Its model takes no more, and the talk can be made shorter: its inmate ends, and it begins anew with less. */
  let isOverflown = false;

  const tell = (text: string): void => {
    if (text !== "") delta({ type: "text-delta", at: world.clock.now(), text });
  };

  const answerModel = (step: number, message: AssistantMessage): void => {
    order.toldModel(message);
    taint.decide(message.toolCalls);
    cellLease.send({ type: "model-result", ...scope, step, result: { message } });
  };

  const onModel = async (frame: FrameOf<"model-request">): Promise<Outcome | undefined> => {
    const { step } = frame;
    order.asksModel(step);
    const messages = asked.take(frame);
    const before = known.get(step);
    const taken =
      before?.kind === "intake" && before.output !== undefined
        ? toHeldMessages(readIntakeStep(before.output).messages, before.label)
        : before === undefined
          ? await options.intake(step)
          : [];
    if (taken.length > 0) {
      for (const { message, label } of taken) taint.take({ text: message.text, label });
      const intake = taken.map(({ message }) => message);
      cellLease.send({ type: "model-result", ...scope, step, result: { intake } });
      return undefined;
    }
    delta({ type: "round-start", at: world.clock.now(), round: order.round() });
    const pieces = isTainted(taint.label) ? createOutgoingPieces(taint, leaks) : AS_IT_COMES;
    if (before?.kind === "model" && before.output !== undefined) {
      const { message } = readModelStep(before.output);
      tell(pieces.push(message.text) + pieces.end());
      answerModel(step, message);
      return undefined;
    }
    const wanted = {
      model: options.model.model,
      system: frame.system,
      messages: frames.around(messages),
      tools: allowed(frame.tools, options).map(options.offerOf),
      toolUse: frame.toolUse,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    const request = leaks.request(withoutRedacted(wanted, options.redactions()));
    const text = JSON.stringify(request);
    const refuse = (error: ErrorBody): void => {
      isOverflown = options.length?.mayShorten === true && error.code === "provider.context-overflow";
      cellLease.send({ type: "model-result", ...scope, step, result: { error: leaks.error(error) } });
    };
    if (step === 0 && options.length?.isTooLong(text.length) === true) {
      refuse(TOO_LONG);
      return undefined;
    }
    const verdict = await chokePoint.pass(
      {
        kind: "model",
        activation,
        agent: { id: agent, handle: input.agent.handle },
        place: options.place,
        step,
        effect: "pure",
        signal,
        name: input.agent.handle,
        request: text,
        models: options.models,
        inputTokens: tokensAtMost(request, text),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        ...{ isChild: options.isChild, isHeartbeat: options.isHeartbeat },
      },
      (along) =>
        journal.started(
          lease,
          {
            ...{ activation, step, kind: "model", name: input.agent.handle, effect: "pure", input: text },
            isFirst: step === 0,
          },
          along,
        ),
    );
    if (verdict.verdict !== "on") return toOutcome(step, verdict);
    const outcome = await callWithReservation(verdict.terms, options.resolve, {
      provider: options.model.provider,
      request,
      signal,
      onText: (piece) => tell(pieces.push(piece)),
      isAnswerNeeded: options.isAnswerNeeded,
      onRetry: ({ error, ...retry }) => delta({ ...retry, at: world.clock.now(), error: leaks.error(error) }),
      // Once: a model for which even less is too much gives a clear end.
      shrink: (messages) => {
        if (hasShrunk || options.length?.mayShorten === true) return undefined;
        hasShrunk = true;
        return options.shrink(messages);
      },
    });
    tell(pieces.end());
    options.spent(outcome.usage);
    if (outcome.kind === "error" && outcome.isTransient === true && options.mayRetry && !signal.aborted)
      return { kind: "retry", error: leaks.error(outcome.error), usage: outcome.usage };
    if (outcome.kind === "error") {
      refuse(outcome.error);
      return undefined;
    }
    // What tools gave in this turn is not in the next one.
    if (step === 0) options.length?.told(outcome.usage, text.length);
    const { message, usage, model } = outcome;
    word.said(step, JSON.stringify({ message, usage, model }));
    answerModel(step, message);
    return undefined;
  };

  /** The first failure of a write that nobody waited for. */
  let failure: unknown;
  const settle = (write: Promise<void>): void => {
    write.catch((error: unknown) => {
      failure ??= error;
    });
  };
  const word = createDeferredFinalWrite({ journal, lease, activation, settle });
  const toolSteps = createToolSteps({ ...options, order, frames, settle });

  const stop = (): void => cellLease.send({ type: "stop", ...scope });
  signal.addEventListener("abort", stop, { once: true });
  const graceMs = Math.min(options.silenceMs, TOOL_GRACE_MS);
  using silence = createSilenceTimeout({
    ...{ clock: world.clock, graceMs },
    tell() {
      // With a tool under way the cell alone is to blame: the activation goes on in a new one, which is told that the outcome is unknown.
      isSilent = toolSteps.running() === 0;
      cellLease.accuse(isSilent ? SILENT : OVERRAN);
    },
  });
  const listen = (): void => {
    silence.listen(toolSteps.running() === 0 ? options.silenceMs : toolSteps.longestMs() + graceMs);
  };
  try {
    cellLease.send({ type: "activate", ...scope, input });
    if (signal.aborted) stop();
    listen();
    for await (const frame of cellLease.frames) {
      silence.hush();
      // The first step brings the beginning along.
      if (frame.type !== "model-request" || frame.step > 0) await options.durable;
      if (failure !== undefined) throw failure;
      if (frame.type !== "finish") word.keep();
      switch (frame.type) {
        case "hello":
          break; // The pool takes it.
        case "model-request":
        case "step-request": {
          if (signal.aborted) break;
          const outcome = await (frame.type === "model-request" ? onModel(frame) : toolSteps.request(frame));
          if (outcome === undefined) break;
          stop();
          return outcome;
        }
        case "step-done":
          toolSteps.done(frame);
          break;
        case "finish":
          if (signal.aborted) return { kind: "stopped" };
          if (frame.outcome.kind === "failed" && isOverflown) return { kind: "overflow" };
          if (frame.outcome.kind === "failed") return { kind: "failed", error: leaks.error(frame.outcome.error) };
          if (frame.outcome.kind === "stopped") return frame.outcome;
          order.replies(frame.outcome.text, toolSteps.running());
          return { ...frame.outcome, last: await word.plan() };
      }
      listen();
    }
    throw new HearthError("cell.lost", "The cell was closed while the agent was thinking.");
  } catch (error) {
    // Nobody answers it any more: whatever it waits for or runs has to end too.
    stop();
    if (isHearthError(error, "cell.protocol")) cellLease.accuse(error.message);
    if (isSilent && isHearthError(error, "cell.lost"))
      throw new HearthError("cell.silent", `What runs this agent went wrong: ${SILENT}.`, {
        ...{ hint: "Send your message again.", cause: error },
      });
    throw error;
  } finally {
    word.keep();
    signal.removeEventListener("abort", stop);
  }
};

/** Of people's words it is kept in one label what they count for together. Nothing noted: nothing is known. */
const toHeldMessages = (messages: readonly UserMessage[], label = labelOf()): readonly HeldMessage[] =>
  messages.map((message) => ({ message, label }));

/** Of these names, the tools that this activation was given. The frozen input counts, not what the inmate says. */
const allowed = (names: readonly string[], { input, table }: Pick<RunOptions, "input" | "table">): readonly string[] =>
  names.filter((name) => Object.hasOwn(table, name) && input.tools.includes(name));

const AS_IT_COMES: OutgoingPieces = { push: (piece) => piece, end: () => "" };

const TOO_LONG: ErrorBody = { code: "provider.context-overflow", message: "The talk is longer than the model takes." };

const SILENT = "it said nothing any more";
const OVERRAN = "it did not end a tool call in time";
/** How long an inmate may take to end a tool call whose own time is over. */
const TOOL_GRACE_MS = 30_000;
