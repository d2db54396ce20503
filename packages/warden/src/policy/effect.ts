/**
 * The choke point. Every effect of an agent passes all its stages in one order, and no code
 * bypasses it. A stage allows the effect, refuses it with a text for the model, or makes it wait
 * for a person.
 */
import type { ChargeGate } from "../models/index.ts";
import type { Change, NewEvent } from "../kernel/index.ts";
import type { ActivationId, AgentId, DeliveryId, Place, ToolCall } from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import type { TurnTaint } from "./taint/turn-taint.ts";
import type { LeakScan } from "./text/leak-scan.ts";

/**
 * The stages in the order of their calls. Cheap and strict stages come first. `journal` is the last
 * stage before the effect happens.
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
   * house if another agent requested the activation.
   */
  readonly place: Place;
  readonly step: number;
  /** What a crash in the middle of the effect means. */
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
      /** Whether another activation requested this one and pays for it too. */
      readonly isChild: boolean;
      /** Whether the call belongs to a heartbeat, and also counts against the heartbeat budget. */
      readonly isHeartbeat?: boolean;
    })
  | (EffectBase & {
      readonly kind: "tool";
      readonly call: ToolCall;
      /** Names of the tools that the activation's stored input grants. */
      readonly granted: readonly string[];
      /** The earlier calls of this activation: tool and input. */
      readonly earlier: readonly ToolCall[];
      /**
       * Number of calls that other activations made on its behalf. They count as its own.
       * Default: 0.
       */
      readonly delegated?: number;
      /** The activation's limit of tool calls. Absent if the house's limit applies. */
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
      /** The path with its query. */
      readonly path: string;
      /**
       * Whether the turn could not put data into the address: the address was judged with a tool
       * call, or a page of the public web redirects there.
       */
      readonly isJudged?: boolean;
      /** Aborts when the activation ends. */
      readonly signal: AbortSignal;
      /** The taint of the activation so far. */
      readonly taint: TurnTaint;
    }
  /** A message of any author that leaves the house. */
  | {
      readonly kind: "send";
      readonly delivery: DeliveryId;
      readonly channel: string;
      readonly conversation: string;
      readonly text: string;
    };

/** The reservation of an admitted model call. The caller closes it at the end of the call. */
export interface CallReservation {
  /** The model to call instead of the requested one, as `provider/model`. */
  readonly model?: string;
  readonly maxOutputTokens: number;
  /** Reserves each request of the call. The first one is already reserved. */
  readonly chargeGate: ChargeGate;
  /** Releases the part of the reservation that was not used. */
  close(): void;
}

/**
 * The changes of the commit in which an effect begins or its activation starts to wait. If a guard
 * fails, nothing is written.
 */
export interface EffectChange extends Change {
  readonly events?: readonly NewEvent[];
}

export type Verdict =
  /** The effect is allowed. `byPerson` means that a person approved it. */
  | { readonly verdict: "allowed"; readonly reservation?: CallReservation; readonly byPerson?: true }
  /** The effect is refused. `text` says why, so that the model can try another way. */
  | { readonly verdict: "refused"; readonly stage: StageName; readonly text: string }
  /** The effect waits for a person's decision. After the decision it passes all stages again. */
  | {
      readonly verdict: "waiting";
      readonly stage: StageName;
      readonly text: string;
      readonly sameCommit?: EffectChange;
    }
  /** The activation ends. `hint` says what a person can do about it. */
  | { readonly verdict: "stopped"; readonly stage: StageName; readonly text: string; readonly hint?: string };

/** The reason why a stage wants a person's approval. */
export interface Ask {
  readonly stage: StageName;
  /** The text for the person who decides. */
  readonly text: string;
  /** The fields of the call that need approval. Empty for the call as a whole. */
  readonly fields: readonly string[];
}

type StageVerdict =
  | {
      readonly [Kind in Exclude<Verdict["verdict"], "allowed">]: Omit<Extract<Verdict, { verdict: Kind }>, "stage">;
    }[Exclude<Verdict["verdict"], "allowed">]
  /** The effect is allowed. `sameCommit` belongs in the commit of the journal's `started`. */
  | {
      readonly verdict: "allowed";
      readonly reservation?: CallReservation;
      readonly sameCommit?: Change;
      readonly byPerson?: true;
    }
  /**
   * The effect needs a person's approval. Later stages may still refuse it. The stage `approval`
   * finds the decision or waits for it.
   */
  | ({ readonly verdict: "ask"; readonly reservation?: CallReservation } & Omit<Ask, "stage">);

/**
 * Judges an effect. `asks` holds the approvals that earlier stages want. Throws only errors that
 * end the activation, such as a journal that cannot be written.
 */
export type Stage = (effect: Effect, asks?: readonly Ask[]) => StageVerdict | Promise<StageVerdict>;

export interface ChokePoint {
  /** Scans the result of an effect for secrets before the agent or the model reads it. */
  readonly leakScan: LeakScan;
  /**
   * Calls the stages in order. The first stage that neither allows nor asks decides, and later
   * stages are not called. `journal` resolves with false if the data on which a stage relied has
   * changed. The effect then does not begin.
   */
  pass(effect: Effect, journal: (sameCommit?: Change) => Promise<unknown>): Promise<Verdict>;
}

export const ALLOWED = { verdict: "allowed" } as const satisfies StageVerdict;
const allowAll: Stage = () => ALLOWED;
/** Refuses an effect that needs approval, where approval is impossible. */
const withoutApprovals: Stage = (_, [firstAsk] = []) =>
  firstAsk === undefined
    ? ALLOWED
    : { verdict: "refused", text: `This needs a person's approval, which is not possible here: ${firstAsk.text}` };

const APPROVAL_LOST: Verdict = {
  verdict: "refused",
  stage: "approval",
  text: "The approval for this call was just used or withdrawn. The call was not made.",
};

/**
 * Creates the choke point. A missing stage allows everything, except that without `approval` an
 * effect that needs approval is refused. The caller passes `journal`, because only the caller knows
 * the lease.
 */
export const createChokePoint = (
  stages: Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>>,
  leakScan: LeakScan,
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
          if ((await journal(sameCommit)) === false) return APPROVAL_LOST;
          continue;
        }
        const stageVerdict = await (stages[stage] ?? (stage === "approval" ? withoutApprovals : allowAll))(
          effect,
          asks,
        );
        if (stageVerdict.verdict !== "allowed" && stageVerdict.verdict !== "ask") return { ...stageVerdict, stage };
        reservation = stageVerdict.reservation ?? reservation;
        if (stageVerdict.verdict === "allowed") {
          sameCommit = stageVerdict.sameCommit ?? sameCommit;
          byPerson ||= stageVerdict.byPerson === true;
        }
        if (stageVerdict.verdict === "ask") asks.push({ stage, text: stageVerdict.text, fields: stageVerdict.fields });
      }
      isAllowed = true;
      return {
        verdict: "allowed",
        ...(reservation === undefined ? {} : { reservation }),
        ...(byPerson ? { byPerson } : {}),
      };
    } finally {
      // The reservation of an effect that does not happen is released.
      if (!isAllowed) reservation?.close();
    }
  },
});
