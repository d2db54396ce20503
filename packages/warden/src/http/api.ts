/** The routes that need a credential, except those under /v1/stream. */
import type { OpenApiDocument } from "./docs/open-api.ts";
import { activationRoutes } from "./routes/activations.ts";
import { agentToolRoutes } from "./routes/agent-tools.ts";
import { approvalRoutes } from "./routes/approvals.ts";
import { auditRoutes } from "./routes/audit.ts";
import { brainRoutes } from "./routes/brain.ts";
import { budgetRoutes } from "./routes/budget.ts";
import { cellRoutes } from "./routes/cells.ts";
import { channelRoutes } from "./routes/channels.ts";
import { chatRoutes, roomViewRoutes } from "./routes/chat.ts";
import { compactionRoutes } from "./routes/compactions.ts";
import { docsRoutes } from "./routes/docs.ts";
import { grantRoutes } from "./routes/grants.ts";
import { houseRoutes } from "./routes/house.ts";
import { importRoutes } from "./routes/imports.ts";
import { identityRoutes } from "./routes/identities.ts";
import { inboxRoutes } from "./routes/inbox.ts";
import { inviteRoutes } from "./routes/invites.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { keyRoutes } from "./routes/keys.ts";
import { logoutRoutes } from "./routes/login.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { messageRoutes } from "./routes/messages.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { pairingRoutes } from "./routes/pairings.ts";
import { notificationRoutes } from "./routes/notifications.ts";
import { passkeyRoutes } from "./routes/passkeys.ts";
import { passwordRoutes } from "./routes/password.ts";
import { promptRoutes } from "./routes/prompt.ts";
import { labelRoutes } from "./routes/labels.ts";
import { proposalRoutes } from "./routes/proposals.ts";
import { providerRoutes } from "./routes/providers.ts";
import { recordRoutes } from "./routes/records.ts";
import { restoreRoutes } from "./routes/restore.ts";
import type { App, RouteOptions } from "./routes/route.ts";
import { secondFactorRoutes } from "./routes/second-factor.ts";
import { searchRoutes } from "./routes/search.ts";
import { secretRoutes } from "./routes/secrets.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { settingRoutes } from "./routes/settings.ts";
import { socketRoutes } from "./routes/socket.ts";
import { stopRoutes } from "./routes/stops.ts";
import { streamRoutes } from "./routes/streams.ts";
import { tunnelRoutes } from "./routes/tunnel.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import { voiceRoutes } from "./routes/voice.ts";
import { workspaceRoutes } from "./routes/workspace.ts";

/** Creates the routes. `document` is called when a client first reads the API's description. */
export const createApi = (app: App, options: RouteOptions, document: () => Promise<OpenApiDocument>): App => {
  for (const addRoutes of [
    recordRoutes,
    messageRoutes,
    metricsRoutes,
    uploadRoutes,
    voiceRoutes,
    streamRoutes,
    chatRoutes,
    roomViewRoutes,
    activationRoutes,
    stopRoutes,
    approvalRoutes,
    budgetRoutes,
    brainRoutes,
    memoryRoutes,
    labelRoutes,
    workspaceRoutes,
    proposalRoutes,
    inboxRoutes,
    jobRoutes,
    promptRoutes,
    agentToolRoutes,
    compactionRoutes,
    keyRoutes,
    sessionRoutes,
    passwordRoutes,
    passkeyRoutes,
    notificationRoutes,
    identityRoutes,
    secondFactorRoutes,
    grantRoutes,
    inviteRoutes,
    searchRoutes,
    secretRoutes,
    auditRoutes,
    cellRoutes,
    providerRoutes,
    channelRoutes,
    tunnelRoutes,
    settingRoutes,
    pairingRoutes,
    houseRoutes,
    importRoutes,
    restoreRoutes,
    socketRoutes,
    logoutRoutes,
  ]) {
    addRoutes(app, options);
  }
  docsRoutes(app, options, document);
  return app;
};
