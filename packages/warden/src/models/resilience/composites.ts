/**
 * The table of composite providers. Its keys are legal values of `kind`, in addition to the wires.
 */
import type { CompositeKind, ProviderConfig } from "../../kernel/index.ts";
import type { Circuit } from "./circuit.ts";
import type { Provider } from "../provider.ts";
import { createReliableProvider } from "./reliable.ts";
import { createRouterProvider } from "./router.ts";
import type { OpenProvider } from "../catalog/target.ts";

export interface CompositeOptions {
  readonly config: Pick<ProviderConfig, "models" | "routes">;
  /** Opens providers with the configured retries. */
  readonly open: OpenProvider;
  /** Opens providers with few retries, for chains. */
  readonly openWithFewRetries: OpenProvider;
  readonly circuitOf: (model: string) => Circuit;
}

export const composites = {
  reliable: ({ config, openWithFewRetries, circuitOf }) =>
    createReliableProvider({ targets: config.models ?? [], open: openWithFewRetries, circuitOf }),
  router: ({ config, open }) => createRouterProvider({ routes: config.routes ?? new Map(), open }),
} as const satisfies Record<CompositeKind, (options: CompositeOptions) => Provider>;

export const isComposite = (kind: string): kind is CompositeKind => Object.hasOwn(composites, kind);
