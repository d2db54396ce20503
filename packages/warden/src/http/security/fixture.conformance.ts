/** A house without findings, for tests that add one. */
import type { AgentContent, AgentRecord, Wall } from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import { parseConfig } from "../../kernel/config/read.ts";
import { placeIn } from "../../kernel/config/source.ts";
import { createFakeIds } from "../../fixtures/ids.ts";
import type { SecurityView } from "./view.ts";

const ids = createFakeIds();
export const house = ids("house");
const baseFields = { house, version: 1, createdAt: 0, updatedAt: 0 };

export const makeAgent = (handle: string, content: Partial<AgentContent> = {}): AgentRecord => ({
  ...{ type: "agent", id: ids("agent"), handle, ...baseFields },
  content: { name: handle, kind: "bot", budget: { day: { money: 1 } }, ...content },
});

export const WALLED: ReadonlySet<Wall> = new Set(["fs", "net"]);

/** Creates a view of a house with one bot in an isolated cell. `config` is the text of `hearth.toml`. */
export const createSecureView = (
  bot: AgentRecord,
  overrides: Partial<SecurityView> = {},
  config = "version = 1\n",
): SecurityView => {
  const parsed = parseConfig(config, "hearth.toml");
  return {
    ...{ home: "/srv/hearth", now: 0, table: tools, config: parsed.config },
    placeOf: (path) => placeIn(parsed, "hearth.toml", path),
    houses: [{ type: "house", id: house, handle: "home", ...baseFields, content: { name: "Home", timezone: "UTC" } }],
    ...{ rooms: [], agents: [bot], grants: [], keys: [], invites: [], rules: [], secrets: [], audit: [] },
    ...{
      referencedSecrets: new Set(),
      lastLogins: new Map(),
      usedSecrets: new Set(),
      vault: { state: "empty" },
      files: [],
    },
    ...{ walls: new Map([[bot.id, WALLED]]), hasWalledKind: true },
    ...overrides,
  };
};
