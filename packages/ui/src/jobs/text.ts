/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// file-errors.tsx
export const fileHasErrors = (file: string): string => `${file} has errors. The other jobs run.`;
export const editFile = "Edit file";
export const errorInLine = (line: number, job: string | undefined, error: string): string =>
  `Line ${line}${job === undefined ? "" : `, ${job}`}: ${error}`;

// heartbeat-draft.ts
export const enterATimeOfDay = "Enter a time of day, such as 08:00.";
export const endEqualsStart = "The end equals the start. Leave both empty for the whole day.";
export const enterAStartTime = "Enter a start time, or leave both empty.";
export const enterAnEndTime = "Enter an end time, or leave both empty.";
export const enterAnInterval = "Enter an interval, such as 30m, 2h or 1d.";
export const enterAnAmount = "Enter an amount, such as 2.50.";
export const enterAWholeNumber = "Enter a whole number.";
export const enterALongerInterval = (seconds: number): string => `Enter at least ${seconds}s.`;

// heartbeat-form.tsx
export const checkInRegularly = "Check in regularly";
export const checkInRegularlyDetail =
  "When something is new, the agent reads its checklist and writes only if it has something to report.";
export const interval = "Interval";
export const intervalHint = "For example 30m, 2h or 1d.";
export const activeHours = "Active hours (optional)";
export const from = "From";
export const until = "Until";
export const agentTimeZone = "Time zone of the agent";
export const dailyBudget = "Daily budget for check-ins (optional)";
export const usDollars = "US dollars";
export const noSeparateLimit = "No separate limit";
export const tokens = "Tokens";
export const reportTo = "Report to";
export const alwaysCheck = "Also check when nothing is new";
export const alwaysCheckDetail =
  "For checklists about dates or about things outside of this house. Each check calls a model.";
export const agentTimeZoneHint = (houseZone: string): string =>
  `Also applies to the agent's jobs. Default: the time zone of the house, ${houseZone}.`;

// heartbeat-page.tsx
export const checkInSchedule = "Check-in schedule";
export const emptyChecklist = "The checklist is empty, so the agent does not check in.";
export const writeChecklistIn = "Write the checklist in";
export const checklistIsIn = "The checklist is";
export const nextCheck = "Next check and run history";
export const firstCheckNotScheduled = "The first check is not scheduled yet.";
export const inTheBrain = "in the agent's brain.";

// heartbeat-words.ts
export const stoppedHeartbeat = (reason: string): string =>
  `Stopped after repeated failures. ${reason} Fix the cause, then resume.`;
export const pausedHeartbeat = "Paused. The agent does not check in until you resume it.";
export const noNextCheck = "No next check.";
export const nextCheckAt = (time: string): string => `Next check, in your time zone: ${time}.`;
export const hoursWithin = (from: string, to: string, zone: string): string => `${from} to ${to} (${zone})`;
export const neverChecksIn = (within: string): string =>
  `No check falls within ${within}, so the agent never checks in. Choose a shorter interval or other hours.`;
export const nextCheckWithin = (time: string, within: string): string =>
  `Next check, in your time zone: ${time}. Active hours: ${within}.`;

// job-draft.ts
export const enterAPrompt = "Enter a prompt.";
export const enterATime = "Enter a time.";
export const invalidJobName = "Enter a name that contains letters from a to z or digits.";

// job-editor.tsx
export const inWords = "In words";
export const inWordsHint = "For example every weekday at 9, every 2 hours, tomorrow at 18:00.";
export const cron = "Cron";
export const cronHint = "Minute, hour, day, month, weekday. For example 0 9 * * 1-5.";
export const everyHint = "For example 15m, 2h or 1d.";
export const once = "Once";
export const onceHint = "For example 2026-12-01T09:00.";
export const newJob = (name: string): string => `New job for ${name}`;
export const editJob = (name: string): string => `Edit ${name}`;
export const cancel = "Cancel";
export const save = "Save";
export const name = "Name";
export const optionalName = "Name (optional)";
export const nameHint = "Leave it empty to use the first words of the prompt.";
export const prompt = "Prompt";
export const schedule = "Schedule";
export const inYourTimeZone = "In your time zone:";
export const understoodSchedule = (schedule: string): string => `Schedule: ${schedule}`;
export const timeIsInThePast = "This time is in the past, so the job would never run.";

// job-hook.tsx
export const replaceKeyTitle = "Replace the webhook key?";
export const replaceKeyEffect = "The old key stops working immediately. Callers need the new key.";
export const replaceKey = "Replace key";
export const turnOffTitle = "Turn the webhook off?";
export const turnOffEffect =
  "Its address and key stop working permanently. Turning it on again creates a new address and key.";
export const turnOff = "Turn off";
export const webhookKeyCreated = "Webhook key created. It is shown only once.";
export const webhookIsOff = "The webhook is off.";
export const webhookOf = (name: string): string => `Webhook of ${name}`;
export const webhook = "Webhook";
export const webhookOffDetail = "Trigger this job over HTTP. The request body is passed to the agent as data.";
export const webhookOnDetail =
  "Send POST requests to this path on any address of this house, signed according to Standard Webhooks.";
