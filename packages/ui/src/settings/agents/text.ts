/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */
import type { CellLimits } from "@hearth/protocol";

// agent-at.tsx
export const loading = "Loading";

// agent-budget.tsx
export const budget = "Budget";
export const limitsAndSpending = (name: string): string => `Limits and spending of ${name}.`;
export const noLimitOrSpending = "No limit for this agent, and no spending this month.";
export const agent = "Agent";
export const house = "House";
export const limitPerRun = (limit: string): string => `Limit for a single run of any agent: ${limit}. `;
export const houseLimitsAreOn = "Limits of all agents together are on the page";
export const usageAndLimits = "Usage & limits";
export const usageOf = (name: string): string => `View usage of ${name}`;
export const budgetForm = "budget";
export const noLimit = "No limit";
export const atLimit = "When the limit is reached";
export const endRunByDefault = "Default: end the run with a message";
export const endRun = "End the run with a message";
export const askAdmin = "Ask an admin for approval";
export const switchToCheaperModel = "Use a cheaper model";
export const cheaperModel = "Cheaper model";
export const modelNameFormat = "Format: provider/model.";

// budget-words.ts
export const budgetPeriods = { turn: "Per run", day: "Per day", month: "Per month" } as const;
export const tokenCount = (tokens: number, formatted: string): string =>
  `${formatted} ${tokens === 1 ? "token" : "tokens"}`;
/** Between the two units of a limit. */
export const and = " and ";
export const today = "Today";
export const thisMonth = "This month";
export const limitReached = "Limit reached.";
export const moreThanSpent = (percent: number): string => `More than ${percent} % of the limit is spent.`;
export const agentsAskAtLimit = "Agents ask an admin before further calls.";
export const furtherCallsUse = (model: string): string => `Further calls use ${model}.`;
export const runsEndWithMessage = "Runs end with a message.";
export const budgetUnits = { money: "US dollars", tokens: "tokens" } as const;
export const enterAnAmount = "Enter an amount, such as 2.50.";
export const enterAWholeNumber = "Enter a whole number.";
export const enterAModel = "Enter a model in the format provider/model.";

// cell-words.ts
export const sandboxKinds = {
  auto: "Fastest with isolation",
  strongest: "Strongest isolation",
  inline: "Inside Hearth, no isolation",
  process: "Process, no isolation",
  landlock: "Landlock: isolated files, no network",
  bubblewrap: "bubblewrap: container",
  qemu: "Virtual machine",
} as const;
export const isolations = {
  none: "inside Hearth",
  process: "process",
  container: "container",
  kernel: "sandboxed kernel",
  vm: "virtual machine",
} as const;
export const isolated = {
  fs: "files",
  net: "network",
  kernel: "kernel",
  memory: "memory",
  pids: "processes",
  cpu: "CPU",
} as const;
export const noIsolation = "No isolation";
export const isolationOf = (parts: string): string => `Isolation: ${parts}`;
export const sandboxLimits = ({ memoryMiB, processes, cpus, fileMiB, diskMiB }: CellLimits): string =>
  `${memoryMiB} MiB of memory, ${processes} processes, ${cpus} CPU, ${fileMiB} MiB per file, ${diskMiB} MiB in total`;
export const limitsOf = (limits: string): string => `Limits: ${limits}`;
export const activeRuns = (count: number): string =>
  count === 0 ? "No active runs" : count === 1 ? "1 active run" : `${count} active runs`;
export const limitLabels = {
  memoryMiB: "Memory, MiB",
  processes: "Processes and threads",
  cpus: "CPUs (0.5 is half of one)",
  fileMiB: "Largest file, MiB",
  diskMiB: "All files, MiB",
} as const;
export const enterANumberFrom = (least: number): string => `Enter a number of at least ${least}.`;
export const enterAWholeNumberFrom = (least: number): string => `Enter a whole number of at least ${least}.`;

