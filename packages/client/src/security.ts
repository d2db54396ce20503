/** The security report of a house, and the changes that fix its findings. Loaded on demand: few visits need them. */
import type { SecurityChange, SecurityReport } from "@hearth/protocol";
import {
  agentOperations,
  approvalOperations,
  houseGrantOperations,
  inviteOperations,
  keyOperations,
  roomOperations,
  secretOperations,
  securityOperations,
  settingOperations,
} from "@hearth/protocol/operations";
import { call, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createSecurityCalls = (connection: Connection) => ({
  report: (): Promise<SecurityReport> => call(connection, securityOperations.report),
  /** Makes the change of a finding. Throws the errors of the operation that it uses. */
  async apply(change: SecurityChange): Promise<void> {
    switch (change.kind) {
      case "edit-agent":
        await createCalls(connection, agentOperations).update(change.agent, { content: change.content });
        return;
      case "edit-admission": {
        // Fields that are absent would otherwise be sent as undefined.
        const admission = JSON.parse(JSON.stringify(change.admission));
        await createCalls(connection, roomOperations).update(change.room, { content: { admission } });
        return;
      }
      case "edit-settings":
        await createCalls(connection, settingOperations).edit({ values: change.values });
        return;
      case "revoke-key":
        await createCalls(connection, keyOperations).revoke(change.key);
        return;
      case "revoke-invite":
        await createCalls(connection, inviteOperations).revoke(change.house, change.invite);
        return;
      case "remove-rights": {
        const grants = createCalls(connection, houseGrantOperations);
        await grants.give(change.house, change.agent, { level: change.level, rights: [] });
        return;
      }
      case "remove-rule":
        await createCalls(connection, approvalOperations).removeRule(change.rule);
        return;
      case "remove-secret":
        await createCalls(connection, secretOperations).remove(change.house, change.name);
        return;
      case "revoke-secret":
        await createCalls(connection, secretOperations).revoke(change.house, change.name, change.grant);
        return;
    }
  },
});
