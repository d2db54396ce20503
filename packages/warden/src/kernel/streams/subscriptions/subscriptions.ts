/**
 * Subscriptions notify receivers when byte streams of a house grow: by a signed request to a
 * webhook, or by an event in a wake stream that workers read and claim. Neither contains the data.
 * The receiver reads the data and reports its position. If content remains, it is woken again.
 * The caller checks access. The owner's access is checked again before each wake.
 */
import type { AgentId, HouseId } from "@hearth/protocol";

interface BaseConfig {
  /** A pattern of paths in the house: `*` matches one segment, `**` any number of segments. */
  readonly pattern?: string;
  /** The named paths, sorted. */
  readonly streams: readonly string[];
  /** How long a receiver may take between two reports. */
  readonly leaseMs: number;
  readonly description?: string;
}
export type SubscriptionConfig =
  | (BaseConfig & { readonly type: "webhook"; readonly url: string })
  | (BaseConfig & { readonly type: "pull-wake"; readonly wakeStream: string });

export interface Link {
  readonly path: string;
  readonly kind: "explicit" | "glob";
  /** The last acknowledged offset. */
  readonly acked: number;
}

export interface LinkState extends Link {
  readonly tail: number;
}

export interface Subscription {
  readonly house: HouseId;
  readonly id: string;
  readonly owner: AgentId;
  readonly config: SubscriptionConfig;
  readonly links: readonly Link[];
  readonly createdAt: number;
  /** Whether a delivery failed and will be tried again. */
  readonly isFailing: boolean;
}

export type SubscribeResult =
  | { readonly kind: "created" | "known"; readonly subscription: Subscription }
  /** A subscription with this id and other settings exists. */
  | { readonly kind: "differs" }
  | { readonly kind: "full" };

/** A worker's claim until its lease ends. */
export interface Wake {
  readonly id: string;
  readonly generation: number;
  /** Authorizes its holder to report on this wake only. */
  readonly token: string;
  readonly links: readonly LinkState[];
  readonly leaseMs: number;
}

export type ClaimResult =
  | { readonly kind: "claimed"; readonly wake: Wake }
  | { readonly kind: "held"; readonly holder: string; readonly generation: number }
  | { readonly kind: "idle" | "absent" | "not-claimed" };

export interface Report {
  readonly wake: string;
  readonly generation: number;
  readonly acks: readonly { readonly path: string; readonly offset: number }[];
  /** Whether everything is processed. False if the wake continues with a renewed lease. */
  readonly isDone: boolean;
}

export type ReportResult =
  | { readonly kind: "taken"; readonly wakesAgain: boolean }
  /** The token belongs to no existing subscription of this id. */
  | { readonly kind: "unknown" }
  /** Another wake has begun, or this one has ended. */
  | { readonly kind: "fenced" }
  /** The subscription has no such stream, or the offset is after the stream's end. */
  | { readonly kind: "no-such-offset"; readonly path: string };

/**
 * Contract, checked by `subscriptionsConformance`:
 * - a stream with unacknowledged content wakes its subscriber, even if the stream grew while the house
 *   was stopped
 * - at most one wake is in progress; the next one has a greater generation, and reports on an
 *   earlier one change nothing
 * - a wake whose lease expires is begun again
 * - a subscription sees only streams of its house
 */
export interface Subscriptions {
  put(house: HouseId, id: string, owner: AgentId, config: SubscriptionConfig): Promise<SubscribeResult>;
  get(house: HouseId, id: string): Promise<Subscription | undefined>;
  remove(house: HouseId, id: string): Promise<void>;
  /**
   * Adds named streams, from their current end. `absent`: there is no such subscription. `full`: it has
   * the maximum number of streams.
   */
  link(house: HouseId, id: string, paths: readonly string[]): Promise<"linked" | "absent" | "full">;
  /** Removes a named stream. A stream that matches the pattern stays. */
  unlink(house: HouseId, id: string, path: string): Promise<"unlinked" | "absent">;
  claim(house: HouseId, id: string, worker: string): Promise<ClaimResult>;
  /** Applies the report of a worker, which `token` authorizes. */
  report(id: string, token: string, report: Report): Promise<ReportResult>;
  /** Wakes subscribers, with retries, until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

/** Maximum number of subscriptions per house. */
export const MAX_SUBSCRIPTIONS = 1_000;
/** Maximum number of named streams per subscription. */
export const MAX_EXPLICIT_LINKS = 1_000;
export const DEFAULT_LEASE_MS = 30_000;
