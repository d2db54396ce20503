/** The table of engines: its keys are what `kind` below `[search]` may say. */
import type { SearchKind } from "../../kernel/index.ts";
import { createBraveSearch } from "./brave.ts";
import type { WebSearchFactory } from "./search.ts";
import { createSearxngSearch } from "./searxng.ts";

export const engines = {
  brave: createBraveSearch,
  searxng: createSearxngSearch,
} as const satisfies Record<SearchKind, WebSearchFactory>;
