/**
 * Serves the model to programs in a cell, at `MODEL_HOST`. Programs use a vendor's API without a
 * key. The house calls the agent's model as it does for the agent's turns, and answers in the same
 * API. Egress has already checked the grant.
 */
import type { Log, Telemetry } from "../../kernel/index.ts";
import type { Pay, LeakScan } from "../../policy/index.ts";
import type { Catalog, Failure } from "../../models/index.ts";
import {
  type ActivationId,
  DEFAULT_MODEL,
  HearthError,
  isHearthError,
  MODEL_HOST,
  parseJson,
  checkJson,
  toErrorBody,
  type World,
} from "@hearth/protocol";
import type { HeaderLine } from "../egress/head.ts";
import type { OwnAnswer, OwnHost, OwnRequest } from "../egress/own-host.ts";
import type { EgressCaller } from "../egress/tokens.ts";
import { anthropic } from "./anthropic.ts";
import { type CallEnd, createModelStream, type ModelStream, type ModelStreamEvent } from "./model-stream.ts";
import { openai } from "./openai.ts";
import type { VendorApi, Writer } from "./vendor-api.ts";
import { retryHeaders, statusOf } from "./status.ts";
import { createSealedReasoning, type SealedReasoning } from "./sealed-reasoning.ts";

export interface ModelDoorOptions {
  readonly world: Pick<World, "clock" | "random" | "hash">;
  readonly log: Log;
  readonly providers: Pick<Catalog, "resolve">;
  readonly leakScan: Pick<LeakScan, "redactRequest" | "redactError">;
  /** Measures each call as a part of the turn. */
  readonly telemetry: Pick<Telemetry, "start">;
  /** Charges each call to the turn in which it is made. */
  readonly pay: Pay;
}

/** Maximum number of concurrent calls of one turn. */
export const MAX_CALLS = 8;
/** Maximum size of a request in bytes, which exceeds what any model reads. */
export const MAX_REQUEST_SIZE = 8 * 1024 * 1024;
const ID_BYTES = 12;

const VENDOR_APIS: Readonly<Record<string, VendorApi>> = { "/v1/messages": anthropic, "/v1/chat/completions": openai };
const MODELS_PATH = "/v1/models";

/** The open calls of one turn's programs. */
interface CallerState {
  calls: number;
  readonly sealedReasoning: SealedReasoning;
}

