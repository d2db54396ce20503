import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { resolveDialable } from "./resolver.ts";

const addressesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `93.184.216.${index + 1}`);
const pinTo = (addresses: readonly string[], mayDial: (address: string) => boolean = () => true) =>
  resolveDialable("a.example", { resolver: { resolve: async () => addresses }, mayDial }).catch((error: unknown) =>
    isHearthError(error) ? error.code : error,
  );

test("a name with 1 to 32 addresses is pinned to all of them", async () => {
  for (const count of [1, 2, 32]) expect(await pinTo(addressesOf(count))).toEqual(addressesOf(count));
  for (const count of [0, 33]) expect(await pinTo(addressesOf(count))).toBe("egress.failed");
});

test("a name with one address that may not be dialled is refused", async () => {
  const addresses = addressesOf(3);
  for (const inner of addresses) expect(await pinTo(addresses, (address) => address !== inner)).toBe("egress.refused");
});

test("an address is not resolved", async () => {
  const resolver = { resolve: () => Promise.reject(new Error("never asked")) };
  expect(await resolveDialable("93.184.216.34", { resolver, mayDial: () => true })).toEqual(["93.184.216.34"]);
  expect(await resolveDialable("[2606:2800::1]", { resolver, mayDial: () => true })).toEqual(["2606:2800::1"]);
});
