/**
 * Serves the model to programs in a cell, at `MODEL_HOST`. Programs use a vendor's API without a
 * key. The house calls the agent's model as it does for the agent's turns, and answers in the same
 * API. Egress has already checked the grant.
 */
import type { Log } from "../../kernel/index.ts";
import type { Pay, LeakScan } from "../../policy/index.ts";
import type { Catalog, Failure } from "../../models/index.ts";
import {
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
import { createModelStream, type ListenEvent, type Listening } from "./listening.ts";
import { openai } from "./openai.ts";
import type { VendorApi, Writer } from "./vendor-api.ts";
import { retryHeaders, statusOf } from "./status.ts";
import { createSealedReasoning, type SealedReasoning } from "./sealed-reasoning.ts";

export interface ModelDoorOptions {
  readonly world: Pick<World, "clock" | "random" | "hash">;
  readonly log: Log;
  readonly providers: Pick<Catalog, "resolve">;
  readonly leakScan: Pick<LeakScan, "redactRequest" | "redactError">;
  /** Charges each call to the turn in which it is made. */
  readonly pay: Pay;
}

/** Maximum number of concurrent calls of one turn. */
export const MAX_CALLS = 8;
/** Maximum size of a request in bytes, which exceeds what any model reads. */
export const MAX_REQUEST_SIZE = 8 * 1024 * 1024;
const ID_SIZE = 12;

const SHAPES: Readonly<Record<string, VendorApi>> = { "/v1/messages": anthropic, "/v1/chat/completions": openai };
const MODELS = "/v1/models";

/** The open calls of one turn's programs. */
interface Turn {
  calls: number;
  readonly thoughts: SealedReasoning;
}

export const createModelDoor = (options: ModelDoorOptions): OwnHost => {
  const { world, log, providers, leakScan, pay } = options;
  /** The turns by caller. An entry lives as long as its caller. */
  const turns = new WeakMap<EgressCaller, Turn>();

  const turnOf = (caller: EgressCaller): Turn => {
    const turn = turns.get(caller) ?? { calls: 0, thoughts: createSealedReasoning(world) };
    turns.set(caller, turn);
    return turn;
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

  const refuse = (shape: VendorApi, failure: Failure): OwnAnswer => {
    const status = statusOf(failure.error.code);
    return json(status, shape.failure(failure.error, status), retryHeaders(failure));
  };

  const call = async (shape: VendorApi, { agent, caller, body }: OwnRequest): Promise<OwnAnswer> => {
    const turn = turnOf(caller);
    if (turn.calls >= MAX_CALLS) throw tooManyCallsError();
    turn.calls += 1;
    let listening: Listening | undefined;
    let isClosed = false;
    const close: OwnAnswer["close"] = async () => {
      if (!isClosed) turn.calls -= 1;
      isClosed = true;
      return listening?.close();
    };
    try {
      const parsed = shape.read(await readJson(body));
      const named = agent.content.model ?? DEFAULT_MODEL;
      const fallback = agent.content.fallback ?? [];
      const { provider: unpaid, model } = await providers.resolve(named, fallback);
      const { activation } = caller;
      const provider = pay(unpaid, { agent, activation, models: [named, ...fallback] });
      const messages = turn.thoughts.restore(parsed.request.messages);
      const request = leakScan.redactRequest({ ...parsed.request, messages, model });
      listening = createModelStream({ provider, request, signal: caller.signal, clock: world.clock });
      const writer = parsed.createWriter({ id: world.random(ID_SIZE).toHex(), model: named, at: world.clock.now() });
      const answer = await (parsed.streams ? stream : answerWhole)(shape, writer, hearing(listening, turn.thoughts));
      return { ...answer, close };
    } catch (error) {
      await close();
      throw error;
    }
  };

  /** Creates the function that reads events and stores their sealed reasoning. */
  const hearing = (listening: Listening, thoughts: SealedReasoning) => async (): Promise<ListenEvent> => {
    const heard = await listening.next();
    if (heard.type === "end") thoughts.keep(heard.message);
    return heard.type === "error" ? { ...heard, error: leakScan.redactError(heard.error) } : heard;
  };

  const answerWhole = async (
    shape: VendorApi,
    writer: Writer,
    next: () => Promise<ListenEvent>,
  ): Promise<OwnAnswer> => {
    for (;;) {
      const heard = await next();
      if (heard.type === "end") return json(200, writer.whole(heard));
      if (heard.type === "error") return refuse(shape, heard);
    }
  };

  /**
   * Streams the answer. A failure before the first event is an ordinary response. A later failure
   * can only be sent in the stream.
   */
  const stream = async (shape: VendorApi, writer: Writer, next: () => Promise<ListenEvent>): Promise<OwnAnswer> => {
    const first = await next();
    if (first.type === "error") return refuse(shape, first);
    return { ...NOTHING_TO_CLOSE, status: 200, headers: EVENTS, body: streamEvents(writer, first, next) };
  };

  return async (request) => {
    const { method, path } = request;
    const shape = SHAPES[path] ?? (path.startsWith("/v1/messages") ? anthropic : openai);
    try {
      if (path === MODELS && method === "GET") return json(200, listModels(request));
      if (SHAPES[path] === undefined || method !== "POST") throw noSuchPathError(request);
      return await call(shape, request);
    } catch (error) {
      return refuse(shape, toFailure(error));
    }
  };
};

async function* streamEvents(
  writer: Writer,
  first: ListenEvent,
  next: () => Promise<ListenEvent>,
): AsyncGenerator<Uint8Array> {
  yield UTF8.encode(writer.start());
  for (let heard = first; ; heard = await next()) {
    switch (heard.type) {
      case "silence":
        yield UTF8.encode(writer.silence());
        break;
      case "text-delta":
        yield UTF8.encode(writer.text(heard.text));
        break;
      case "end":
        yield UTF8.encode(writer.end(heard));
        return;
      case "error":
        yield UTF8.encode(writer.failure(heard.error, statusOf(heard.error.code)));
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
    hint: `It has ${Object.keys(SHAPES)
      .map((known) => `POST ${known}`)
      .join(", ")} and GET ${MODELS}.`,
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