export const turnWebhookOn = "Turn webhook on";
export const turnWebhookOff = "Turn webhook off";
export const theWebhookOf = (job: string): string => `the webhook of ${job}`;

// job-more-fields.tsx
export const thePromptOnly = "The prompt only";
export const promptAndMessages = "The prompt and the messages in the room";
export const runTheLastOne = "Run the last one";
export const runEachOfThem = "Run each of them";
export const skipThem = "Skip them";
export const moreOptions = "More options";
export const room = "Room";
export const context = "Context";
export const missedRuns = "Missed runs";
export const timeZone = "Time zone (optional)";
export const timeZoneHint = "For example Europe/Berlin. Default: the time zone of the agent, or of the house.";
export const endDate = "End date (optional)";
export const endDateHint = "For example 2026-12-31.";

// job-detail.tsx
export const editCheckInSchedule = "Edit check-in schedule";
export const runHistory = "Run history";
export const started = (name: string): string => `${name} started.`;
export const runNow = "Run now";
export const resumed = (name: string): string => `${name} resumed.`;
export const paused = (name: string): string => `${name} paused.`;
export const resume = "Resume";
export const pause = "Pause";
export const edit = "Edit";
export const deleteJob = "Delete job";
export const saved = (understood: string): string => `Saved: ${understood}.`;
export const deleteJobTitle = (name: string): string => `Delete ${name}?`;
export const deleteJobEffect =
  "The job and its webhook are removed. A current run continues, and the run history stays.";
export const deleted = (name: string): string => `${name} deleted.`;
export const runsOnBehalfOf = (owner: string, room: string): string => `Runs on behalf of ${owner}, in ${room}.`;
export const aFormerMember = "a former member";
export const theirDirectRoom = "their direct room";

// job-slots.tsx
export const runHistoryOf = (name: string): string => `Run history of ${name}`;
export const showMore = "Show more";
export const noRunsYet = "No runs yet";
export const finished = "Finished";

// job-words.ts
export const fates = {
  fired: "Ran",
  skipped: "Skipped",
  merged: "Merged into a later run",
  missed: "Missed",
  failed: "Failed",
  stopped: "Stopped",
} as const;
export const statuses = {
  active: "Active",
  paused: "Paused",
  halted: "Stopped after repeated failures",
  over: "Finished",
} as const;
export const runningNow = "Running";
export const repetitionCount = (words: string, count: string): string => `${words}, ${count} times`;
export const lastRunsFailed = (count: number): string => `Last ${count} runs failed`;

// automation-table.tsx
export const added = (name: string, understood: string): string => `${name} added: ${understood}.`;
export const newJobButton = "New job";
export const lastRun = (fate: string, time: string): string => `Last: ${fate}, ${time}`;
export const filters = "Filters";
export const agent = "Agent";
export const allAgents = "All";
export const kind = "Kind";
export const allKinds = "All";
export const kinds = { job: "Jobs", heartbeat: "Heartbeats", webhook: "Webhooks" } as const;
export const kindWords = { job: "Job", heartbeat: "Heartbeat", webhook: "Job with webhook" } as const;
export const state = "Status";
export const allStates = "All";
export const nextRun = "Next run";
export const noNextRun = "None";
export const noAutomations = "No automations";
export const noAutomationsDetail =
  "A job wakes an agent at a time, at an interval, or when a program calls its webhook.";
export const noMatches = "No automation matches these filters.";
export const list = "List";
export const selectedAutomations = "Selected automations";
export const selectedCount = (count: number): string => `${count} selected`;
export const pauseCount = (count: number): string => `Pause ${count}`;
export const resumeCount = (count: number): string => `Resume ${count}`;
export const deleteCount = (count: number): string => `Delete ${count}`;
export const deleteSelected = (count: number): string => (count === 1 ? "Delete 1 job?" : `Delete ${count} jobs?`);
export const deleteSelectedEffect =
  "The jobs and their webhooks are removed. Current runs continue, and the run history stays.";
export const pausedCount = (count: number): string => `${count} paused.`;
export const resumedCount = (count: number): string => `${count} resumed.`;
export const deletedCount = (count: number): string => `${count} deleted.`;
export const couldNotList = (name: string): string => `The automations of ${name} could not be loaded`;

// automations-page.tsx
export const automations = "Automations";
export const automationsIntroduction = "Jobs, heartbeats and webhooks that wake agents without a message.";
export const noAgentCanHaveJobs = "No agent can have jobs yet.";
export const settingsOf = (name: string): string => `Settings of ${name}`;
export const viewHeartbeat = "View heartbeat";
export const viewAllAutomations = "View all automations";
export const viewAutomations = "View automations";
export const agentNotFound = "Agent not found.";
export const viewAgents = "View agents";
export const onlyAdmins = "Only admins of this house can open this page. Ask an admin for access.";
export const automationsOf = (name: string): string => `Automations of ${name}`;
export const cannotHaveJobs = (name: string): string =>
  `${name} cannot have jobs here. Only agents that run in this house can.`;
export const heartbeatOf = (name: string): string => `Heartbeat of ${name}`;
export const cannotHaveAHeartbeat = (name: string): string =>
  `${name} cannot have a heartbeat here. Only agents that run in this house can.`;

// room-field.tsx
export const directRoom = "Direct room of the owner and the agent";
