/** A house with a Telegram channel. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Daemon, startDaemon } from "./daemon.ts";
import { configFor, type Model } from "./model.ts";
import { type TelegramServer, TOKEN } from "./telegram-server.ts";

export const configure = (home: string, telegram: TelegramServer, model: Model, more = ""): Promise<void> =>
  writeFile(
    join(home, "hearth.toml"),
    `${configFor(model.baseUrl)}queue = "followup"\n[channels.telegram]\nkind = "telegram"\ntoken = "env:BOT"\nbase_url = "${telegram.url}"\n${more}`,
  );

export const start = (home: string, flags: readonly string[] = []): Promise<Daemon> =>
  startDaemon(home, { TEST_KEY: "k", BOT: TOKEN }, flags);
