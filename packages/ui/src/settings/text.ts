/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// activity-page.tsx
export const activityOf = (name: string): string => `Activity of ${name}`;
export const oneLinePerRun = "One line per run.";
export const outcome = "Outcome";
export const all = "All";
export const reasonForNoReply = "Reason for no reply";
export const anyReason = "Any reason";
export const showMore = "Show more";
export const noRunsMatch = "No runs match. Runs older than a month are deleted.";

// activity-row.tsx
export const formerMember = "Former member";
export const time = "Time";
export const message = "Message";
export const deleted = "Deleted";
export const messagesInARow = "Agent messages in a row";
export const noCalls = "No model or tool calls";
export const steps = "Steps";
export const failed = " Failed";
export const unknownResult = " Unknown result";

// agent-at.tsx
export const loading = "Loading";

// agent-budget.tsx
export const budget = "Budget";
export const limitsAndSpending = (name: string): string => `Limits and spending of ${name}.`;
export const noLimitOrSpending = "No limit for this agent, and no spending this month.";
export const agent = "Agent";
export const house = "House";
export const limitPerRun = (limit: string): string => `Limit for a single run of any agent: ${limit}. `;
export const houseLimitsAreSetUnder = "Limits for the house are set under";
export const refreshBudget = "Refresh budget";
export const budgetForm = "budget";
export const noLimit = "No limit";
export const atLimit = "When the limit is reached";
export const endRunByDefault = "Default: end the run with a message";
export const endRun = "End the run with a message";
export const askAdmin = "Ask an admin for approval";
export const useCheaperModel = "Use a cheaper model";
export const cheaperModel = "Cheaper model";
export const modelNameFormat = "Format: provider/model.";

// agent-cells.tsx
export const sandboxes = "Sandboxes";
export const sandboxesIntroduction = (name: string): string =>
  `${name} runs its tools in sandboxes: one per audience, opened on demand.`;
export const privateSandbox = "Private";
export const sandboxOfHiddenRoom = "A room you cannot see";
export const sandboxOfRoom = (name: string): string => `Room ${name}`;
export const noOpenSandboxes = "No open sandboxes";
export const closeSandbox = (name: string): string => `Close sandbox: ${name}`;
export const sandboxClosed = "Sandbox closed.";
export const close = "Close";
export const sandboxOpened = "Sandbox opened.";
export const openSandbox = "Open sandbox";
export const refreshSandboxes = "Refresh sandboxes";
export const sandboxForm = "sandbox settings";
export const sandboxType = "Sandbox type";
export const sandboxTypeHint = "Applies from the next run. Open sandboxes close when their runs finish.";
export const byDefault = "Default";
export const opened = "opened";

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

// agent-page.tsx
export const agents = "Agents";
export const profileForm = "profile";
export const person = "Person";
export const activity = "Activity";
export const activityDetail = "Runs of this agent, with outcome and reason.";
export const brain = "Brain";
export const brainDetail = "Files, version history and prompt.";
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

// agent-tools.tsx
export const tools = "Tools";
export const toolsOf = (name: string): string => `Tools of ${name}`;
export const usesDefaultTools = (name: string): string => `${name} uses the default tools (no approval needed).`;
export const hasNoTools = (name: string): string => `${name} has no tools.`;

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
export const noAgentsYet = "No agents yet";
export const addAgentOrPerson = "Add agent or person";
export const people = "People";
export const personDetail = (handle: string): string => `Person · @${handle}`;
export const runsElsewhere = "Runs elsewhere";
export const noLanguageModel = "No language model";
export const youSuffix = " (you)";
export const respondsWhenMentioned = "responds when mentioned";
export const respondsWhenRelevant = "responds when relevant";
export const modelByProvider = (model: string, provider: string): string => `${model} by ${provider}`;

// budget-rows.tsx
export const spent = "Spent";
export const reservedForActiveCalls = "Reserved for active calls";
export const limit = "Limit";
export const none = "None";
export const percentSpent = (percent: number): string => `, ${percent} % spent`;
export const remaining = "Remaining";
export const resets = "Resets";

// general-page.tsx
export const you = "You";
export const timeZone = "Time zone";
export const timeZoneHint = (timezone: string): string => `Default: the time zone of the house, ${timezone}.`;
export const houseDescriptionHint = "Every agent reads this before its own instructions.";
export const houseTimeZoneHint = "Used for dates such as “today”.";
export const houseForm = "house";
export const houseName = "House name";
export const houseTimeZone = "House time zone";
export const appearance = "Appearance";
export const themeInThisBrowser = "Theme in this browser";
export const system = "System";
export const systemDetail = "Light or dark, following your system";
export const light = "Light";
export const dark = "Dark";

// give-level.tsx
export const personOrAgent = "Person or agent";
export const chooseAMember = "Choose a member";
export const role = "Role";
export const grantAccess = "Grant access";

// inside-page.tsx
export const contextOf = (agentName: string): string => `Context of ${agentName}`;
export const nextRunInput = "The input that the next run receives.";
export const state = "State";
export const fallbackModels = "Fallback models";
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

