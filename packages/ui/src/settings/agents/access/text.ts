/** User-facing texts of this folder, in the order of its files. */
import type { AgentMode, ToolLack } from "@hearth/protocol";
import type { ToolName } from "@hearth/protocol/tools";

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
export const trusted = "Trusted folders (optional)";
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
export const risks = {
  private: "Reads private data",
  strangers: "Reads text by strangers",
  leaves: "Leaves the house",
  files: "Changes files",
  people: "Reaches other people",
  cost: "Costs money",
} as const;

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

export const toolTexts: Readonly<Record<ToolName, { readonly title: string; readonly detail: string }>> = {
  http_fetch: { title: "Read web pages", detail: "Reads a page of a host that it may reach." },
  web_search: { title: "Search the web", detail: "Sends a query to the search engine of this house." },
  ask_source: { title: "Ask a page", detail: "Learns one fact from a page or tool, without reading its text." },
  read: { title: "Read files", detail: "Reads text files and documents of its workspace." },
  list: { title: "List folders", detail: "Lists folders of its workspace." },
  glob: { title: "Find files", detail: "Finds files of its workspace by name." },
  grep: { title: "Search in files", detail: "Searches the text of files in its workspace." },
  write: { title: "Write files", detail: "Creates and replaces files in its workspace." },
  edit: { title: "Edit files", detail: "Replaces text in files of its workspace." },
  apply_patch: { title: "Apply patches", detail: "Changes several files of its workspace at once." },
  shell: { title: "Run commands", detail: "Runs commands in its sandbox, which reach the hosts below." },
  processes: { title: "Watch commands", detail: "Lists and stops commands that still run." },
  git: { title: "Use git", detail: "Runs git in its workspace." },
  image: { title: "Look at pictures", detail: "Looks at picture files of its workspace." },
  recall: { title: "Search memory", detail: "Searches what it remembers." },
  remember: { title: "Remember", detail: "Keeps facts for later." },
  forget: { title: "Forget", detail: "Erases a message, file or note from its memory." },
  read_brain: { title: "Read brain files", detail: "Reads its own notes and instructions." },
  write_brain: { title: "Change brain files", detail: "Changes its own notes." },
  attach: { title: "Attach files", detail: "Sends files of its workspace with its answer." },
  chart: { title: "Draw charts", detail: "Sends a chart with its answer." },
  image_generate: { title: "Make pictures", detail: "Sends a prompt to the picture provider of this house." },
  image_edit: {
    title: "Change pictures",
    detail: "Sends a picture and a prompt to the picture provider of this house.",
  },
  send_message: { title: "Write in other rooms", detail: "Sends messages to rooms where it is a member." },
  send_to_agent: { title: "Leave notes", detail: "Leaves a note that another agent reads later." },
  ask_agent: { title: "Ask agents", detail: "Asks another agent and waits for its answer." },
  delegate: { title: "Delegate", detail: "Has work done in a separate run, which costs tokens too." },
  schedule_task: { title: "Schedule tasks", detail: "Sets reminders and regular tasks for itself." },
  list_tasks: { title: "List tasks", detail: "Lists its scheduled tasks." },
  pause_task: { title: "Pause tasks", detail: "Pauses its scheduled tasks." },
  resume_task: { title: "Resume tasks", detail: "Resumes its scheduled tasks." },
  cancel_task: { title: "Cancel tasks", detail: "Cancels its scheduled tasks." },
  time: { title: "Read the clock", detail: "Reads the date and time." },
  house_query: { title: "Read its settings", detail: "Reads its own settings, rooms, runs, hosts and budget." },
  hardware_info: { title: "Read the hardware", detail: "Reads on which hardware its commands run." },
  find_tools: {
    title: "Find tools",
    detail: "Looks up the tools that it rarely needs. Without it, every run lists all of them and costs more.",
  },
};

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
