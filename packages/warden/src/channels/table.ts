/** The table of channels: its keys are what `kind` may say in the config. Each is read when a house first has one. */
import type { ChannelTable } from "./house-channels.ts";

export const channels = {
  telegram: async () => (await import("./platforms/telegram/telegram.ts")).createTelegramChannel,
} as const satisfies ChannelTable;