// agent-cells.tsx
export const sandboxes = "Sandboxes";
export const sandboxesIntroduction = (name: string): string =>
  `${name} runs its tools in sandboxes: one for its private rooms, and one for each other room. They open on demand.`;
export const privateSandbox = "Private";
export const sandboxOfHiddenRoom = "A room you cannot see";
export const sandboxOfRoom = (name: string): string => `Room ${name}`;
export const noOpenSandboxes = "No open sandboxes";
export const closeSandbox = (name: string): string => `Close sandbox: ${name}`;
export const sandboxClosed = "Sandbox closed.";
export const close = "Close";
export const sandboxOpened = "Sandbox opened.";
export const openSandbox = "Open sandbox";
export const sandboxForm = "sandbox settings";
export const sandboxType = "Sandbox type";
export const sandboxTypeHint = "Applies from the next run. Open sandboxes close when their runs finish.";
export const byDefault = "Default";
export const opened = "opened";

// agent-fallback.tsx
export const fallbackModels = "Fallback models";
export const fallbackDetail = "If the model fails, these answer in its place. They are tried in this order.";
export const noFallback = "No fallback models";
export const moveUp = "Move up";
export const moveUpModel = (model: string): string => `Move up ${model}`;
export const removeFallback = "Remove";
export const removeModel = (model: string): string => `Remove ${model}`;
export const newFallback = "New fallback model";
export const addFallback = "Add fallback model";
export const fallbackTwice = "This agent already uses this model. Choose another one.";
export const fallbackAdded = (model: string): string => `${model} added.`;
export const fallbackRemoved = (model: string): string => `${model} removed.`;
export const fallbackMoved = (model: string, place: number): string => `${model} is now number ${place}.`;

// agent-model.tsx
export const modelNameRequired = "Use the format provider/model.";
export const model = "Model";
export const modelNameHint =
  "Format: provider/model. Ask the administrator of the server for the available models. Leave empty for no model.";
export const changeModel = "Change model";
export const modelForm = "model";
export const saved = "Saved.";
export const modelSource = "Model source";
export const cancel = "Cancel";
export const saveForm = (subject: string | undefined): string => (subject === undefined ? "Save" : `Save ${subject}`);

// agent-page.tsx
export const agents = "Agents";
export const profile = "Profile";
export const profileForm = "profile";
export const pagesOf = (name: string): string => `Settings of ${name}`;
export const person = "Person";
export const automations = "Automations";
export const brain = "Brain";
export const files = "Files";
export const workspace = "Workspace";
export const workspaceDetail = "The files that it made.";
export const filesDetail = "The agent's notes, as plain files. View, edit and create them.";
export const memory = "Memory";
export const memoryDetail = "Search, add and delete what the agent remembers.";
export const versions = "Version history";
export const versionsDetail = "Every change of a file. Compare and revert.";
export const prompt = "Prompt";
export const promptDetail = "The parts of the brain that every run reads.";
export const jobs = "Jobs";
export const jobsDetail = "Scheduled tasks and their run history.";
export const heartbeat = "Heartbeat";
export const heartbeatDetail = "Regular check-ins: schedule and run history.";
export const context = "Context";
export const contextDetail = "The context of the next run, and pending messages.";
export const houseRole = "House role";
export const houseRoleDetail = "Applies to the whole house. For a single room, see that room's page.";
export const runtime = "Runtime";
export const externalRuntime = "An external program. It reads and writes in its rooms with an API key.";
export const nameHint = "Also changes the @mention.";
export const description = "Description (optional)";
export const descriptionHint = "Visible to people.";
export const instructionsTitle = "Instructions";
export const instructionsForm = "instructions";
export const instructions = "Instructions (optional)";
export const instructionsHint = "The agent reads these instructions before every reply.";
export const agentRemovalEffect = (name: string): string => `${name} stops immediately and no longer replies.`;
export const personRemovalEffect = (name: string): string => `${name} will lose access.`;
export const agentRemovalConsequences =
  "Current runs stop, and its API keys stop working. Its messages and its folder on the server are kept.";
