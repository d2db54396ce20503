/**
 * Runs one activation between the warden and an inmate. Each frame of the inmate is a request,
 * which passes the choke point and is journaled before it takes effect. Steps that are already in
 * the journal are answered from it, so the same code runs and resumes an activation.
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

/** Longest answer requested of a model, in tokens. */
const MAX_OUTPUT_TOKENS = 8192;

/**
 * Runs to the end. Throws `cell.lost` when the cell dies; the journal then has all that the next
 * run needs.
 */
export const runActivation = async (options: RunOptions): Promise<Outcome | Overflow> => {
  const { world, journal, lease, chokePoint, scope, input, cellLease, known, signal, delta, taint } = options;
  const { activation, agent } = scope;
  const { leaks } = chokePoint;
  let isSilent = false;
  const order = createStepOrder(input, known);
  const asked = createRequestHistory(input.history);
  const frames = createResultFrames({ world, session: scope.session, table: options.table });
  let hasShrunk = false;
  /**
   * The model refuses the session as too long, and it can be compacted: this inmate ends, and a new
   * one starts with less history.
   */
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
      // Shrinks once: if the model refuses even the shorter request, the turn fails with a clear
      // error.
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
    // Only the first request counts, because tool results of this turn are not in the next turn's
    // history.
    if (step === 0) options.length?.told(outcome.usage, text.length);
    const { message, usage, model } = outcome;
    word.said(step, JSON.stringify({ message, usage, model }));
    answerModel(step, message);
    return undefined;
  };

  /** First error from a background write. */
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
    onSilence() {
      // With a tool running, only the cell is to blame: the activation continues in a new cell and
      // learns that the outcome is unknown.
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
      // The first step is committed together with the beginning.
      if (frame.type !== "model-request" || frame.step > 0) await options.durable;
      if (failure !== undefined) throw failure;
      if (frame.type !== "finish") word.keep();
      switch (frame.type) {
        case "hello":
          break; // The pool handles it.
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
    throw new HearthError("cell.lost", "The cell was closed while the turn was running.");
  } catch (error) {
    // The cell gets no further answers, so anything that it waits for or runs must end too.
    stop();
    if (isHearthError(error, "cell.protocol")) cellLease.accuse(error.message);
    if (isSilent && isHearthError(error, "cell.lost"))
      throw new HearthError("cell.silent", `The agent's cell failed: ${SILENT}.`, {
        ...{ hint: "Send your message again.", cause: error },
      });
    throw error;
  } finally {
    word.keep();
    signal.removeEventListener("abort", stop);
  }
};

/**
 * All messages taken in one step share one label. Without a recorded label nothing is known about
 * them.
 */
const toHeldMessages = (messages: readonly UserMessage[], label = labelOf()): readonly HeldMessage[] =>
  messages.map((message) => ({ message, label }));

/**
 * Filters these names by the tools of this activation. The frozen input decides, not the inmate's
 * claim.
 */
const allowed = (names: readonly string[], { input, table }: Pick<RunOptions, "input" | "table">): readonly string[] =>
  names.filter((name) => Object.hasOwn(table, name) && input.tools.includes(name));

const AS_IT_COMES: OutgoingPieces = { push: (piece) => piece, end: () => "" };

const TOO_LONG: ErrorBody = {
  code: "provider.context-overflow",
  message: "The conversation is too long for the model.",
};

const SILENT = "it stopped responding";
const OVERRAN = "it did not end a tool call in time";
/** How long an inmate may take to end a tool call after the call's own timeout. */
const TOOL_GRACE_MS = 30_000;
