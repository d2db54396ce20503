/** The table of providers: its keys are what `kind` may say in the config. One is read when it is first used. */
import type { ProviderFactory } from "./provider.ts";

export const providers = {
  anthropic: async (options) => (await import("./wires/anthropic.ts")).createAnthropicProvider(options),
  openai: async (options) => (await import("./wires/openai.ts")).createOpenAIProvider(options),
  offline: async (options) => (await import("./offline/offline.ts")).createOfflineProvider(options),
} as const satisfies Record<string, ProviderFactory>;

export type ProviderKind = keyof typeof providers;
