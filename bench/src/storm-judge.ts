/** Counts lost, doubled and unanswered messages and effects of a storm, from outside the house. */
import type { Fate } from "@hearth/protocol";

/** A message that the house acknowledged. */
export interface Acknowledged {
  readonly mark: number;
  readonly event: string;
}

/** A message of a person or a reply, as its room shows it. */
export interface Shown {
  readonly id: string;
  readonly text: string;
  readonly isReply: boolean;
  readonly causes: readonly string[];
}

export interface Verdict {
  readonly acknowledged: number;
  /** Acknowledged messages that are missing in their rooms. */
  readonly lost: number;
  /** Messages that are stored twice, or that have two replies. */
  readonly doubled: number;
  /** Messages without an answer at the end of the bench. */
  readonly unanswered: number;
  readonly answered: number;
  /** Failed messages by the house's reason. */
  readonly failed: Readonly<Record<string, number>>;
  /** Effects that happened, and calls or messages whose effect happened twice. */
  readonly effects: number;
  readonly effectsDoubled: number;
  /** Marks of the messages with doubled effects. */
  readonly doubledMarks: readonly number[];
}

export const judge = (seen: {
  readonly acknowledged: readonly Acknowledged[];
  readonly shown: readonly Shown[];
  readonly fates: ReadonlyMap<string, Fate>;
  /** How many lines the file of each effect has, by mark and request. */
  readonly effects: readonly { readonly mark: number; readonly lines: number }[];
}): Verdict => {
  const { acknowledged, shown, fates, effects } = seen;
  const present = new Set(shown.map(({ id }) => id));
  const texts = shown.filter(({ isReply }) => !isReply).map(({ text }) => text);
  const causes = shown.filter(({ isReply }) => isReply).flatMap((reply) => reply.causes);
  const failed: Record<string, number> = {};
  const count = { lost: 0, unanswered: 0, answered: 0 };
  const failedMarks = new Set<number>();
  for (const { event, mark } of acknowledged) {
    const fate = fates.get(event);
    if (!present.has(event)) count.lost += 1;
    else if (fate?.kind === "answered") count.answered += 1;
    else if (fate?.kind === "failed" || fate?.kind === "stopped" || fate?.kind === "skipped") {
      const reason = `${fate.kind}: ${fate.reason ?? "no reason"}`;
      failed[reason] = (failed[reason] ?? 0) + 1;
      failedMarks.add(mark);
    } else count.unanswered += 1;
  }
  const byMark = Map.groupBy(effects, ({ mark }) => mark);
  // After a failure, the next turn reads the message again, and its model may repeat the call.
  const isDoubled = (mark: number, own: readonly { readonly lines: number }[]): boolean =>
    own.some(({ lines }) => lines > 1) || (own.length > 1 && !failedMarks.has(mark));
  const doubledMarks = [...byMark].filter(([mark, own]) => isDoubled(mark, own)).map(([mark]) => mark);
  return {
    acknowledged: acknowledged.length,
    ...count,
    failed,
    doubled: countTwice(texts) + countTwice(causes),
    effects: effects.length,
    effectsDoubled: doubledMarks.length,
    doubledMarks,
  };
};

const countTwice = (items: readonly string[]): number => items.length - new Set(items).size;
