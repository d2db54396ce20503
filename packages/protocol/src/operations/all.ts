/** The table of all operations. */
import type { Operation } from "./operation.ts";
import { activationOperations } from "./activations.ts";
import { approvalOperations } from "./approvals.ts";
import { auditOperations } from "./audit.ts";
import { brainOperations } from "./brain.ts";
import { budgetOperations } from "./budget.ts";
import { cellOperations } from "./cells.ts";
import { channelOperations } from "./channels.ts";
import { chatOperations, roomViewOperations } from "./chat.ts";
import { compactionOperations } from "./compactions.ts";
import { docsOperations } from "./docs.ts";
import { fateOperations } from "./fates.ts";
import { grantOperations, houseGrantOperations, roomGrantOperations } from "./grants.ts";
import { healthOperations, metricsOperations } from "./health.ts";
import { channelHookOperations, jobHookOperations } from "./hooks.ts";
import { backupTargetOperations, daemonOperations, importOperations } from "./house.ts";
import { inboxOperations } from "./inbox.ts";
import { invitedOperations, inviteOperations } from "./invites.ts";
import { jobOperations } from "./jobs.ts";
import { keyOperations } from "./keys.ts";
import { labelOperations } from "./labels.ts";
import { loginOperations, logoutOperations } from "./login.ts";
import { memoryOperations } from "./memory.ts";
import { messageOperations } from "./messages.ts";
import { identityOperations, oidcLoginOperations } from "./oidc.ts";
import { notificationOperations } from "./notifications.ts";
import { pairingOperations } from "./pairings.ts";
import { passkeyLoginOperations, passkeyOperations } from "./passkeys.ts";
import { passwordOperations } from "./password.ts";
import { agentToolOperations } from "./agent-tools.ts";
import { promptOperations } from "./prompt.ts";
import { proposalOperations } from "./proposals.ts";
import { providerOperations } from "./providers.ts";
import { houseOperations, roomOperations, agentOperations } from "./records.ts";
import { restoreOperations } from "./restore.ts";
import { secondFactorOperations } from "./second-factor.ts";
import { searchOperations } from "./search.ts";
import { secretOperations } from "./secrets.ts";
import { securityOperations } from "./security.ts";
import { sessionOperations } from "./sessions.ts";
import { settingOperations } from "./settings.ts";
import { socketOperations } from "./socket.ts";
import { stopOperations } from "./stops.ts";
import { streamOperations } from "./streams.ts";
import { tunnelOperations } from "./tunnel.ts";
import { uiOperations } from "./ui.ts";
import { attachmentOperations, uploadOperations } from "./uploads.ts";
import { voiceOperations } from "./voice.ts";
import { workspaceOperations } from "./workspace.ts";

export const allOperations: readonly Operation[] = [
  activationOperations,
  approvalOperations,
  attachmentOperations,
  auditOperations,
  brainOperations,
  budgetOperations,
  cellOperations,
  channelOperations,
  chatOperations,
  roomViewOperations,
  compactionOperations,
  docsOperations,
  fateOperations,
  grantOperations,
  houseGrantOperations,
  roomGrantOperations,
  healthOperations,
  channelHookOperations,
  jobHookOperations,
  daemonOperations,
  backupTargetOperations,
  importOperations,
  identityOperations,
  inboxOperations,
  inviteOperations,
  invitedOperations,
  jobOperations,
  keyOperations,
  labelOperations,
  loginOperations,
  logoutOperations,
  memoryOperations,
  messageOperations,
  metricsOperations,
  oidcLoginOperations,
  notificationOperations,
  pairingOperations,
  passkeyLoginOperations,
  passkeyOperations,
  passwordOperations,
  agentToolOperations,
  promptOperations,
  proposalOperations,
  providerOperations,
  houseOperations,
  roomOperations,
  agentOperations,
  restoreOperations,
  secondFactorOperations,
  searchOperations,
  secretOperations,
  securityOperations,
  sessionOperations,
  settingOperations,
  socketOperations,
  stopOperations,
  streamOperations,
  tunnelOperations,
  uiOperations,
  uploadOperations,
  voiceOperations,
  workspaceOperations,
].flatMap((group) => Object.values<Operation>(group));
