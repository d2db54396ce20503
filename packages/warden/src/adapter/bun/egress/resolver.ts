/** The machine's name resolver. */
import { lookup } from "node:dns/promises";
import { HearthError } from "@hearth/protocol";
import type { Resolver } from "../../../cells/egress/network/resolver.ts";

export const createBunResolver = (): Resolver => ({
  async resolve(name) {
    try {
      const answers = await lookup(name, { all: true, verbatim: true });
      return [...new Set(answers.map(({ address }) => address))];
    } catch (cause) {
      throw new HearthError("egress.failed", `The host ${name} was not found.`, { cause });
    }
  },
});
