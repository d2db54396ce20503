/** Conformance tests of `Resolver`. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { parseAddress } from "../../../policy/network/address.ts";
import type { Resolver } from "./resolver.ts";

/** Declares the tests. `known` is a name with the addresses `some`, and perhaps others. */
export const resolverConformance = (
  name: string,
  resolver: Resolver,
  { known, some }: { readonly known: string; readonly some: readonly string[] },
): void => {
  describe(`resolver: ${name}`, () => {
    test("a name resolves to addresses only, each of them once", async () => {
      const addresses = await resolver.resolve(known);
      expect(addresses.some((address) => some.includes(address))).toBe(true);
      expect(addresses.filter((address) => parseAddress(address) === undefined)).toEqual([]);
      expect(new Set(addresses).size).toBe(addresses.length);
    });

    test("an invalid name fails", async () => {
      const failure: unknown = await resolver.resolve("nobody.invalid").catch((error: unknown) => error);
      expect(isHearthError(failure, "egress.failed")).toBe(true);
    });
  });
};
