/** The vendor's side of a wire, as the wire clauses need it. Contains no tests. */
import type { ModelRequest, StopReason, ToolCall } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { type Answer, ask, collect, type OpenProvider, type ProviderHarness } from "../provider.conformance.ts";
import type { ProviderFactory } from "../provider.ts";
import type { RawCall } from "./reply.ts";
import { createFakeWire, type FakeWire, type WireReply } from "./wire-fake.ts";

export interface WireAnswer {
  readonly texts: readonly string[];
  readonly calls?: readonly RawCall[];
  readonly stop?: StopReason;
  /** In the vendor's own shape. */
  readonly usage?: unknown;
}

/** How a vendor writes its responses. */
export interface VendorWire {
  /** Returns the whole stream of one answer. */
  stream(answer: WireAnswer): string;
  /** Returns the beginning of a stream with these texts. */
  begin(texts: readonly string[]): string;
  /** A failure in the middle of a stream: the vendor is overloaded. */
  readonly overloadedEvent: string;
  /** Bodies of failures. `message` goes where the vendor puts its text. */
  complaint(
    kind: "auth" | "rate" | "overloaded" | "failed" | "overflow",
    message: string,
  ): { readonly status: number; readonly body: string };
  readonly brokenUsages: readonly unknown[];
  readonly recordings: readonly Recording[];
  /**
   * An answer whose thoughts, each with the word "sealed" in it, have to be sent back with the
   * results of its calls.
   */
  readonly thinking: Recording & {
    /** The assistant's turn of the next request, in the vendor's own shape. */
    readonly back: unknown;
  };
}

/** A stream in the vendor's real shape. */
export interface Recording {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Occurs in the event that completes the answer, and not before. */
  readonly terminal: string;
  readonly expected: {
    readonly text: string;
    readonly toolCalls: readonly ToolCall[];
    readonly stopReason: StopReason;
    readonly inputTokens: number;
  };
}

export const KEY = "key-4711-and-nobody-may-see-it";

export interface OpenWire extends OpenProvider {
  readonly wire: FakeWire;
  readonly world: FakeWorld;
}

export const hash = (): string => "0".repeat(64);
const encoder = new TextEncoder();
export const bytes = (text: string): Uint8Array => encoder.encode(text);
export const neverAborted = new AbortController().signal;

export const openWire = async (factory: ProviderFactory, replies: readonly WireReply[]): Promise<OpenWire> => {
  const wire = createFakeWire(replies);
  const world = createFakeWorld({ hash, fetch: wire.fetch });
  const provider = await factory({ apiKey: KEY, fetch: wire.fetch, clock: world.clock });
  return { provider, world, wire, calls: () => wire.requests.length, openConnections: wire.open };
};

export const wireHarness = (factory: ProviderFactory, vendor: VendorWire): ProviderHarness<WireReply> => {
  const createStreamReply = (text: string): WireReply => ({ chunks: [bytes(text)] });
  const createFailure = (kind: Parameters<VendorWire["complaint"]>[0], message: string): WireReply => {
    const { status, body } = vendor.complaint(kind, message);
    return { status, headers: { "content-type": "application/json" }, chunks: [bytes(body)] };
  };
  const splitWords = (text: string): readonly string[] => text.match(/\s*\S+/g) ?? [];
  const toRawCalls = (calls: readonly ToolCall[]): readonly RawCall[] =>
    calls.map(({ id, name, input, unreadable }) => ({ id, name, input: unreadable ?? JSON.stringify(input) }));
  return {
    open: (replies) => openWire(factory, replies),
    saying: (text) => createStreamReply(vendor.stream({ texts: splitWords(text) })),
    calling: (calls, text) =>
      createStreamReply(vendor.stream({ texts: splitWords(text), calls: toRawCalls(calls), stop: "tool-calls" })),
    stopping: (stop, text, calls) =>
      createStreamReply(vendor.stream({ texts: splitWords(text), calls: toRawCalls(calls), stop })),
    listing: (names) => listOf(names.map((id) => ({ id, object: "model" }))),
    silent: (text) => ({ chunks: [bytes(vendor.begin([text]))], then: "hang" }),
    unauthorized: () => createFailure("auth", "invalid key"),
    rateLimited: () => createFailure("rate", "slow down"),
    overloaded: () => createFailure("overloaded", "Overloaded"),
    failing: () => createFailure("failed", "Internal server error"),
    contextOverflow: () => createFailure("overflow", ""),
  };
};

/** Returns the answer of a server with these models, as all vendors write it. */
export const listOf = (models: unknown): WireReply => ({
  headers: { "content-type": "application/json" },
  chunks: [bytes(JSON.stringify({ object: "list", data: models, has_more: false }))],
});

/** Returns the answer for one reply. */
export const answerOf = async (
  factory: ProviderFactory,
  reply: WireReply,
  request: ModelRequest = ask("Hello"),
): Promise<Answer> => {
  const { provider } = await openWire(factory, [reply]);
  return collect(provider.stream(request, neverAborted));
};
