/**
 * The choke point: whatever an agent does beyond thinking passes here, stage by stage in one order, and nothing passes
 * beside it. A stage lets it go on, refuses it with words for the model, or makes it wait for a person.
 */
import type { ChargeGate } from "../models/index.ts";
import type { Change, NewEvent } from "../kernel/index.ts";
import type { ActivationId, AgentId, DeliveryId, Place, ToolCall } from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import type { TurnTaint } from "./taint/turn-taint.ts";
import { type LeakScan, noLeakScan } from "./text/leak-scan.ts";

/** In the order in which they are asked. What costs nothing and forbids most comes first; `journal` is the last before anything crosses. */
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
  /** Whose levels count: the room that it was woken in; for one that another agent asked, its own house. */
  readonly place: Place;
  readonly step: number;
  /** What a crash in the middle of it means. */
  readonly effect: EffectClass;
  /** Aborted when the activation is stopped. */
  readonly signal: AbortSignal;
}

export type Effect =
  | (EffectBase & {
      readonly kind: "model";
      readonly name: string;
      readonly request: string;
      /** Whom it asks, and who is asked in its place, `provider/model`. */
      readonly models: readonly string[];
      /** More tokens than the request can be. */
      readonly inputTokens: number;
      readonly maxOutputTokens: number;
      /** Another activation asked for this one, and pays for it too. */
      readonly isChild: boolean;
      /** It is a heartbeat's, whose budget it counts for too. */
      readonly isHeartbeat?: boolean;
    })
  | (EffectBase & {
      readonly kind: "tool";
      readonly call: ToolCall;
      /** Names of the tools that this activation was given when it was frozen. */
      readonly granted: readonly string[];
      /** Calls of this activation before this one, by tool and input. */
      readonly earlier: readonly ToolCall[];
      /** Calls that others made on its behalf: they count as its own. Absent: none. */
      readonly delegated?: number;
      /** Calls that it was given at its start, where that is less than the house allows. */
      readonly maxToolCalls?: number;
      /** What the activation has read so far. */
      readonly taint: TurnTaint;
    })
  /** A request to the network. Whether a grant allows it was asked before. */
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
      /** Aborted when the activation is over. */
      readonly signal: AbortSignal;
      /** What the activation has read so far. */
      readonly taint: TurnTaint;
    }
  /** A message on its way out of the house, of whoever wrote it. */
  | {
      readonly kind: "send";
      readonly delivery: DeliveryId;
      readonly channel: string;
      readonly conversation: string;
      readonly text: string;
    };

/** On what a call of a model may be made. Whoever makes it closes them once it is over. */
export interface Terms {
  /** Asked in place of its own, `provider/model`. */
  readonly model?: string;
  readonly maxOutputTokens: number;
  /** What each request of the call has to pass: the first is held back for already. */
  readonly toll: ChargeGate;
  /** What is held back and was not asked with is free again. */
  close(): void;
}

/** What is true from the commit on in which an effect begins, or its activation waits. A guard that does not hold: nothing was written. */
export interface Along extends Change {
  readonly events?: readonly NewEvent[];
}

export type Verdict =
  /** `byWord`: it would not be without what a person said of it. */
  | { readonly verdict: "on"; readonly terms?: Terms; readonly byWord?: true }
  /** `text` is for the model, which may do better. */
  | { readonly verdict: "refused"; readonly stage: StageName; readonly text: string }
  /** For a person's decision. The effect passes all stages again after it. */
  | { readonly verdict: "waiting"; readonly stage: StageName; readonly text: string; readonly along?: Along }
  /** The activation is to end. With a hint where a person can do something about it: then they are told so in words. */
  | { readonly verdict: "stopped"; readonly stage: StageName; readonly text: string; readonly hint?: string };

/** Why a person is to be asked before it goes on. */
export interface Ask {
  readonly stage: StageName;
  /** For that person. */
  readonly text: string;
  /** Fields of the call that it is about; none: the call as a whole. */
  readonly fields: readonly string[];
}

type Opinion =
  | {
      readonly [Kind in Exclude<Verdict["verdict"], "on">]: Omit<Extract<Verdict, { verdict: Kind }>, "stage">;
    }[Exclude<Verdict["verdict"], "on">]
  /** `along`: for the commit of the journal's `started`. */
  | { readonly verdict: "on"; readonly terms?: Terms; readonly along?: Change; readonly byWord?: true }
  /** Not without a person's word. The stages after it may refuse it all the same; `approval` knows the word, or waits for it. */
  | ({ readonly verdict: "ask"; readonly terms?: Terms } & Omit<Ask, "stage">);

/** `asks`: what the stages before it would have a person asked. Throws only what would end the activation: a journal that cannot be written. */
export type Stage = (effect: Effect, asks?: readonly Ask[]) => Opinion | Promise<Opinion>;

export interface ChokePoint {
  /** What comes of an effect is looked through before anybody reads it. */
  readonly leaks: LeakScan;
  /**
   * Asks the stages in order; the first that does not say `on` decides. Nobody is asked after it. `journal` resolves with false when
   * something that a stage went by has changed meanwhile: then nothing begins.
   */
  pass(effect: Effect, journal: (along?: Change) => Promise<unknown>): Promise<Verdict>;
}

export const ON = { verdict: "on" } as const satisfies Opinion;
const open: Stage = () => ON;
/** Where nobody can be asked, what would be asked is not done. */
const nobody: Stage = (_, [first] = []) =>
  first === undefined
    ? ON
    : { verdict: "refused", text: `It takes a person's word, and nobody can be asked: ${first.text}` };

const OVERTAKEN: Verdict = {
  ...{ verdict: "refused", stage: "approval" },
  text: "What allowed this call was used or taken back a moment ago, so it was not made.",
};

/** A stage that is left out lets everything go on, but for what a person would be asked. `journal` is the caller's own, for it knows the lease. */
export const createChokePoint = (
  stages: Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>>,
  leaks: LeakScan = noLeakScan,
): ChokePoint => ({
  leaks,
  async pass(effect, journal) {
    const asks: Ask[] = [];
    let terms: Terms | undefined;
    let along: Change | undefined;
    let byWord = false;
    let isOn = false;
    try {
      for (const stage of STAGES) {
        if (stage === "journal") {
          if ((await journal(along)) === false) return OVERTAKEN;
          continue;
        }
        const opinion = await (stages[stage] ?? (stage === "approval" ? nobody : open))(effect, asks);
        if (opinion.verdict !== "on" && opinion.verdict !== "ask") return { ...opinion, stage };
        terms = opinion.terms ?? terms;
        if (opinion.verdict === "on") {
          along = opinion.along ?? along;
          byWord ||= opinion.byWord === true;
        }
        if (opinion.verdict === "ask") asks.push({ stage, text: opinion.text, fields: opinion.fields });
      }
      isOn = true;
      return { verdict: "on", ...(terms === undefined ? {} : { terms }), ...(byWord ? { byWord } : {}) };
    } finally {
      // Nothing is held back for what is not done.
      if (!isOn) terms?.close();
    }
  },
});
