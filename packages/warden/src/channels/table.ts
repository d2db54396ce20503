/**
 * The table of channels. Its keys are the legal values of `kind` in the config. Each channel is
 * loaded on first use.
 */
import type { ChannelTable } from "./house-channels.ts";

export const channels = {
  telegram: async () => (await import("./platforms/telegram/telegram.ts")).createTelegramChannel,
} as const satisfies ChannelTable;
