/** The table of engines. Its keys are the values of `kind` below `[search]`. */
import type { SearchKind } from "../../kernel/index.ts";
import { createBraveSearch } from "./brave.ts";
import type { WebSearchFactory } from "./search.ts";
import { createSearxngSearch } from "./searxng.ts";

export const engines = {
  brave: createBraveSearch,
  searxng: createSearxngSearch,
} as const satisfies Record<SearchKind, WebSearchFactory>;