// keys-section.tsx
export const apiKeys = "API keys";
export const tryAgain = "Try again";
export const revoked = (name: string): string => `${name} revoked.`;
export const noApiKeys = "No API keys";
export const forOwner = (name: string): string => `For ${name} · `;
export const revokeKey = (name: string): string => `Revoke ${name}`;
export const revoke = "Revoke";
export const revocationEffect = "Programs that use this key lose access immediately. You cannot undo this.";

// levels-of.ts
export const memberOfAnotherHouse = "Member of another house";

// make-key.tsx
export const noExpiration = "No expiration";
export const oneWeek = "1 week";
export const thirtyDays = "30 days";
export const oneYear = "1 year";
export const nameOfNewKey = "Name of the new key";
export const nameOfNewKeyHint = "For example the name of the program.";
export const enterAName = "Enter a name.";
export const actsAs = "Acts as";
export const atMostMember = "At most member";
export const atMostViewer = "At most viewer";
export const expiration = "Expiration";
export const createApiKey = "Create API key";

// members-page.tsx
export const addPersonOrAgent = "Add person or agent";
export const yourRole = (name: string): string => `Your role in ${name}`;
export const noRole = "You have no role in this house. You have access to single rooms only.";
export const roleHint = "An admin of this house can change your role.";
export const adminOf = "You are an admin of";

// models-page.tsx
export const modelProviders = "Model providers";
export const modelProvidersIntroduction = "Services that run the language models for agents.";
export const providerAdded = (name: string): string => `${name} added.`;
export const addProvider = "Add provider";
export const add = "Add";

// name-browser.ts
export const browserOn = (browser: string, system: string): string => `${browser} on ${system}`;
export const unknownBrowser = "Unknown browser";

// name-field.tsx
export const name = "Name";

// new-agent-page.tsx
export const nextEnterModel = "Next, you enter the model on the agent's page.";
export const nextCreateKey = "Next, you create an API key on the agent's page.";
export const nextSetPassword = "Next, you set a password on the person's page.";
export const memberAdded = (name: string): string => `${name} added.`;
export const type = "Type";
export const agentHereDetail = "Runs in this house and answers on its own";
export const agentElsewhere = "Agent that runs elsewhere";
export const agentElsewhereDetail = "A program of yours that connects with an API key";
export const personTypeDetail = "Logs in with a browser";
export const roleInThisHouse = "Role in this house";
export const addPerson = "Add person";
export const createAgent = "Create agent";

// new-key.tsx
export const copied = "Copied.";
export const apiKeyOf = (name: string): string => `API key for ${name}. It is shown only once.`;
export const copiedState = "Copied";
export const copy = "Copy";
export const done = "Done";
export const copyingNotAvailable = "Copying is not available in this browser. Select the key and copy it.";

// new-room-page.tsx
export const roomCreated = (name: string): string => `${name} created.`;
export const rooms = "Rooms";
export const newRoom = "New room";
export const newRoomAccess = "The room is open to the whole house until you change that.";
export const roomDescriptionHint = "Visible to people and agents.";
export const createRoom = "Create room";

// password-section.tsx
export const passwordTitle = "Password";
export const passwordIntroduction = (name: string, handle: string): string =>
  `${name} can log in with the name ${handle} and this password from any browser that can reach this house.`;
export const passwordTooShort = (minPasswordLength: number): string =>
  `Use at least ${minPasswordLength} characters, for example a few words.`;
export const passwordIsSet = "A password is set.";
export const noPasswordIsSet = "No password is set.";
export const currentPassword = "Current password";
export const newPassword = "New password";
export const newPasswordHint = (minPasswordLength: number): string => `At least ${minPasswordLength} characters.`;
export const changePassword = "Change password";
export const setPassword = "Set password";
export const savedState = "Saved";
export const passwordSaved = (loggedOut: number, isOwn: boolean): string =>
  `Saved. Logged out ${loggedOut} ${isOwn ? "other " : ""}${loggedOut === 1 ? "browser" : "browsers"}.`;

// place-levels.tsx
export const access = "Access";
export const openRoomAccess = "House roles apply here too. You can grant a higher role for this room only.";
export const closedRoomAccess =
  "Members of this room can write here. Other members of the house have no access, except admins.";
export const giveUpRoleTitle = "Give up your admin role?";
export const giveUpRoleEffect =
  "You will no longer be able to change anything here. Only another admin can restore your role.";
export const giveUpRole = "Give up role";
export const roleOf = (name: string): string => `Role of ${name}`;
export const removeAccess = "Remove access";
export const inheritedRole = (kind: string): string => `${kind} · inherited from the house`;
export const roomMemberRole = (kind: string): string => `${kind} · member of this room`;
export const roomRole = (kind: string): string => `${kind} · set for this room`;
export const roomAndHouseRole = (kind: string, houseRole: string): string =>
  `${kind} · set for this room; house role: ${houseRole}`;

// place.ts
export const tabTitle = (page: string): string => `${page} · Settings`;
export const newAgent = "New agent";
export const activityIn = (room: string): string => `Activity in ${room}`;
export const notFound = "Page not found";

