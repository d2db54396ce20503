/**
 * Computes the version of a config from its content. Turns record the version with which they ran.
 */
import type { World } from "@hearth/protocol";
import type { ConfigSource } from "./source.ts";

/**
 * Creates the function that returns the version of the current config. It is cached, because every
 * turn calls it.
 */
export const createVersionOf = ({ current }: ConfigSource, hash: World["hash"]): (() => string) => {
  let cached: { readonly config: ReturnType<typeof current>; readonly version: string } | undefined;
  return () => {
    const config = current();
    if (cached?.config !== config) cached = { config, version: hash(JSON.stringify(config, serializeMaps)) };
    return cached.version;
  };
};

/** Serialises maps, which JSON would write as empty objects. */
const serializeMaps = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
