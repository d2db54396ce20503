/** The table `[search]`: the engine of agents' web search. */
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";

export const searchKinds = ["brave", "searxng"] as const;
export type SearchKind = (typeof searchKinds)[number];

export interface SearchConfig {
  readonly kind: SearchKind;
  /** The base URL. Absent for the vendor's, or for SearXNG on this machine. */
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
}

const Fields = z.strictObject({
  kind: z.enum(searchKinds),
  base_url: WebUrl.optional(),
  api_key: Reference.optional(),
});

export const SearchText = Fields.check(({ value, issues }) => {
  if (value.kind !== "brave" || value.api_key !== undefined) return;
  issues.push(createIssue(value, "needs a key", 'Write api_key = "env:BRAVE_API_KEY" below [search].', ["api_key"]));
});

export const toSearch = ({ kind, base_url, api_key }: z.infer<typeof Fields>): SearchConfig => ({
  kind,
  ...(base_url === undefined ? {} : { baseUrl: base_url }),
  ...(api_key === undefined ? {} : { apiKey: api_key }),
});
