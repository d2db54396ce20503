/** The table of providers that are made of others: its keys are what `kind` may say in the config, beside the wires. */
import type { CompositeKind, ProviderConfig } from "../../kernel/index.ts";
import type { Circuit } from "./circuit.ts";
import type { Provider } from "../provider.ts";
import { createReliableProvider } from "./reliable.ts";
import { createRouterProvider } from "./router.ts";
import type { OpenProvider } from "../catalog/target.ts";

export interface CompositeOptions {
  readonly config: Pick<ProviderConfig, "models" | "routes">;
  /** Providers that ask again as often as the config says. */
  readonly open: OpenProvider;
  /** Providers that soon leave it to the next one. */
  readonly openBriefly: OpenProvider;
  readonly circuitOf: (model: string) => Circuit;
}

export const composites = {
  reliable: ({ config, openBriefly, circuitOf }) =>
    createReliableProvider({ targets: config.models ?? [], open: openBriefly, circuitOf }),
  router: ({ config, open }) => createRouterProvider({ routes: config.routes ?? new Map(), open }),
} as const satisfies Record<CompositeKind, (options: CompositeOptions) => Provider>;

export const isComposite = (kind: string): kind is CompositeKind => Object.hasOwn(composites, kind);