export const createModelDoor = (options: ModelDoorOptions): OwnHost => {
  const { world, log, providers, leakScan, telemetry, pay } = options;
  /** The turns by caller. An entry lives as long as its caller. */
  const states = new WeakMap<EgressCaller, CallerState>();

  const stateOf = (caller: EgressCaller): CallerState => {
    const state = states.get(caller) ?? { calls: 0, sealedReasoning: createSealedReasoning(world) };
    states.set(caller, state);
    return state;
  };

  /**
   * Returns the failure to report, without secrets. Rethrows failures of the client's connection.
   */
  const toFailure = (error: unknown): Failure => {
    if (isHearthError(error) && error.code.startsWith("egress.")) throw error;
    if (!isHearthError(error)) log.write("error", "the model door failed", { error });
    const body = leakScan.redactError(toErrorBody(error));
    const retryAfterMs = isHearthError(error) ? error.retryAfterMs : undefined;
    return { error: body, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  };

  const refuse = (vendorApi: VendorApi, failure: Failure): OwnAnswer => {
    const status = statusOf(failure.error.code);
    return json(status, vendorApi.failure(failure.error, status), retryHeaders(failure));
  };

  const call = async (vendorApi: VendorApi, { agent, caller, body }: OwnRequest): Promise<OwnAnswer> => {
    const state = stateOf(caller);
    if (state.calls >= MAX_CALLS) throw tooManyCallsError();
    state.calls += 1;
    let modelStream: ModelStream | undefined;
    let isClosed = false;
    const close: OwnAnswer["close"] = async () => {
      if (!isClosed) state.calls -= 1;
      isClosed = true;
      return modelStream?.close();
    };
    try {
      const parsed = vendorApi.read(await readJson(body));
      const modelName = agent.content.model ?? DEFAULT_MODEL;
      const fallback = agent.content.fallback ?? [];
      const { provider: unpaidProvider, model } = await providers.resolve(modelName, fallback);
      const { activation } = caller;
      const provider = pay(unpaidProvider, { agent, activation, models: [modelName, ...fallback] });
      const messages = state.sealedReasoning.restore(parsed.request.messages);
      const request = leakScan.redactRequest({ ...parsed.request, messages, model });
      const onEnd = startSpan(activation, unpaidProvider.kind, model);
      modelStream = createModelStream({ provider, request, signal: caller.signal, clock: world.clock, onEnd });
      const writer = parsed.createWriter({
        id: world.random(ID_BYTES).toHex(),
        model: modelName,
        at: world.clock.now(),
      });
      const answer = await (parsed.streams ? stream : answerWhole)(
        vendorApi,
        writer,
        createEventReader(modelStream, state.sealedReasoning),
      );
      return { ...answer, close };
    } catch (error) {
      await close();
      throw error;
    }
  };

  /** Starts the span of a call, and returns the function that ends it. */
  const startSpan = (activation: ActivationId, provider: string, model: string): ((end: CallEnd) => void) => {
    const span = telemetry.start("model", activation);
    return ({ usage, error }) =>
      span?.end({
        provider,
        model,
        caller: "program",
        inputTokens: usage?.inputTokens ?? 0,
        outputTokens: usage?.outputTokens ?? 0,
        cachedTokens: usage?.cacheReadTokens ?? 0,
        ...(error === undefined ? {} : { error: error.code }),
      });
  };

  /** Creates the function that reads events and stores their sealed reasoning. */
  const createEventReader =
    (modelStream: ModelStream, sealedReasoning: SealedReasoning) => async (): Promise<ModelStreamEvent> => {
      const event = await modelStream.next();
      if (event.type === "end") sealedReasoning.store(event.message);
      return event.type === "error" ? { ...event, error: leakScan.redactError(event.error) } : event;
    };

  const answerWhole = async (
    vendorApi: VendorApi,
    writer: Writer,
    next: () => Promise<ModelStreamEvent>,
  ): Promise<OwnAnswer> => {
    for (;;) {
      const event = await next();
      if (event.type === "end") return json(200, writer.whole(event));
      if (event.type === "error") return refuse(vendorApi, event);
    }
  };

  /**
   * Streams the answer. A failure before the first event is an ordinary response. A later failure
   * can only be sent in the stream.
   */
  const stream = async (
    vendorApi: VendorApi,
    writer: Writer,
    next: () => Promise<ModelStreamEvent>,
  ): Promise<OwnAnswer> => {
    const firstEvent = await next();
    if (firstEvent.type === "error") return refuse(vendorApi, firstEvent);
    return { ...NOTHING_TO_CLOSE, status: 200, headers: EVENTS, body: streamEvents(writer, firstEvent, next) };
  };

  return async (request) => {
    const { method, path } = request;
    const vendorApi = VENDOR_APIS[path] ?? (path.startsWith("/v1/messages") ? anthropic : openai);
    try {
      if (path === MODELS_PATH && method === "GET") return json(200, listModels(request));
      if (VENDOR_APIS[path] === undefined || method !== "POST") throw noSuchPathError(request);
      return await call(vendorApi, request);
    } catch (error) {
      return refuse(vendorApi, toFailure(error));
    }
  };
};

async function* streamEvents(
  writer: Writer,
  firstEvent: ModelStreamEvent,
  next: () => Promise<ModelStreamEvent>,
): AsyncGenerator<Uint8Array> {
  yield UTF8.encode(writer.start());
  for (let event = firstEvent; ; event = await next()) {
    switch (event.type) {
      case "silence":
        yield UTF8.encode(writer.silence());
        break;
      case "text-delta":
        yield UTF8.encode(writer.text(event.text));
        break;
      case "end":
        yield UTF8.encode(writer.end(event));
        return;
      case "error":
        yield UTF8.encode(writer.failure(event.error, statusOf(event.error.code)));
        return;
    }
  }
}

const UTF8 = new TextEncoder();
const EVENTS: readonly HeaderLine[] = [
  ["Content-Type", "text/event-stream; charset=utf-8"],
  ["Cache-Control", "no-cache"],
];
const NOTHING_TO_CLOSE: Pick<OwnAnswer, "close"> = { close: async () => undefined };

const json = (status: number, body: object, headers: readonly HeaderLine[] = []): OwnAnswer => ({
  ...NOTHING_TO_CLOSE,
  status,
  headers: [["Content-Type", "application/json"], ...headers],
  body: UTF8.encode(JSON.stringify(body)),
});

/** Lists the agent's model, which is the only one that answers, in the format of both vendors. */
const listModels = ({ agent: { content, createdAt } }: OwnRequest): object => {
  const id = content.model ?? DEFAULT_MODEL;
  const created = { created: Math.floor(createdAt / 1000), created_at: new Date(createdAt).toISOString() };
  const model = { id, object: "model", owned_by: "hearth", type: "model", display_name: id, ...created };
  return { object: "list", data: [model], has_more: false, first_id: id, last_id: id };
};

/** Reads the body as JSON. Throws `request.too-large`, `request.invalid`. */
const readJson = async (body: AsyncIterable<Uint8Array>): Promise<unknown> => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  let text = "";
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_REQUEST_SIZE)
      throw new HearthError("request.too-large", `The request is larger than ${MAX_REQUEST_SIZE} bytes.`, {
        hint: "Shorten the conversation, or send smaller pictures.",
      });
    text += decode(decoder, piece);
  }
  text += decode(decoder);
  checkJson(text);
  return parseJson(text);
};

const decode = (decoder: TextDecoder, piece?: Uint8Array): string => {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw new HearthError("request.invalid", "The body is not valid UTF-8.", { hint: "Send uncompressed JSON." });
  }
};

const noSuchPathError = ({ method, path }: OwnRequest): HearthError =>
  new HearthError("request.not-found", `${MODEL_HOST} has no ${method} ${path}.`, {
    hint: `It has ${Object.keys(VENDOR_APIS)
      .map((apiPath) => `POST ${apiPath}`)
      .join(", ")} and GET ${MODELS_PATH}.`,
  });

const tooManyCallsError = (): HearthError =>
  new HearthError(
    "provider.rate-limited",
    `This turn already has ${MAX_CALLS} model calls in progress, which is the limit.`,
    {
      hint: "Wait until one of them is answered.",
      retryAfterMs: 1000,
    },
  );
