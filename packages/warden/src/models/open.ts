/** Opens the models: the catalog of the configured providers. */
import type { Kernel, ReferenceSources } from "../kernel/index.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { createCatalog } from "./catalog/house-catalog.ts";
import { localServers } from "./catalog/known.ts";
import type { ProviderFactory } from "./provider.ts";
import { providers } from "./table.ts";

export interface ModelsOptions {
  readonly kernel: Pick<Kernel, "world" | "config" | "keyFiles">;
  readonly references: ReferenceSources;
  /** Provider kinds in addition to the built-in ones. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
}

export interface Models {
  readonly providers: Catalog;
}

export const openModels = (options: ModelsOptions): Models => ({
  providers: createCatalog({
    ...options.kernel,
    ...options.references,
    table: { ...providers, ...options.providers },
    localServers,
  }),
});
