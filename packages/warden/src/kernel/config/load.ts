/** Loads the config at start: creates a missing file, migrates an old file, then parses it. */
import type { ConfigFile } from "./file.ts";
import { migrateConfig } from "./migrations.ts";
import { type ParsedConfig, parseConfig } from "./read.ts";
import { configTemplate } from "./template.ts";

/** Loads the config. A file with a syntax error is not changed. Throws `config.invalid`. */
export const loadConfig = async (file: ConfigFile): Promise<ParsedConfig> => {
  const text = await file.read();
  if (text === undefined) {
    await file.write(configTemplate);
    return parseConfig(configTemplate, file.name);
  }
  const migration = migrateConfig(text, file.name);
  if (migration.kind === "current") return parseConfig(text, file.name);
  await file.backup(`.v${migration.from}.bak`);
  await file.write(migration.text);
  return parseConfig(migration.text, file.name);
};
