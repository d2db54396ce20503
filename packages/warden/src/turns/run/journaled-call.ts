/**
 * Makes a model call that the warden itself needs for an activation, such as the summary of a
 * compaction. The call passes the choke point, is journaled so that a crash does not repeat it, and
 * has a timeout.
 */
import type { Journal, JournaledStep, Lease, Change, Telemetry } from "../../kernel/index.ts";
import { tokensAtMost, type ChokePoint } from "../../policy/index.ts";
import type { Catalog } from "../../models/index.ts";
import {
  type ActivationId,
  type AgentRecord,
  AssistantMessage,
  type Clock,
  HearthError,
  type ModelRequest,
  type Place,
  Usage,
} from "@hearth/protocol";
import { z } from "zod";
import { callWithReservation } from "./reserved-call.ts";

export interface JournaledCall {
  readonly agent: AgentRecord;
  readonly activation: ActivationId;
  readonly place: Place;
  readonly step: number;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  /** The call's step in the journal, if an earlier run started it. */
  readonly journaledStep: JournaledStep | undefined;
  /** `provider/model`. */
  readonly model: string;
  /** Builds the request. `model` is the vendor's name of the model, without the provider. */
  readonly request: (model: string) => ModelRequest;
  readonly timeoutMs: number;
  /** Changes for the commit that starts the call. */
  readonly sameCommit?: Change;
}

/** `error` is the reason why the call failed, for people to read. The message is then empty. */
const JournaledAnswer = z.object({ message: AssistantMessage, usage: Usage, error: z.string().exactOptional() });
export type JournaledAnswer = z.infer<typeof JournaledAnswer>;

/**
 * Resolves when the answer is in the journal. An answer with `error` means that the model failed.
 * Resolves with undefined if the activation was stopped. Throws `activation.failed` if the policy
 * refuses the call.
 */
export type CallJournaled = (call: JournaledCall) => Promise<JournaledAnswer | undefined>;

export const createJournaledCalls = (options: {
  readonly clock: Pick<Clock, "sleep">;
  readonly providers: Pick<Catalog, "resolve">;
  readonly chokePoint: ChokePoint;
  readonly journal: Journal;
  readonly telemetry: Pick<Telemetry, "start">;
}): CallJournaled => {
  const { clock, providers, chokePoint, journal, telemetry } = options;
  return async ({
    agent,
    activation,
    place,
    step,
    lease,
    signal,
    journaledStep,
    model,
    sameCommit = { writes: [] },
    ...call
  }) => {
    if (journaledStep?.output !== undefined) return JournaledAnswer.parse(JSON.parse(journaledStep.output));
    const resolvedModel = await providers.resolve(model);
    const request = chokePoint.leakScan.redactRequest(call.request(resolvedModel.model));
    const input = JSON.stringify(request);
    const start = { activation, step, kind: "model", name: model, effect: "pure", input } as const;
    const verdict = await chokePoint.pass(
      {
        kind: "model",
        activation,
        agent: { id: agent.id, handle: agent.handle },
        place,
        step,
        effect: "pure",
        signal,
        name: model,
        request: input,
        models: [model],
        isChild: false,
        inputTokens: tokensAtMost(request, input),
        maxOutputTokens: request.maxOutputTokens,
      },
      (policyChange) =>
        journal.startStep(lease, start, {
          guards: [...(policyChange?.guards ?? []), ...(sameCommit.guards ?? [])],
          writes: [...(policyChange?.writes ?? []), ...sameCommit.writes],
        }),
    );
    if (signal.aborted || (verdict.verdict === "stopped" && verdict.stage === "stop")) return undefined;
    if (verdict.verdict !== "allowed") throw new HearthError("activation.failed", verdict.text);
    const [timeoutController, finishedController] = [new AbortController(), new AbortController()];
    const expire = (): void => timeoutController.abort();
    clock.sleep(call.timeoutMs, finishedController.signal).then(expire, expire);
    try {
      const outcome = await callWithReservation(verdict.reservation, providers.resolve, {
        provider: resolvedModel.provider,
        request,
        signal: AbortSignal.any([signal, timeoutController.signal]),
        onText: () => {},
        span: telemetry.start("model", activation),
        // The caller chose the text of the request. A shorter request would omit a part of it.
        shrink: () => undefined,
      });
      if (signal.aborted) return undefined;
      const answer: JournaledAnswer =
        outcome.kind === "message"
          ? { message: outcome.message, usage: outcome.usage }
          : {
              message: EMPTY_MESSAGE,
              usage: outcome.usage,
              error: timeoutController.signal.aborted
                ? NO_ANSWER_IN_TIME
                : chokePoint.leakScan.redactError(outcome.error).message,
            };
      await journal.endStep(lease, activation, step, JSON.stringify(answer));
      return answer;
    } finally {
      finishedController.abort();
    }
  };
};

const EMPTY_MESSAGE: AssistantMessage = { role: "assistant", text: "", toolCalls: [] };
const NO_ANSWER_IN_TIME = "The model did not answer in time.";
