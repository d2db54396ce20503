/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// place.ts
export const agentTabs = {
  overview: "Overview",
  instructions: "Instructions",
  tools: "Tools & access",
  memory: "Memory & files",
  automations: "Automations",
  budget: "Budget",
  activity: "Activity",
  advanced: "Advanced",
} as const;
export const tabOfAgent = (tab: string, name: string): string => `${tab} · ${name}`;
export const agents = "Agents";
export const system = "System";
export const contextOf = (agentName: string): string => `Context of ${agentName}`;
export const rooms = "Rooms";
export const newRoom = "New room";
export const tabTitle = (page: string): string => `${page} · Settings`;
export const newAgent = "New agent";
export const importAgent = "Import agent";
export const activityIn = (room: string): string => `Activity in ${room}`;
export const notFound = "Page not found";
export const members = "Members";
export const general = "General";
export const account = "Account";
export const notifications = "Notifications";
export const models = "Models";
export const web = "Web & secrets";
export const channels = "Channels";
export const newChannel = "New channel";
export const sandboxes = "Sandboxes";
export const limits = "Usage & limits";
export const backups = "Backup & storage";
export const audit = "Audit";
export const apiKeys = "API keys";

// settings-page.tsx
export const loading = "Loading";
export const settings = "Settings";
export const pageNotFound = "Page not found.";
export const viewAgents = "View agents";
export const onlyAdmins = "Only admins of this house can open this page. Ask an admin for access.";
