/**
 * The choke point: every effect of an agent passes its stages in one order, and there is no other
 * path. A stage allows the effect, refuses it with a text for the model, or makes it wait for a
 * person.
 */
import type { ChargeGate } from "../models/index.ts";
import type { Change, NewEvent } from "../kernel/index.ts";
import type { ActivationId, AgentId, DeliveryId, Place, ToolCall } from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import type { TurnTaint } from "./taint/turn-taint.ts";
import { type LeakScan, noLeakScan } from "./text/leak-scan.ts";

/**
 * In the order of their calls. Cheap and strict stages come first; `journal` is the last before the
 * effect happens.
 */
export const STAGES = [
  "stop",
  "budget",
  "schema",
  "role",
  "labels",
  "quota",
  "approval",
  "journal",
  "credentials",
  "leak-scan",
  "audit",
] as const;
export type StageName = (typeof STAGES)[number];

interface EffectBase {
  readonly activation: ActivationId;
  readonly agent: { readonly id: AgentId; readonly handle: string };
  /**
   * The place whose permission levels apply: the room that woke the activation, or the agent's
   * house if another agent requested it.
   */
  readonly place: Place;
  readonly step: number;
  /** The meaning of a crash in the middle of it. */
  readonly effect: EffectClass;
  /** Aborts when the activation is stopped. */
  readonly signal: AbortSignal;
}

export type Effect =
  | (EffectBase & {
      readonly kind: "model";
      readonly name: string;
      readonly request: string;
      /** The requested model and its fallbacks, as `provider/model`. */
      readonly models: readonly string[];
      /** An upper bound of the request's input tokens. */
      readonly inputTokens: number;
      readonly maxOutputTokens: number;
      /** Another activation requested this one and pays for it too. */
      readonly isChild: boolean;
      /** The call belongs to a heartbeat and also counts against the heartbeat budget. */
      readonly isHeartbeat?: boolean;
    })
  | (EffectBase & {
      readonly kind: "tool";
      readonly call: ToolCall;
      /** Names of the tools that the activation's frozen input grants. */
      readonly granted: readonly string[];
      /** Earlier calls of this activation, by tool and input. */
      readonly earlier: readonly ToolCall[];
      /** Calls that other activations made on its behalf; they count as its own. Default: 0. */
      readonly delegated?: number;
      /** The activation's limit of tool calls, if it is lower than the house's. */
      readonly maxToolCalls?: number;
      /** The taint of the activation so far. */
      readonly taint: TurnTaint;
    })
  /** A network request that a grant already allows. */
  | {
      readonly kind: "egress";
      readonly activation: ActivationId;
      readonly agent: { readonly id: AgentId; readonly handle: string };
      readonly scheme: "http" | "https";
      readonly host: string;
      readonly port: number;
      readonly method: string;
      /** With its query. */
      readonly path: string;
      /** Aborts when the activation ends. */
      readonly signal: AbortSignal;
      /** The taint of the activation so far. */
      readonly taint: TurnTaint;
    }
  /** A message that leaves the house, from any author. */
  | {
      readonly kind: "send";
      readonly delivery: DeliveryId;
      readonly channel: string;
      readonly conversation: string;
      readonly text: string;
    };

/** The reservation of an admitted model call. The caller closes them when the call is over. */
export interface CallReservation {
  /** The model to call instead of the requested one, as `provider/model`. */
  readonly model?: string;
  readonly maxOutputTokens: number;
  /** Reserves each request of the call; the first is already reserved. */
  readonly chargeGate: ChargeGate;
  /** Releases what was reserved and not used. */
  close(): void;
}

/**
 * Changes of the commit in which an effect begins or its activation starts to wait. If a guard
 * fails, nothing is written.
 */
export interface EffectChange extends Change {
  readonly events?: readonly NewEvent[];
}

