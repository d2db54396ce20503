/** A name resolver that a test controls. */
import { HearthError } from "@hearth/protocol";
import type { Resolver } from "./resolver.ts";

export interface FakeResolver extends Resolver {
  /** The resolved names, in order. */
  readonly requestedNames: readonly string[];
}

/**
 * Creates the resolver. `answers` holds the answers to each name, in order. The last answer
 * repeats.
 */
export const createFakeResolver = (answers: Readonly<Record<string, readonly (readonly string[])[]>>): FakeResolver => {
  const requestedNames: string[] = [];
  return {
    requestedNames,
    async resolve(name) {
      const earlierCount = requestedNames.filter((other) => other === name).length;
      requestedNames.push(name);
      const sequence = answers[name] ?? [];
      const answer = sequence[Math.min(earlierCount, sequence.length - 1)];
      if (answer === undefined || answer.length === 0)
        throw new HearthError("egress.failed", `The host ${name} was not found.`);
      return answer;
    },
  };
};
