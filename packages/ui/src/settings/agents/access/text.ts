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
export type Risk = keyof typeof risks;

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
export type ToolGroup = keyof typeof groups;

interface Words {
  readonly group: ToolGroup;
  readonly title: string;
  readonly detail: string;
  readonly risks: readonly Risk[];
}

export const toolTexts: { readonly [Name in ToolName]: Words } = {
  http_fetch: {
    group: "web",
    title: "Read web pages",
    detail: "Reads a page of a host that it may reach.",
    risks: ["leaves", "strangers"],
  },
  web_search: {
    group: "web",
    title: "Search the web",
    detail: "Sends a query to the search engine of this house.",
    risks: ["leaves", "strangers"],
  },
  ask_source: {
    group: "web",
    title: "Ask a page",
    detail: "Learns one fact from a page or tool, without reading its text.",
    risks: ["leaves"],
  },
  read: {
    group: "files",
    title: "Read files",
    detail: "Reads text files and documents of its workspace.",
    risks: ["strangers"],
  },
  list: { group: "files", title: "List folders", detail: "Lists folders of its workspace.", risks: ["strangers"] },
  glob: { group: "files", title: "Find files", detail: "Finds files of its workspace by name.", risks: ["strangers"] },
  grep: {
    group: "files",
    title: "Search in files",
    detail: "Searches the text of files in its workspace.",
    risks: ["strangers"],
  },
  write: {
    group: "files",
    title: "Write files",
    detail: "Creates and replaces files in its workspace.",
    risks: ["files"],
  },
  edit: { group: "files", title: "Edit files", detail: "Replaces text in files of its workspace.", risks: ["files"] },
  apply_patch: {
    group: "files",
    title: "Apply patches",
    detail: "Changes several files of its workspace at once.",
    risks: ["files"],
  },
  shell: {
    group: "files",
    title: "Run commands",
    detail: "Runs commands in its sandbox, which reach the hosts below.",
    risks: ["private", "strangers", "files", "leaves"],
  },
  processes: {
    group: "files",
    title: "Watch commands",
    detail: "Lists and stops commands that still run.",
    risks: ["private", "strangers"],
  },
  git: {
    group: "files",
    title: "Use git",
    detail: "Runs git in its workspace.",
    risks: ["private", "strangers", "files", "leaves"],
  },
  image: {
    group: "files",
    title: "Look at pictures",
    detail: "Looks at picture files of its workspace.",
    risks: ["private", "strangers"],
  },
  recall: {
    group: "memory",
    title: "Search memory",
    detail: "Searches what it remembers.",
    risks: ["private", "strangers"],
  },
  remember: { group: "memory", title: "Remember", detail: "Keeps facts for later.", risks: ["files"] },
  forget: {
    group: "memory",
    title: "Forget",
    detail: "Erases a message, file or note from its memory.",
    risks: ["files"],
  },
  read_brain: {
    group: "memory",
    title: "Read brain files",
    detail: "Reads its own notes and instructions.",
    risks: ["private", "strangers"],
  },
  write_brain: { group: "memory", title: "Change brain files", detail: "Changes its own notes.", risks: ["files"] },
  attach: {
    group: "messages",
    title: "Attach files",
    detail: "Sends files of its workspace with its answer.",
    risks: ["private"],
  },
  chart: {
    group: "messages",
    title: "Draw charts",
    detail: "Sends a chart with its answer.",
    risks: ["private", "files"],
  },
  image_generate: {
    group: "messages",
    title: "Make pictures",
    detail: "Sends a prompt to the picture provider of this house.",
    risks: ["leaves", "cost"],
  },
  image_edit: {
    group: "messages",
    title: "Change pictures",
    detail: "Sends a picture and a prompt to the picture provider of this house.",
    risks: ["private", "leaves", "cost"],
  },
  send_message: {
    group: "messages",
    title: "Write in other rooms",
    detail: "Sends messages to rooms where it is a member.",
    risks: ["people"],
  },
  send_to_agent: {
    group: "agents",
    title: "Leave notes",
    detail: "Leaves a note that another agent reads later.",
    risks: ["people"],
  },
  ask_agent: {
    group: "agents",
    title: "Ask agents",
    detail: "Asks another agent and waits for its answer.",
    risks: ["private", "strangers", "people", "cost"],
  },
  delegate: {
    group: "agents",
    title: "Delegate",
    detail: "Has work done in a separate run, which costs tokens too.",
    risks: ["private", "strangers", "cost"],
  },
  schedule_task: {
    group: "automations",
    title: "Schedule tasks",
    detail: "Sets reminders and regular tasks for itself.",
    risks: ["cost"],
  },
  list_tasks: { group: "automations", title: "List tasks", detail: "Lists its scheduled tasks.", risks: ["private"] },
  pause_task: { group: "automations", title: "Pause tasks", detail: "Pauses its scheduled tasks.", risks: [] },
  resume_task: { group: "automations", title: "Resume tasks", detail: "Resumes its scheduled tasks.", risks: ["cost"] },
  cancel_task: { group: "automations", title: "Cancel tasks", detail: "Cancels its scheduled tasks.", risks: [] },
  time: { group: "house", title: "Read the clock", detail: "Reads the date and time.", risks: [] },
  house_query: {
    group: "house",
    title: "Read its settings",
    detail: "Reads its own settings, rooms, runs, hosts and budget.",
    risks: ["private"],
  },
  hardware_info: {
    group: "house",
    title: "Read the hardware",
    detail: "Reads on which hardware its commands run.",
    risks: [],
  },
  find_tools: {
    group: "house",
    title: "Find tools",
    detail: "Looks up the tools that it rarely needs. Without it, every run lists all of them and costs more.",
    risks: [],
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
