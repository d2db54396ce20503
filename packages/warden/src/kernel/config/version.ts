/** Identifies a config by its content. Turns record the version that they ran with. */
import type { World } from "@hearth/protocol";
import type { ConfigSource } from "./source.ts";

/** Returns the version of the present config. Cached, because every turn asks for it. */
export const createVersionOf = ({ current }: ConfigSource, hash: World["hash"]): (() => string) => {
  let known: { readonly config: ReturnType<typeof current>; readonly version: string } | undefined;
  return () => {
    const config = current();
    if (known?.config !== config) known = { config, version: hash(JSON.stringify(config, mapsToo)) };
    return known.version;
  };
};

/** Serializes maps, which would otherwise be empty in JSON. */
const mapsToo = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