export const personRemovalConsequences = "Password, sessions and API keys stop working immediately. Messages are kept.";

// agent-queue.tsx
export const includeNow = "Include now";
export const oneByOne = "One by one";
export const queueTogether = "Queue together";
export const restart = "Restart";
export const newMessages = "New messages";
export const newMessagesOf = (name: string): string => `New messages during a run of ${name}`;

// agent-retrieval.tsx
export const keywordsAndMeaning = "Keywords and meaning";
export const keywordsAndMeaningDetail =
  "Also finds texts that use different words. Texts are sent to the configured embedding model.";
export const keywordsOnly = "Keywords only";
export const keywordsDetail = "Keyword search only; nothing is sent to an embedding model.";
export const off = "Off";
export const offDetail = "No memory search. The files stay, and the agent can read them.";
export const memorySearch = "Memory search";
export const memorySearchOf = (name: string): string => `Memory search of ${name}`;

// agent-stop.tsx
export const stopped = (name: string): string => `${name} stopped.`;
export const resumed = (name: string): string => `${name} resumed.`;
export const stop = "Stop";
export const stopDetail = (name: string): string =>
  `Current runs of ${name} stop immediately, and no new ones start until you resume it. Messages wait.`;
export const viewAllAgents = "View all agents";
export const stopAgent = (name: string): string => `Stop ${name}`;
export const resumeAgent = (name: string): string => `Resume ${name}`;
export const aFormerMember = "a former member";
export const stoppedWithAllAgentsBy = (name: string): string => `${name} was stopped with all agents by`;
export const stoppedBy = (name: string): string => `${name} was stopped by`;
export const at = "at";
export const messagesWait = "Messages wait.";

// agent-trigger.tsx
export const onlyWhenMentioned = "Only when mentioned";
export const whenRelevant = "When relevant";
export const onlyWhenMentionedDetail = "In group rooms, the agent only answers messages that mention it with @.";
export const whenRelevantDetail = "The agent reads along and answers relevant messages. It always answers mentions.";
export const whenItResponds = "When it responds";
export const responseForm = "response settings";
export const whenItRespondsDetail = "In direct rooms the agent answers every message.";
export const inGroupRooms = "In group rooms";
export const enterSeconds = (maxSeconds: number): string => `Enter a number of seconds from 0 to ${maxSeconds}.`;
export const modelNameOptional = "Use the format provider/model, or leave this empty.";
export const pauseBeforeItResponds = "Pause before it responds (seconds)";
export const pauseHint = "A longer pause lets people finish their thoughts.";
export const afterItsOwnMessage = "After its own message";
export const letOthersReplyFirst = "Let others reply first (cooldown of five messages)";
export const noCooldown = "No cooldown";
export const relevanceCheck = "Relevance check";
export const relevanceByDefault = "Model if one is set below, otherwise keywords";
export const relevanceByKeywords = "Keywords from its name, description and instructions";
export const noRelevanceCheck = "None: every message is relevant";
export const relevanceModel = "Relevance model (optional)";
export const relevanceModelHint = "A small model is enough, such as ollama/llama3.2. Default: the agent's model.";

// agents-page.tsx
export const agentsOfHouse = (house: string): string => `Agents of ${house}`;
export const noAgentsYet = "No agents yet";
export const importFromProgram = "Import agent of another program";
export const addAgentOrPerson = "Add agent or person";
export const people = "People";
export const agentsAndPeople = "Agents and people";
export const onlyAgents = "Agents";
export const kind = "Kind";
export const name = "Name";
export const allStates = "All states";
export const stopCount = (count: number): string => (count === 1 ? "Stop 1 agent" : `Stop ${count} agents`);
export const stoppedCount = (count: number): string => (count === 1 ? "1 agent stopped." : `${count} agents stopped.`);
export const resumeCount = (count: number): string => (count === 1 ? "Resume 1 agent" : `Resume ${count} agents`);
export const resumedCount = (count: number): string => (count === 1 ? "1 agent resumed." : `${count} agents resumed.`);
export const removeCount = (count: number): string => `Remove ${count}`;
export const removedCount = (count: number): string => `${count} removed.`;
export const removeSelected = (count: number): string => `Remove ${count} from this house?`;
export const removeSelectedEffect =
  "They lose access, and their keys and logins end. Their messages stay in the rooms. You cannot undo this.";
