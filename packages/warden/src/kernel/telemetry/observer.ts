/** Measurements of the work of the house, and the interface of the observers that receive them. */
import type { AgentId, ErrorCode, Fetch, RoomId } from "@hearth/protocol";
import type { Log } from "../log/log.ts";

export const spanKinds = ["turn", "model", "tool", "cell"] as const;
/** `cell`: the wait for a sandbox. */
export type SpanKind = (typeof spanKinds)[number];

/**
 * Facts about an operation. Each value is an id, a number or a word of a closed list, except the
 * name of a model, from which secrets are removed. The facts contain no message text, no error
 * message, and no name of a person, an agent, a room or a file.
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
  /** `program`: a program in a cell made the model call. Absent: the turn did. */
  readonly caller?: "program";
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  /** The name of a tool of the house, or `other`. */
  readonly tool?: string;
  /** Where the tool ran. */
  readonly place?: "cell" | "host";
  /** The error's code. `tool` means that the tool reported a failure. */
  readonly error?: ErrorCode | "tool";
}

/** One finished operation. All spans of one turn have the same trace. */
export interface Span {
  readonly kind: SpanKind;
  /** 32 lower-case hex digits, derived from the activation. */
  readonly trace: string;
  /** An id of 16 lower-case hex digits. */
  readonly id: string;
  /** The span of the turn's run. Absent for that span itself, and if the turn has ended. */
  readonly parent?: string;
  /** UTC milliseconds. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly facts: SpanFacts;
}

/**
 * Contract, checked by `observerConformance`:
 * - `record` never throws and never waits, even if the receiver of the spans fails
 * - `close` resolves when all recorded spans are sent or dropped, and can be called twice
 * - no span is sent after `close`
 */
export interface Observer {
  record(span: Span): void;
  /**
   * Returns the current metrics in the text format of Prometheus. Absent for observers that send
   * their metrics themselves.
   */
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
  /** The endpoint to which OTLP is sent. */
  readonly otlp: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> };
}

export type ObserverFactory = (options: ObserverOptions) => Observer;
