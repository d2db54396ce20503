/** Names a config by what it says: turns remember under which they ran. */
import type { World } from "@hearth/protocol";
import type { ConfigSource } from "./source.ts";

/** Names the config as it is now. Every turn asks, and it changes seldom. */
export const createVersionOf = ({ current }: ConfigSource, hash: World["hash"]): (() => string) => {
  let known: { readonly config: ReturnType<typeof current>; readonly version: string } | undefined;
  return () => {
    const config = current();
    if (known?.config !== config) known = { config, version: hash(JSON.stringify(config, mapsToo)) };
    return known.version;
  };
};

/** A config's maps as JSON: else they would all look empty. */
const mapsToo = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
