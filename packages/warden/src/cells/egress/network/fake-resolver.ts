/** A name system in a test's hand. */
import { HearthError } from "@hearth/protocol";
import type { Resolver } from "./resolver.ts";

export interface FakeResolver extends Resolver {
  /** Names that were asked for, in order. */
  readonly asked: readonly string[];
}

/** Answers by name, one after the other; the last one stays. A name that changes its mind has several. */
export const createFakeResolver = (answers: Readonly<Record<string, readonly (readonly string[])[]>>): FakeResolver => {
  const asked: string[] = [];
  return {
    asked,
    async resolve(name) {
      const before = asked.filter((other) => other === name).length;
      asked.push(name);
      const known = answers[name] ?? [];
      const answer = known[Math.min(before, known.length - 1)];
      if (answer === undefined || answer.length === 0)
        throw new HearthError("egress.failed", `There is no host ${name}.`);
      return answer;
    },
  };
};
