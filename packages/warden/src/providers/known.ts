/** Providers that a key in the environment is enough for. Listed, so that a person can choose one; never used unasked. */

export interface KnownProvider {
  readonly name: string;
  /** The environment variable that its own tools and documents use. */
  readonly variable: string;
  readonly kind: "anthropic" | "openai";
  /** Default: that of the kind. */
  readonly baseUrl?: string;
  /** Where a name is known that lasts. */
  readonly suggestedModel?: string;
}

export const knownProviders: readonly KnownProvider[] = [
  { name: "anthropic", variable: "ANTHROPIC_API_KEY", kind: "anthropic", suggestedModel: "claude-sonnet-5-5" },
  { name: "openai", variable: "OPENAI_API_KEY", kind: "openai", suggestedModel: "gpt-6-sol" },
  {
    name: "openrouter",
    variable: "OPENROUTER_API_KEY",
    kind: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    suggestedModel: "openrouter/auto",
  },
  {
    name: "gemini",
    variable: "GEMINI_API_KEY",
    kind: "openai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    suggestedModel: "gemini-flash-latest",
  },
  {
    name: "mistral",
    variable: "MISTRAL_API_KEY",
    kind: "openai",
    baseUrl: "https://api.mistral.ai/v1",
    suggestedModel: "mistral-large-latest",
  },
  { name: "groq", variable: "GROQ_API_KEY", kind: "openai", baseUrl: "https://api.groq.com/openai/v1" },
  { name: "deepseek", variable: "DEEPSEEK_API_KEY", kind: "openai", baseUrl: "https://api.deepseek.com" },
  { name: "xai", variable: "XAI_API_KEY", kind: "openai", baseUrl: "https://api.x.ai/v1" },
];

/** The model to begin with at a provider of this kind, when it is the vendor's own. */
export const suggestFor = (kind: string, baseUrl: string | undefined): string | undefined =>
  knownProviders.find((known) => known.kind === kind && known.baseUrl === baseUrl)?.suggestedModel;
