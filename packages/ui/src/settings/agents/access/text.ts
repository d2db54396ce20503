/** User-facing texts of this folder, in the order of its files. */
import type { AgentMode, ToolLack } from "@hearth/protocol";

// access-tab.tsx
export const access = "Access";
export const houseRole = "House role";
export const houseRoleDetail = "Applies to the whole house. For a single room, see that room's page.";

// web-switch.tsx
export const webAccess = "Web access";
export const readsTheWeb = "Read public pages";
export const readsTheWebDetail = (name: string): string =>
  `${name} can read every public page over HTTPS. It sends no secrets, no cookies and no data except the address.`;
export const webRules = [
  "Pages can contain instructions by strangers. After it has read one, it asks before it reads an address that you did not write.",
  "It cannot reach your local network, and programs in its sandbox cannot use this access.",
] as const;
export const webTurnedOn = "Web access turned on.";
export const webTurnedOff = "Web access turned off.";
export const searchesToo = "It also searches the web with the search engine of this house.";
export const noSearchEngine = "It cannot search the web: this house has no search engine.";
export const setSearchEngine = "Set a search engine";
export const fetchStays = "It keeps the tool for single pages, because it may still reach other hosts.";
export const planReadsNoPages = "In “Plan only” it reads no pages.";

// mode-section.tsx
export const approvals = "Approvals";
export const approvalsOf = (name: string): string => `When ${name} asks`;
export const modeTitles: Readonly<Record<AgentMode, string>> = {
  default: "When text by strangers may be behind it",
  ask: "Before every change",
  plan: "Plan only",
  unattended: "Never ask",
};
export const modeDetails: Readonly<Record<AgentMode, string>> = {
  default:
    "It does what its tools and hosts allow, and asks before calls that a stranger could have caused or that destroy data.",
  ask: "It reads freely, and asks before it changes or sends anything.",
  plan: "It only reads, and describes what it would do.",
  unattended:
    "As the first choice, but calls that would need an approval are refused. For agents that run without a person.",
};
export const byDefault = "Default";
export const saved = "Saved.";
export const trustedForm = "trusted folders";
export const trustedFolders = "Trusted folders (optional)";
export const trustedHint =
  "Folders of its workspace that it may write without asking, one per line. A single period is the whole workspace. They count only in a sandbox with isolation.";

// tool-section.tsx
export const tools = "Tools";
export const toolsDetail = (name: string): string => `The tools of ${name}. A change applies from its next run.`;
export const resetTools = "Use default tools";
export const toolsReset = "Default tools restored.";
export const toolTurnedOn = (title: string): string => `${title} turned on.`;
export const toolTurnedOff = (title: string): string => `${title} turned off.`;
export const changedTools = (count: number): string =>
  count === 1 ? "One tool differs from the default." : `${count} tools differ from the default.`;
export const neverAsks = "Never asks";
export const asksAlways = "Asks every time";
export const asksWhenTainted = "Asks after it has read text by strangers";
export const refusedWhenTainted = "Refused after it has read text by strangers";
export const refusedAlways = "Refused by “Plan only”";
export const refusedUnattended = "Refused by “Never ask”";
export const lacks: Readonly<Record<ToolLack, string>> = {
  isolation: "Its sandbox has no isolation. If you turn this on, commands can reach everything on the machine.",
  "other-agents": "There is no other agent that it can reach.",
  pictures: "This house has no provider of pictures.",
  "search-engine": "This house has no search engine.",
};
export const remedies: Readonly<Record<ToolLack, string>> = {
  isolation: "Sandbox settings",
  "other-agents": "Add agent",
  pictures: "Set a provider",
  "search-engine": "Set a search engine",
};

// tool-words.ts
export const groups = {
  web: "Web",
  files: "Files and commands",
  memory: "Memory",
  messages: "Messages and pictures",
  agents: "Other agents",
  automations: "Automations",
  house: "House",
  external: "External tools",
} as const;

// agent-secrets.tsx
export const secrets = "Secrets";
export const secretsDetail = (name: string): string =>
  `Keys and passwords that the house adds to requests of ${name}. The agent never sees them.`;
export const noSecrets = "No secrets";
export const manageSecrets = "Web & secrets";
export const manageSecretsDetail = "Add secrets, and allow their use.";
export const useOf = (secret: string, host: string): string => `${secret} at ${host}`;
export const revoke = "Revoke";
export const revokeUse = (use: string): string => `Revoke ${use}`;
export const useRevoked = (use: string): string => `${use} revoked.`;

export const loading = "Loading";
