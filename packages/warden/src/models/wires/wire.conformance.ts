/** Tests every provider that uses HTTP: the contract of `Provider`, and the faults of servers. */
import { providerConformance } from "../provider.conformance.ts";
import type { ProviderFactory } from "../provider.ts";
import { callClauses } from "./wire-calls.conformance.ts";
import { describeWireFaults } from "./wire-faults.conformance.ts";
import { type VendorWire, wireHarness } from "./wire-harness.conformance.ts";
import { modelClauses } from "./wire-models.conformance.ts";
import { serverClauses } from "./wire-servers.conformance.ts";
import { streamClauses } from "./wire-streams.conformance.ts";
import { thoughtClauses } from "./wire-thoughts.conformance.ts";

export const wireConformance = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  providerConformance(name, wireHarness(factory, vendor));
  streamClauses(name, factory, vendor);
  serverClauses(name, factory, vendor);
  callClauses(name, factory, vendor);
  thoughtClauses(name, factory, vendor);
  describeWireFaults(name, factory, vendor);
  modelClauses(name, factory, vendor);
};
