/** User-facing texts of this folder, in the order of its files. */

// run-page.tsx
export const run = "Run";
export const agent = "Agent";
export const room = "Room";
export const noAccessToRoom = "A room that you cannot see";
export const formerMember = "Former member";
export const trigger = "Trigger";
export const message = "Message";
export const deleted = "Deleted";
export const outcome = "Outcome";
export const reason = "Reason";
export const models = "Models";
export const tokens = "Tokens";
export const cost = "Cost";
export const costWithEstimates = (cost: string): string => `${cost}, partly estimated`;
export const programs = "Programs in the sandbox";
export const includedAbove = (tokens: string): string => `${tokens}, included above`;
export const network = "Network";
export const noRequests = "No requests";
export const oneRequest = "1 request";
export const requestCount = (count: number): string => `${count} requests`;
export const secrets = "Secrets used";
export const noSecrets = "None";
export const prompt = "Prompt";
export const showCurrentPrompt = "Show the current prompt";
export const id = "Run id";
export const details = "Details";

// run-reply.tsx
export const reply = "Reply";
export const replyDetail =
  "Select a sentence to see its likely sources: results and messages of this run with the same numbers, names and words. They do not prove where a fact comes from.";
export const replyCut = "The results and messages are long. Only their first part was compared.";
export const likelySourcesOf = (sentence: string): string => `Likely sources of: ${sentence}`;
export const linkedSource = "The sentence links to this source.";
export const wakingMessage = "Message that woke the agent";

// run-changes.tsx
export const changes = "Changes";
export const revertTheWholeRun = "Revert the whole run";
export const showHistory = "Show version history";

// run-timeline.tsx
export const timeline = "Timeline";
export const queued = "Queued";
export const started = "Started";
export const modelCall = (model: string): string => `Model call: ${model}`;
export const failed = "Failed";
export const unknownResult = "Unknown result";
export const running = "Running";
export const untrustedResult = "Untrusted content";
export const inputAndOutput = "Input and output";
export const input = "Input";
export const output = "Output";
export const error = "Error";
export const empty = "Empty";
export const approvalRequested = (call: string): string => `Approval requested: ${call}`;
export const pendingApproval = "No decision yet.";
export const showApproval = "Show approval";
export const request = (method: string, address: string): string => `Network request: ${method} ${address}`;
export const tunnel = "tunnel to";
export const requestOutcome = { allowed: "Allowed", refused: "Refused", failed: "Failed" } as const;
export const status = (code: number): string => `HTTP ${code}`;
export const bytes = (sent: string, received: string): string => `${sent} bytes sent, ${received} received`;
export const withSecrets = (names: string): string => `Secrets: ${names}`;
export const afterStart = (duration: string): string => `after ${duration}`;

// run-prompt.tsx
export const promptParts = "Prompt parts";
export const promptErased = "The input of this call was forgotten.";
export const promptTokens = (count: string): string => `About ${count} tokens, estimated from the length of each part.`;
export const countedTokens = (count: string, cached: string): string =>
  `The provider counted ${count}, of which ${cached} were cached.`;
export const partKinds = {
  tools: "Tools",
  file: "File",
  skills: "Index of skills",
  instructions: "Instructions",
  house: "Description of the house",
  rules: "System rules",
  summary: "Summary of earlier messages",
  conversation: "Conversation",
  unfinished: "Unfinished earlier runs",
  inbox: "Messages of other agents",
  attachment: "Attachment",
  message: "Message",
  intake: "Messages during the run",
  reply: "Replies and calls of this run",
  result: "Results",
  hidden: "Hidden parts",
} as const;
export const attachment = (name: string): string => `Attachment: ${name}`;
export const memoryFound = "Memory found";
export const resultsOf = (tool: string): string => `Results of ${tool}`;
export const titleWithCount = (title: string, count: string): string => `${title} (${count})`;
export const part = "Part";
export const erasedPart = "deleted or forgotten since";
export const hiddenPart = "people of this room may not see them";
export const share = "Share";
export const unknown = "Unknown";
export const percent = (value: number): string => `${value} %`;
export const underOnePercent = "under 1 %";
export const cached = "Cached";
export const isCached = "Yes";
export const partlyCached = "Partly";
export const notCached = "No";

// run-sources.tsx
export const sources = "Sources";
export const sourcesDetail = "Content from outside that the agent read in this run, with the steps that returned it.";
export const noSources = "The agent read no content from outside.";
export const sourceUnknown = "Source unknown";
