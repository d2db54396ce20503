/** Measurements of the work of the house, and the interface of the observers that receive them. */
import type { AgentId, ErrorCode, Fetch, RoomId } from "@hearth/protocol";
import type { Log } from "../log/log.ts";

export const spanKinds = ["turn", "model", "tool", "cell"] as const;
/** `cell`: the wait for a sandbox. */
export type SpanKind = (typeof spanKinds)[number];

/**
 * Facts about an operation. Each value is an id, a number or a word of a closed list, except the
 * name of a model, from which secrets are removed. No message text, no name of a person, an agent,
 * a room or a file, and no error message is among them.
 */
export interface SpanFacts {
  readonly agent?: AgentId;
  readonly room?: RoomId;
  /** Why the turn began. */
  readonly trigger?: string;
  /** How the turn ended. */
  readonly outcome?: string;
  /** The kind of the provider: the protocol that it speaks. */
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  /** A tool of the house, or `other`. */
  readonly tool?: string;
  /** Where the tool ran. */
  readonly place?: "cell" | "host";
  /** `tool`: the tool reported a failure. */
  readonly error?: ErrorCode | "tool";
}

/** One finished operation. All spans of one turn have the same trace. */
export interface Span {
  readonly kind: SpanKind;
  /** 32 lower-case hex digits, derived from the activation. */
  readonly trace: string;
  /** 16 lower-case hex digits. */
  readonly id: string;
  /** The span of the turn's run. Absent: it is that span, or the turn has ended. */
  readonly parent?: string;
  /** UTC milliseconds. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly facts: SpanFacts;
}

/**
 * Contract, checked by `observerConformance`:
 * - `take` never throws and never waits, whatever fails below it
 * - `close` resolves when everything taken is handed on or given up, and can be called twice
 * - nothing is handed on after `close`
 */
export interface Observer {
  take(span: Span): void;
  /** The present state in the text format of Prometheus. Only for observers that are asked for it. */
  expose?(): string;
  close(): Promise<void>;
}

/** Dependencies of observers. */
export interface ObserverOptions {
  readonly log: Pick<Log, "write">;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly version: string;
  /** Where OTLP is sent. */
  readonly otlp: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> };
}

export type ObserverFactory = (options: ObserverOptions) => Observer;