export type Verdict =
  /** `byPerson`: a person approved it. */
  | { readonly verdict: "allowed"; readonly reservation?: CallReservation; readonly byPerson?: true }
  /** `text` tells the model why, so that it can try something else. */
  | { readonly verdict: "refused"; readonly stage: StageName; readonly text: string }
  /** Waits for a person's decision. After it, the effect passes all stages again. */
  | {
      readonly verdict: "waiting";
      readonly stage: StageName;
      readonly text: string;
      readonly sameCommit?: EffectChange;
    }
  /** The activation ends. A hint says what a person can do about it. */
  | { readonly verdict: "stopped"; readonly stage: StageName; readonly text: string; readonly hint?: string };

/** Why a stage wants a person's approval. */
export interface Ask {
  readonly stage: StageName;
  /** For the person who decides. */
  readonly text: string;
  /** The fields of the call that need approval. Empty: the call as a whole. */
  readonly fields: readonly string[];
}

type StageVerdict =
  | {
      readonly [Kind in Exclude<Verdict["verdict"], "allowed">]: Omit<Extract<Verdict, { verdict: Kind }>, "stage">;
    }[Exclude<Verdict["verdict"], "allowed">]
  /** `sameCommit`: for the commit of the journal's `started`. */
  | {
      readonly verdict: "allowed";
      readonly reservation?: CallReservation;
      readonly sameCommit?: Change;
      readonly byPerson?: true;
    }
  /**
   * Needs a person's approval. Later stages may still refuse it; `approval` finds the decision or
   * waits for it.
   */
  | ({ readonly verdict: "ask"; readonly reservation?: CallReservation } & Omit<Ask, "stage">);

/**
 * `asks` are the approvals that earlier stages want. Throws only errors that end the activation,
 * such as a journal that cannot be written.
 */
export type Stage = (effect: Effect, asks?: readonly Ask[]) => StageVerdict | Promise<StageVerdict>;

export interface ChokePoint {
  /** Scans the result of an effect for secrets before the agent or the model reads it. */
  readonly leakScan: LeakScan;
  /**
   * Calls the stages in order. The first one that neither allows nor asks decides, and later ones
   * are not called. `journal` resolves with false if something that a stage relied on has changed;
   * then the effect does not begin.
   */
  pass(effect: Effect, journal: (sameCommit?: Change) => Promise<unknown>): Promise<Verdict>;
}

export const ALLOWED = { verdict: "allowed" } as const satisfies StageVerdict;
const open: Stage = () => ALLOWED;
/** Refuses what would need approval, where approval is impossible. */
const withoutApprovals: Stage = (_, [first] = []) =>
  first === undefined
    ? ALLOWED
    : { verdict: "refused", text: `This needs a person's approval, which is not possible here: ${first.text}` };

const OVERTAKEN: Verdict = {
  verdict: "refused",
  stage: "approval",
  text: "The approval for this call was just used or withdrawn. The call was not made.",
};

/**
 * A missing stage allows everything, except that a missing `approval` refuses what needs approval.
 * The caller passes `journal`, because it knows the lease.
 */
export const createChokePoint = (
  stages: Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>>,
  leakScan: LeakScan = noLeakScan,
): ChokePoint => ({
  leakScan,
  async pass(effect, journal) {
    const asks: Ask[] = [];
    let reservation: CallReservation | undefined;
    let sameCommit: Change | undefined;
    let byPerson = false;
    let isAllowed = false;
    try {
      for (const stage of STAGES) {
        if (stage === "journal") {
          if ((await journal(sameCommit)) === false) return OVERTAKEN;
          continue;
        }
        const opinion = await (stages[stage] ?? (stage === "approval" ? withoutApprovals : open))(effect, asks);
        if (opinion.verdict !== "allowed" && opinion.verdict !== "ask") return { ...opinion, stage };
        reservation = opinion.reservation ?? reservation;
        if (opinion.verdict === "allowed") {
          sameCommit = opinion.sameCommit ?? sameCommit;
          byPerson ||= opinion.byPerson === true;
        }
        if (opinion.verdict === "ask") asks.push({ stage, text: opinion.text, fields: opinion.fields });
      }
      isAllowed = true;
      return {
        verdict: "allowed",
        ...(reservation === undefined ? {} : { reservation }),
        ...(byPerson ? { byPerson } : {}),
      };
    } finally {
      // Releases the reservation of an effect that does not happen.
      if (!isAllowed) reservation?.close();
    }
  },
});
