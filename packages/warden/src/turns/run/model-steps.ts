/**
 * Makes the model calls of an activation. Each call passes the choke point and is journaled before
 * it is made. A call that is already in the journal is answered from the journal.
 */
import { type LabelledMessage, labelOf } from "../../agents/index.ts";
import { redactRequest } from "../../agents/lazy.ts";
import type { JournaledStep } from "../../kernel/index.ts";
import { createOutgoingStream, type OutgoingStream, tokensAtMost } from "../../policy/index.ts";
import {
  type AssistantMessage,
  type ErrorBody,
  type InmateFrame,
  isTainted,
  type ModelRequest,
  textsOf,
  type UserMessage,
  type WardenFrame,
} from "@hearth/protocol";
import { findTool, toOffer } from "@hearth/protocol/tools";
import type { StepOrder } from "../queue/step-order.ts";
import type { DeferredFinalWrite } from "./deferred-final-write.ts";
import { type Outcome, toOutcome } from "./outcome.ts";
import { createRequestHistory } from "./request-history.ts";
import { callWithReservation } from "./reserved-call.ts";
import type { ResultFrames } from "./result-frames.ts";
import type { RunOptions } from "./run-options.ts";
import type { TurnFiles } from "./turn-files.ts";
import type { TurnInbox } from "./turn-inbox.ts";
import { readIntakeStep, readModelStep } from "./step-output.ts";

/** A request of the loop to the model. */
export type LoopRequest = Pick<
  Extract<InmateFrame, { type: "model-request" }>,
  "step" | "system" | "kept" | "messages" | "tools" | "toolUse"
>;

/** The answer to the loop: the model's message, an error, or new messages to add before the next request. */
export interface LoopAnswer {
  readonly kind: "answer";
  readonly result: Extract<WardenFrame, { type: "model-result" }>["result"];
}

export interface ModelSteps {
  /** Answers a request of the loop. Returns an outcome if the activation cannot continue. */
  request(request: LoopRequest): Promise<LoopAnswer | Outcome>;
  /**
   * Whether the session is too long for the model, by its refusal or by our estimate, and can be
   * compacted. The run then ends, and a new one starts with less history.
   */
  hasOverflowed(): boolean;
}

export interface ModelStepsOptions {
  readonly run: RunOptions;
  readonly order: StepOrder;
  readonly frames: ResultFrames;
  readonly files: TurnFiles;
  readonly inbox: Pick<TurnInbox, "addMessages">;
  /** Delays the journal write of each answer. */
  readonly finalWrite: DeferredFinalWrite;
}

/** Maximum length of an answer. */
const MAX_OUTPUT_TOKENS = 8192;