// provider-row.tsx
export const providerRemoved = (name: string): string => `${name} removed.`;
export const offlineModel = "Offline helper";
export const ready = "Ready";
export const notReady = "Not ready";
export const test = "Test";
export const testProvider = (name: string): string => `Test ${name}`;
export const remove = "Remove";
export const removeProvider = (name: string): string => `Remove ${name}`;
export const removeProviderTitle = (name: string): string => `Remove ${name}?`;
export const providerRemovalEffect = "Its entry in hearth.toml and its stored key are deleted.";
export const providerRemovalEffectOnAgents = (goes: string, names: string): string =>
  `${goes} ${names} cannot answer until you choose another model for them.`;
export const sendTestRequest = "Send test request";
export const usedBy = (agents: string): string => `Used by ${agents}`;

// removal.tsx
export const recordRemoved = (shown: string): string => `${shown} removed.`;
export const removeRecordTitle = (shown: string): string => `Remove ${shown}?`;

// room-admission.tsx
export const wakeRules = "Wake rules";
export const changeWakeRules = "Change wake rules";
export const saveWakeRules = "Save wake rules";
export const membersWhoCanWakeAgents = "Members who can wake agents";
export const everyoneWithWriteAccess = "Everyone with write access";
export const selectedMembers = "Selected members";
export const selectedMembersDetail = "If you select none, no message wakes agents";
export const allowed = "Allowed";
export const blocked = "Blocked";
export const requireAMention = "Require a mention";
export const requireAMentionDetail = "Agents only respond when mentioned with @";
export const membersWhoseEveryMessageWakes = "Members whose every message wakes all agents";

// room-members.tsx
export const participants = "Participants";
export const theWholeHouse = "The whole house";
export const visibleTo = "Visible to";
export const theWholeHouseDetail = "Everyone with access to the house, including future members";
export const andAdmins = "And the admins of the house";
export const members = "Members";
export const saveMembers = "Save members";

// room-settings.tsx
export const roomForm = "room";
export const openRoom = "Open room";
export const roomActivityDetail = "Runs in this room, with outcome and reason.";
export const roomRemovalEffect = "All members lose access to the room.";
export const roomRemovalConsequences =
  "Messages become inaccessible, and agents stop working here. You cannot undo this here.";

// rooms-page.tsx
export const noRooms = "No rooms";
export const directRoom = "Direct room";
export const openToTheWholeHouse = "Open to the whole house";
export const oneParticipant = "1 participant";
export const participantCount = (length: number): string => `${length} participants`;

// section.tsx
export const saveForm = (subject: string | undefined): string => (subject === undefined ? "Save" : `Save ${subject}`);
export const discardChanges = "Discard changes";
export const discardForm = (subject: string | undefined): string =>
  subject === undefined ? discardChanges : `${discardChanges}: ${subject}`;

// security-section.tsx
export const security = "Security";
export const securityIntroduction = "Checks access, agent permissions and exposed data, and recommends restrictions.";
export const runSecurityCheck = "Run security check";
export const refreshRecommendations = "Refresh recommendations";
export const fix = "Fix:";
export const critical = "Critical";
export const recommended = "Recommended";
export const info = "Info";
export const noRecommendations = "No recommendations";
export const oneSecurityRecommendation = "1 security recommendation";
export const securityRecommendations = (length: number): string => `${length} security recommendations`;
export const withCritical = (total: string, criticalCount: number): string => `${total}, ${criticalCount} critical`;

// sessions-section.tsx
export const sessions = "Sessions";
export const prefixOfThisBrowser = "This browser · ";
export const logOutBrowser = (browser: string): string => `Log out ${browser}`;
export const sessionEnded = "Session ended.";
export const logOut = "Log out";
export const noOtherSessions = "No other sessions";
export const allOtherSessionsEnded = "All other sessions ended.";
export const logOutAllOthers = "Log out all others";

// settings-page.tsx
export const general = "General";
export const account = "Account";
export const models = "Models";
export const settings = "Settings";
export const pageNotFound = "Page not found.";
export const viewAgents = "View agents";
export const onlyAdmins = "Only admins of this house can open this page. Ask an admin for access.";

// stop-all.tsx
export const allAgentsStopped = "All agents stopped.";
export const allAgentsResumed = "All agents resumed.";
export const stopAllAgents = "Stop all agents";
export const stopAllDetail =
  "Current runs stop immediately, and no new ones start until you resume. Messages wait. Agents that were stopped individually stay stopped.";
export const resumeAllAgents = "Resume all agents";

// system-page.tsx
export const thisHouse = "This house";
export const apiDocumentation = "API documentation";
export const checks = "Checks";
export const checksIntroduction = "Checks everything that Hearth needs, with instructions for what is missing.";
export const runChecks = "Run checks";
export const refreshChecks = "Refresh checks";
export const allChecksPassed = "All checks passed";
export const oneCheckFailed = "1 check failed";
export const checksFailed = (failed: number): string => `${failed} checks failed`;
