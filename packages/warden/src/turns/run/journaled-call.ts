/**
 * Makes one model call for an activation, outside its loop. It passes the choke point and is
 * journaled, so that a crash does not repeat it. It has its own timeout.
 */
import type { Journal, KnownStep, Lease, Change, Telemetry } from "../../kernel/index.ts";
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
  /** Its step in the journal, if any. */
  readonly before: KnownStep | undefined;
  /** `provider/model`. */
  readonly model: string;
  /** `model` is the vendor's own name of the model. */
  readonly request: (model: string) => ModelRequest;
  readonly timeoutMs: number;
  /** Written in the commit that starts the call. */
  readonly sameCommit?: Change;
}

/** `error` is for people to read; the message then does not count. */
const Said = z.object({ message: AssistantMessage, usage: Usage, error: z.string().exactOptional() });
export type Said = z.infer<typeof Said>;

/** Durable when it resolves. Undefined when the activation was stopped. */
export type CallJournaled = (call: JournaledCall) => Promise<Said | undefined>;

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
    before,
    model,
    sameCommit = { writes: [] },
    ...call
  }) => {
    if (before?.output !== undefined) return Said.parse(JSON.parse(before.output));
    const resolved = await providers.resolve(model);
    const request = chokePoint.leaks.redactRequest(call.request(resolved.model));
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
      (stages) =>
        journal.started(lease, start, {
          guards: [...(stages?.guards ?? []), ...(sameCommit.guards ?? [])],
          writes: [...(stages?.writes ?? []), ...sameCommit.writes],
        }),
    );
    if (signal.aborted || (verdict.verdict === "stopped" && verdict.stage === "stop")) return undefined;
    if (verdict.verdict !== "allowed") throw new HearthError("activation.failed", verdict.text);
    const [late, over] = [new AbortController(), new AbortController()];
    const expire = (): void => late.abort();
    clock.sleep(call.timeoutMs, over.signal).then(expire, expire);
    try {
      const outcome = await callWithReservation(verdict.reservation, providers.resolve, {
        provider: resolved.provider,
        request,
        signal: AbortSignal.any([signal, late.signal]),
        onText: () => {},
        span: telemetry.start("model", activation),
        shrink: () => undefined,
      });
      if (signal.aborted) return undefined;
      const journaled: Said =
        outcome.kind === "message"
          ? { message: outcome.message, usage: outcome.usage }
          : {
              message: NOTHING_SAID,
              usage: outcome.usage,
              error: late.signal.aborted ? TOO_LATE : chokePoint.leaks.redactError(outcome.error).message,
            };
      await journal.done(lease, activation, step, JSON.stringify(journaled));
      return journaled;
    } finally {
      over.abort();
    }
  };
};

const NOTHING_SAID: AssistantMessage = { role: "assistant", text: "", toolCalls: [] };
const TOO_LATE = "The model did not answer in time.";