export const createModelSteps = ({ run, order, frames, files, inbox, finalWrite }: ModelStepsOptions): ModelSteps => {
  const { chokePoint, turn, input, model, knownSteps, taint, table, calls, sessionLength } = run;
  const { world, journal, telemetry } = run.kernel;
  const { scope, lease, signal } = turn;
  const { activation, agent } = scope;
  const { leakScan } = chokePoint;
  const { pushDelta } = calls;
  const requestHistory = createRequestHistory(input.history);
  let hasShrunk = false;
  let hasOverflowed = false;

  const showText = (text: string): void => {
    if (text !== "") pushDelta({ type: "text-delta", at: world.clock.now(), text });
  };

  const answer = (message: AssistantMessage): LoopAnswer => {
    order.recordModelMessage(message);
    taint.recordCalls(message.toolCalls);
    return { kind: "answer", result: { message } };
  };

  const fail = (error: ErrorBody): LoopAnswer => {
    hasOverflowed = sessionLength?.mayCompact === true && error.code === "provider.context-overflow";
    return { kind: "answer", result: { error: leakScan.redactError(error) } };
  };

  /**
   * Returns the messages of the step's intake: those in the journal, or new ones if the step runs
   * for the first time.
   */
  const intakeOf = async (
    step: number,
    journaledStep: JournaledStep | undefined,
  ): Promise<readonly LabelledMessage[]> => {
    if (journaledStep?.kind === "intake" && journaledStep.output !== undefined)
      return toHeldMessages(readIntakeStep(journaledStep.output).messages, journaledStep.label);
    return journaledStep === undefined ? calls.intake(step) : [];
  };

  const toRequest = (loopRequest: LoopRequest, messages: ModelRequest["messages"]): ModelRequest => {
    // The frozen input decides which tools are offered, not the loop's request.
    const names = loopRequest.tools.filter((name) => Object.hasOwn(table, name) && input.tools.includes(name));
    const modelRequest: ModelRequest = {
      model: model.model,
      system: loopRequest.system,
      messages: frames.addFrames(files.attach(messages)),
      tools: names.flatMap((name) => {
        const tool = findTool(table, name);
        return tool === undefined ? [] : [toOffer(tool)];
      }),
      toolUse: loopRequest.toolUse,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    return leakScan.redactRequest(redactRequest(modelRequest, calls.redactions()));
  };

  const passChokePoint = (step: number, request: ModelRequest, text: string) => {
    const { handle } = input.agent;
    return chokePoint.pass(
      {
        kind: "model",
        activation,
        agent: { id: agent, handle },
        place: turn.place,
        step,
        effect: "pure",
        signal,
        name: handle,
        request: text,
        models: model.names,
        inputTokens: tokensAtMost(request, text),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        isChild: turn.isChild,
        isHeartbeat: turn.isHeartbeat,
      },
      (sameCommit) =>
        journal.startStep(
          lease,
          { activation, step, kind: "model", name: handle, effect: "pure", input: text, isFirst: step === 0 },
          sameCommit,
        ),
    );
  };

  const callModel = async (
    step: number,
    request: ModelRequest,
    pieces: OutgoingStream,
  ): Promise<LoopAnswer | Outcome> => {
    const text = JSON.stringify(request);
    // Later requests contain tool results, which the next turn does not, so only the first is measured.
    if (step === 0 && sessionLength?.isTooLong(text.length) === true) return fail(TOO_LONG);
    const verdict = await passChokePoint(step, request, text);
    if (verdict.verdict !== "allowed") return toOutcome(step, verdict);
    const outcome = await callWithReservation(verdict.reservation, model.resolve, {
      provider: model.provider,
      request,
      signal,
      readFile: calls.readFile,
      readText: calls.readText,
      scale: calls.scale,
      span: telemetry.start("model", activation),
      onText: (piece) => showText(pieces.push(piece)),
      isAnswerNeeded: turn.isAnswerNeeded,
      onRetry: ({ error, ...retry }) =>
        pushDelta({ ...retry, at: world.clock.now(), error: leakScan.redactError(error) }),
      // Shrinks once, and only if the session cannot be compacted instead. If the model refuses the
      // shorter request too, the turn fails.
      shrink: (messages) => {
        if (hasShrunk || sessionLength?.mayCompact === true) return undefined;
        hasShrunk = true;
        return calls.shrink(messages);
      },
    });
    showText(pieces.end());
    calls.addUsage(outcome.usage);
    if (outcome.kind === "error" && outcome.isTransient === true && turn.mayRetry && !signal.aborted)
      return { kind: "retry", error: leakScan.redactError(outcome.error), usage: outcome.usage };
    if (outcome.kind === "error") return fail(outcome.error);
    if (step === 0) sessionLength?.recordUsage(outcome.usage, text.length);
    const { message, usage, model: answeringModel } = outcome;
    finalWrite.defer(step, JSON.stringify({ message, usage, model: answeringModel }));
    return answer(message);
  };

  return {
    hasOverflowed: () => hasOverflowed,

    async request(loopRequest) {
      const { step } = loopRequest;
      order.checkModelRequest(step);
      const messages = requestHistory.complete(loopRequest);
      const journaledStep = knownSteps.get(step);
      const newMessages = await intakeOf(step, journaledStep);
      if (newMessages.length > 0) {
        for (const { message, label } of newMessages)
          for (const text of [message.text, ...textsOf(message.parts)]) taint.add({ text, label });
        const intake = newMessages.map(({ message }) => message);
        files.addMessages(intake);
        inbox.addMessages(intake);
        return { kind: "answer", result: { intake } };
      }
      pushDelta({ type: "round-start", at: world.clock.now(), round: order.countRound() });
      const pieces = isTainted(taint.label) ? createOutgoingStream(taint, leakScan) : PASS_THROUGH;
      if (journaledStep?.kind !== "model" || journaledStep.output === undefined)
        return callModel(step, toRequest(loopRequest, messages), pieces);
      const { message } = readModelStep(journaledStep.output);
      showText(pieces.push(message.text) + pieces.end());
      return answer(message);
    },
  };
};

/** All messages of an intake share one label. Without a recorded label they are untrusted. */
const toHeldMessages = (messages: readonly UserMessage[], label = labelOf()): readonly LabelledMessage[] =>
  messages.map((message) => ({ message, label }));

const PASS_THROUGH: OutgoingStream = { push: (piece) => piece, end: () => "" };

const TOO_LONG: ErrorBody = {
  code: "provider.context-overflow",
  message: "The conversation is too long for the model.",
};
