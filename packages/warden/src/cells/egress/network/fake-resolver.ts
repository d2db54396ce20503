/** A name resolver under a test's control. */
import { HearthError } from "@hearth/protocol";
import type { Resolver } from "./resolver.ts";

export interface FakeResolver extends Resolver {
  /** The resolved names, in order. */
  readonly asked: readonly string[];
}

/** Answers by name, in order; the last one repeats. */
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
        throw new HearthError("egress.failed", `The host ${name} was not found.`);
      return answer;
    },
  };
};
