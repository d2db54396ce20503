/** Reads the audit log of a home whose daemon is not running, through the warden's own code. */
import { type AgentId, type AuditKeyRotation, HearthError, type HouseId } from "@hearth/protocol";
import { type AuditSource, handlesOf } from "./audit-source.ts";

/** Opens the log. Throws `store.*` when there is no readable database. */
export const openAtRest = async (home: string): Promise<AuditSource> => {
  const { openOfflineAuditLog } = await import("@hearth/warden/bun");
  const log = await openOfflineAuditLog(home);
  const records = await log.records();
  const allHouses = records
    .filter(({ type }) => type === "house")
    .map(({ id, handle }) => ({ id: id as HouseId, handle }));
  return {
    houses(house) {
      const matchingHouses =
        house === undefined ? allHouses : allHouses.filter(({ id, handle }) => house === id || house === handle);
      if (matchingHouses.length > 0) return Promise.resolve(matchingHouses);
      throw new HearthError("record.not-found", `There is no house ${house ?? ""} in ${home}.`, {
        hint: `There are: ${allHouses.map(({ handle }) => handle).join(", ")}`,
      });
    },
    search: ({ id }, search) => log.search(id, search),
    async idOf(name) {
      const agent = records.find(({ type, id, handle }) => type === "agent" && [id, handle].includes(name));
      if (agent !== undefined) return agent.id as AgentId;
      throw new HearthError("record.not-found", `There is no person or agent ${name} in ${home}.`, {
        hint: "Give the handle or the id from the column BY: hearth audit list",
      });
    },
    handles: () => Promise.resolve(handlesOf(records)),
    verify: ({ id }) => log.verify(id),
    export: ({ id }, since) => log.export(id, since),
    [Symbol.dispose]: () => log[Symbol.dispose](),
  };
};

/** Replaces the key. Throws `home.in-use` while the house runs. */
export const rotateKeyAtRest = async (home: string): Promise<AuditKeyRotation> => {
  const { rotateAuditKeyOffline } = await import("@hearth/warden/bun");
  return rotateAuditKeyOffline(home);
};
