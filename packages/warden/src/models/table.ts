/**
 * The table of providers. Its keys are legal values of `kind` in the config. Each is loaded on
 * first use.
 */
import type { ProviderFactory } from "./provider.ts";

export const providers = {
  anthropic: async (options) => (await import("./wires/anthropic.ts")).createAnthropicProvider(options),
  openai: async (options) => (await import("./wires/openai.ts")).createOpenAIProvider(options),
  offline: async (options) => (await import("./offline/offline.ts")).createOfflineProvider(options),
} as const satisfies Record<string, ProviderFactory>;
