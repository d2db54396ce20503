/** User-facing texts of this folder, in the order of its files. */

// setting-control.tsx
export const noLimit = "No limit";
export const notANumber = "Enter a number, or leave the field empty.";

// setting-groups.tsx
export const save = "Save";
export const saveGroup = (group: string): string => `Save ${group.toLowerCase()}`;
export const saved = (group: string): string => `${group} saved.`;
export const savedForRestart = (group: string): string => `${group} saved. The change applies after a restart.`;

// groups.ts
export const budget = "Budget";
export const budgetIntroduction =
  "Limits of what all agents together may spend on models, in US dollars. Each agent can also have limits.";
export const perDay = "Per day";
export const perMonth = "Per month";
export const perRun = "Per run";
export const tokensPerDay = "Tokens per day";
export const tokensPerMonth = "Tokens per month";
export const tokensPerRun = "Tokens per run";
export const atLimit = "At the limit";
export const stopCalls = "Refuse the call";
export const askFirst = "Ask an admin";
export const cheaperModel = "Use a cheaper model";
export const nameOfCheaperModel = "Cheaper model, as provider/model";
export const runs = "Runs";
export const runsIntroduction =
  "Limits that end endless work. A message of a person that mentions an agent is always answered.";
export const toolCalls = "Tool calls per run";
export const wakeUpsInARow = "Wake-ups between agents in a row";
export const wakeUpsInARowHint = "How often agents wake each other without a message of a person.";
export const replies = "Replies of agents to one message";
export const approvalHours = "Unanswered approvals (hours)";
export const files = "Files in messages";
export const perFile = "Largest file (MiB)";
export const perPerson = "All files of a person (MiB)";
export const perHouse = "All files of the house (MiB)";
export const unnamedHours = "Uploads without a message (hours)";
export const keepMetadata = "Keep metadata of pictures";
export const keepMetadataHint = "Metadata can contain the place where a picture was taken.";
export const keeping = "Retention";
export const keepingIntroduction = "Messages in rooms stay until they are deleted.";
export const activityDays = "Details of runs (days)";
export const deliveryDays = "Sent messages of channels (days)";
export const jobDays = "Past runs of automations (days)";
export const usageDays = "Usage of models (days)";

export const newSandboxes = "Sandbox defaults";
export const newSandboxesIntroduction =
  "For agents without settings of their own. Open sandboxes keep their settings until they close.";
export const sandboxType = "Isolation";
export const openAtOnce = "Maximum open sandboxes";
export const idleSeconds = "Idle time before closing (seconds)";
export const silenceSeconds = "Maximum silence while working (seconds)";
export const limitsOfSandbox = "Sandbox limits";
export const limitsOfSandboxIntroduction = "For the agent and its commands together.";
export const memoryMiB = "Memory (MiB)";
export const processes = "Processes";
export const processors = "Processors";
export const largestFile = "Largest file (MiB)";
export const disk = "Disk (MiB)";

export const summaries = "Summaries";
export const summariesIntroduction =
  "When a conversation reaches the context size of its model, a summary replaces its oldest part.";
export const summaryModel = "Model";
export const summaryModelHint = "As provider/model. Default: the model of the agent.";
export const agentsOwnModel = "Model of the agent";
export const reserve = "Tokens kept free for a run";
export const automatic = "Automatic";
export const memorySearch = "Memory search";
export const memorySearchIntroduction = "How agents find what they remember.";
export const memoryIndex = "Index";
export const memoryIndexes = {
  sqlite: "Words and meaning",
  markdown: "Words only",
  none: "No search: agents read their files",
} as const;
export const embedder = "Embedding model";
export const embedders = {
  local: "Built in, sends nothing",
  none: "None",
  ollama: "Ollama",
  "openai-compatible": "OpenAI-compatible endpoint",
} as const;
export const embedderHint = "A server receives every text of a memory. A change computes all vectors again.";
export const embeddingModel = "Model on the server";
export const embeddingAddress = "Address of the server";
export const embeddingDimensions = "Length of the vectors";
export const embeddingKey = "Key";
export const embeddingKeyHint = "The name of a secret, as secret:NAME.";
export const resultsPerSearch = "Facts per search";
export const meaningWeight = "Weight of meaning";
export const wordsWeight = "Weight of words";
export const learned = "Learned";
export const halfLife = "Half-life of facts (days)";
export const ageHasNoEffect = "Age has no effect";
export const indexIdleSeconds = "Idle time of the index (seconds)";

export const localAddresses = "Addresses of this machine";
export const localAddressesIntroduction = "Programs on this machine are often reachable without a password.";
export const loopback = "Agents can get access to addresses of this machine";
export const loopbackHint = "An agent still needs access to each address.";
export const logSettings = "Log settings";
export const lowestLevel = "Lowest level";
export const logLevels = { debug: "Debug", info: "Info", warn: "Warning", error: "Error" } as const;
export const logSinks = "Written to";
export const logSinkTitles = { file: "Log file", stderr: "Standard error of the process" } as const;
export const logins = "Logins";
export const loginsIntroduction = "How long a browser stays logged in.";
export const sessionDays = "At most (days)";
export const idleMinutes = "Without a request (minutes)";

export const defaultModel = "Default model";
export const defaultModelIntroduction = "For agents that are created without a model. Existing agents keep theirs.";
export const modelOfNewAgents = "Model of new agents";
export const modelFormat = "As provider/model.";
export const noModel = "No model";
