/**
 * Who is woken when byte streams of a house grow: by a signed request to an address of its own, or by an event in a wake stream that
 * workers read and race for. Neither brings the data: who is woken reads it, says how far it has come, and is woken for the rest.
 *
 * Who may subscribe is decided before; here it is only asked again whether its maker still may.
 */
import type { AgentId, HouseId } from "@hearth/protocol";

interface Base {
  /** Paths of the house: `*` is one segment, `**` any number of them. */
  readonly pattern?: string;
  /** Paths by name, sorted. */
  readonly streams: readonly string[];
  /** How long who was woken may be silent. */
  readonly leaseMs: number;
  readonly description?: string;
}
export type SubscriptionConfig =
  | (Base & { readonly type: "webhook"; readonly url: string })
  | (Base & { readonly type: "pull-wake"; readonly wakeStream: string });

export interface Link {
  readonly path: string;
  readonly kind: "explicit" | "glob";
  /** The last offset that was dealt with. */
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
  /** A delivery failed and is to be tried again. */
  readonly isFailing: boolean;
}

export type Subscribed =
  | { readonly kind: "created" | "known"; readonly subscription: Subscription }
  /** There is one of this id that was asked for otherwise. */
  | { readonly kind: "differs" }
  | { readonly kind: "full" };

/** What a worker works under until its lease ends. */
export interface Wake {
  readonly id: string;
  readonly generation: number;
  /** Lets its holder report on this wake and do nothing else. */
  readonly token: string;
  readonly links: readonly LinkState[];
  readonly leaseMs: number;
}

export type Claimed =
  | { readonly kind: "claimed"; readonly wake: Wake }
  | { readonly kind: "held"; readonly holder: string; readonly generation: number }
  | { readonly kind: "idle" | "absent" | "not-claimed" };

export interface Report {
  readonly wake: string;
  readonly generation: number;
  readonly acks: readonly { readonly path: string; readonly offset: number }[];
  /** Else it goes on, and its lease begins anew. */
  readonly isDone: boolean;
}

export type Reported =
  | { readonly kind: "taken"; readonly wakesAgain: boolean }
  /** The token is of no subscription of this id, or of one that is gone. */
  | { readonly kind: "unknown" }
  /** Another wake has begun, or this one is over. */
  | { readonly kind: "fenced" }
  /** It looks at no such stream, or that is not so long. */
  | { readonly kind: "no-such-offset"; readonly path: string };

/**
 * Contract, checked by `subscriptionsConformance`:
 * - a stream that grows past what was dealt with wakes, also when it grew while the house was down
 * - at most one wake is under way; the next one has a greater generation, and reports on an earlier one change nothing
 * - what a lease does not bring to an end in time is begun anew
 * - a subscription sees streams of its house and no others
 */
export interface Subscriptions {
  put(house: HouseId, id: string, owner: AgentId, config: SubscriptionConfig): Promise<Subscribed>;
  get(house: HouseId, id: string): Promise<Subscription | undefined>;
  remove(house: HouseId, id: string): Promise<void>;
  /** Adds streams by name, from where they are now. Whether there is such a subscription, and room in it. */
  link(house: HouseId, id: string, paths: readonly string[]): Promise<"linked" | "absent" | "full">;
  /** A stream that fits the pattern stays. */
  unlink(house: HouseId, id: string, path: string): Promise<"unlinked" | "absent">;
  claim(house: HouseId, id: string, worker: string): Promise<Claimed>;
  /** Takes what the holder of a token says about its wake. */
  report(id: string, token: string, report: Report): Promise<Reported>;
  /** Wakes, and wakes again, until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

/** Of one house. */
export const MAX_SUBSCRIPTIONS = 1_000;
/** Named streams of one subscription. */
export const MAX_NAMED = 1_000;
export const DEFAULT_LEASE_MS = 30_000;
