/** Makes one model call that a running tool needs: one prompt, no tools, no conversation. */
import { tokensAtMost, type ChokePoint } from "../../policy/index.ts";
import type { Telemetry } from "../../kernel/index.ts";
import type { Catalog } from "../../models/index.ts";
import type { OneShotCall } from "../../agents/index.ts";
import { DEFAULT_MODEL, isHearthError, type ModelRequest, type Place } from "@hearth/protocol";
import { callWithReservation } from "./reserved-call.ts";

/** Enough for one answer and the reasoning that some models write before it. */
const MAX_OUTPUT_TOKENS = 1024;

const neverReports = (): void => {};
/** Returns undefined, because nothing can be omitted from one prompt that is too long for the model. */
const cannotShrink = (): undefined => undefined;
/**
 * Writes nothing, because the journal already has `started` of the tool call, and the model call
 * belongs to the same step.
 */
const alreadyJournaled = async (): Promise<void> => {};

/** Creates the call, which passes the choke point like every model call. */
export const createOneShotCall =
  ({
    providers,
    chokePoint,
    telemetry,
  }: {
    readonly providers: Pick<Catalog, "resolve">;
    readonly chokePoint: ChokePoint;
    readonly telemetry: Pick<Telemetry, "start">;
  }): OneShotCall =>
  async ({ system, text }, { activation, agent, step, signal }) => {
    const name = agent.content.model ?? DEFAULT_MODEL;
    const resolved = await providers.resolve(name).catch((error: unknown) => {
      if (isHearthError(error)) return error;
      throw error;
    });
    if (isHearthError(resolved)) return { why: resolved.message };
    const request: ModelRequest = chokePoint.leakScan.redactRequest({
      model: resolved.model,
      system: [{ text: system, stable: true }],
      messages: [{ role: "user", text }],
      tools: [],
      toolUse: "forbidden",
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    });
    const requestText = JSON.stringify(request);
    const isChild = activation.parent !== null;
    const isHeartbeat = activation.trigger === "heartbeat";
    const verdict = await chokePoint.pass(
      {
        kind: "model",
        activation: activation.id,
        agent: { id: agent.id, handle: agent.handle },
        step,
        place: (isChild ? agent.house : activation.room) as Place,
        effect: "pure",
        signal,
        name,
        request: requestText,
        models: [name],
        isChild,
        isHeartbeat,
        inputTokens: tokensAtMost(request, requestText),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      },
      alreadyJournaled,
    );
    if (verdict.verdict !== "allowed") return { why: verdict.text };
    const outcome = await callWithReservation(verdict.reservation, providers.resolve, {
      provider: resolved.provider,
      request,
      signal,
      span: telemetry.start("model", activation.id),
      onText: neverReports,
      shrink: cannotShrink,
    });
    const { usage } = outcome;
    return outcome.kind === "message" ? { text: outcome.message.text, usage } : { why: outcome.error.message, usage };
  };
