/** The table of providers: its keys are what `kind` may say in the config. */
import { createAnthropicProvider } from "./anthropic.ts";
import { createOfflineProvider } from "./offline.ts";
import { createOpenAIProvider } from "./openai.ts";
import type { ProviderFactory } from "./provider.ts";

export const providers = {
  anthropic: createAnthropicProvider,
  openai: createOpenAIProvider,
  offline: createOfflineProvider,
} as const satisfies Record<string, ProviderFactory>;

export type ProviderKind = keyof typeof providers;