export const stopOne = "Stop";
export const resumeOne = "Resume";
export const removeOne = "Remove";
export const respondsHow = (when: string): string => `responds ${when.toLowerCase()}`;
export const ifMentioned = "When mentioned";
export const ifRelevant = "When relevant";
export const runsElsewhere = "Runs elsewhere";
export const noLanguageModel = "No language model";
export const youSuffix = " (you)";
export const modelByProvider = (model: string, provider: string): string => `${model} by ${provider}`;

// budget-rows.tsx
export const spent = "Spent";
export const estimatedPart = "Of which estimated";
export const estimatedAmount = (amount: string): string =>
  `${amount}. The provider did not report the usage of these calls, for example because they were interrupted.`;
export const reservedForActiveCalls = "Reserved for active calls";
export const limit = "Limit";
export const none = "None";
export const percentSpent = (percent: number): string => `, ${percent} % spent`;
export const remaining = "Remaining";
export const resets = "Resets";

// inside-page.tsx
export const tools = "Tools";
export const timeZone = "Time zone";
export const contextOf = (agentName: string): string => `Context of ${agentName}`;
export const nextRunInput = "The input that the next run receives.";
export const state = "Status";
export const responds = "Responds";
export const sandbox = "Sandbox";
export const instructionsOfAgent = "Instructions";
export const roomsWithPendingWork = "Rooms with pending work";
export const noPendingWork = "No active runs or pending messages";
export const recentRuns = "Recent runs";
export const characters = (count: string): string => `${count} characters`;
export const runningCount = (count: number): string => `${count} running`;
export const queuedCount = (count: number): string => `${count} queued`;
export const waitingCount = (count: number): string => `${count} waiting for approval`;
export const waitingForPause = "waiting for a pause in the conversation";
export const readCount = (read: number, total: number): string => `read ${read} of ${total} messages`;
export const respondsAfterPause = (seconds: number): string => `Responds after a pause of ${seconds} s`;
export const cooldownIsOn = "cooldown after its own message";
export const cooldownIsOff = "no cooldown";
export const relevanceByModel = "relevance check by model";
export const relevanceCheckByKeywords = "relevance check by keywords";
export const relevanceCheckIsOff = "no relevance check";

// new-agent-page.tsx
export const enterAName = "Enter a name.";
export const nextEnterModel = "Next, you enter the model on the agent's page.";
export const nextCreateKey = "Next, you create an API key on the agent's page.";
export const nextSetPassword = "Next, you set a password on the person's page.";
export const memberAdded = (name: string): string => `${name} added.`;
export const type = "Type";
export const agentHereDetail = "Runs in this house and answers on its own";
export const agentElsewhere = "Agent that runs elsewhere";
export const agentElsewhereDetail = "Your own program, which connects with an API key";
export const personTypeDetail = "Logs in with a browser";
export const roleInThisHouse = "Role in this house";
export const addPerson = "Add person";
export const createAgent = "Create agent";

// stop-all.tsx
export const allAgentsStopped = "All agents stopped.";
export const allAgentsResumed = "All agents resumed.";
export const stopAllAgents = "Stop all agents";
export const stopAllNow = "Stop all agents now";
export const stopAllDetail =
  "Current runs stop immediately, and no new ones start until you resume. Messages wait. Agents that were stopped individually stay stopped.";
export const resumeAllAgents = "Resume all agents";
