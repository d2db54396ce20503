/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// general-page.tsx
export const house = "House";
export const profileForm = "profile";
export const description = "Description (optional)";
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
export const languageInThisBrowser = "Language in this browser";
export const automatic = "Automatic";
export const automaticDetail = "The preferred language of this browser";
/** Each language is named in itself, so that people find theirs. */
export const languageNames = { en: "English", de: "Deutsch" } as const;

// models-page.tsx
export const modelSource = "Model source";
export const modelProviders = "Model providers";
export const modelProvidersIntroduction = "Services that run the language models for agents.";
export const providerAdded = (name: string): string => `${name} added.`;
export const addProvider = "Add provider";
export const add = "Add";

// provider-table.tsx
export const provider = "Provider";
export const state = "Status";
export const allStates = "All states";
export const noProviders = "No model providers";
export const providersRemoved = (count: number): string =>
  count === 1 ? "1 provider removed." : `${count} providers removed.`;
export const offlineModel = "Offline helper";
export const ready = "Ready";
export const notReady = "Not ready";
export const test = "Test";
export const testProvider = (name: string): string => `Test ${name}`;
export const remove = "Remove";
export const removeProviderCount = (count: number): string =>
  count === 1 ? "Remove 1 provider" : `Remove ${count} providers`;
export const removeProviders = (count: number): string =>
  count === 1 ? "Remove 1 provider?" : `Remove ${count} providers?`;
export const providerRemovalEffect = "The settings and the stored key of a removed provider are deleted.";
export const providerRemovalEffectOnAgents = (goes: string, names: string): string =>
  `${goes} ${names} cannot answer until you choose another model for them.`;
export const sendTestRequest = "Send test request";
export const usedBy = "Used by";

// security-fixes.ts
export const askBeforeActing = "Ask before acting";
export const askBeforeActingEffect = (name: string): string =>
  `${name} then asks for approval before each call that acts, also in folders that it could write to without approval.`;
export const restrictCommands = "Restrict commands";
export const isolate = "Isolate cell";
export const isolateEffect = (name: string): string =>
  `From its next turn on, ${name} runs in the strongest kind of cell of this machine.`;
export const removeCommandsEffect = (name: string): string =>
  `This machine has no isolated kind of cell, so ${name} loses its tools that run commands or write files in its cell.`;
export const removeTrust = "Remove trusted folders";
export const removeTrustEffect = (name: string): string =>
  `${name} then asks for approval before it writes files or runs commands.`;
export const setBudget = "Set budget";
export const changeWebAccess = "Change web access";
export const closeLoopback = "Block local programs";
export const closeLoopbackEffect = "Agents then reach no program on this machine, such as a local web server.";
export const revokeKey = "Revoke key";
export const revokeKeyEffect = "Programs that use this key lose access at once. You cannot restore the key.";
export const revokeInviteLink = "Revoke link";
export const revokeInviteLinkEffect = "The link stops working at once. You cannot restore it.";
export const removeRights = "Remove rights";
export const removeRightsEffect = (name: string): string => `${name} keeps the role and loses all rights beside it.`;
export const removeRule = "Remove rule";
export const removeRuleEffect = "The agent then asks for approval again.";
export const blockWakes = "Block guests";
export const blockWakesEffect =
  "These people can still read and write in the room, but no agent wakes for their messages.";
export const openChannelFix =
  "To require pairing, change the admission of this channel in hearth.toml on the machine of the house.";
export const revokeUse = "Revoke use";
export const revokeUseEffect = "Requests to this host are then sent without the secret. The secret stays stored.";
export const removeSecret = "Remove secret";
export const removeSecretEffect = "Its value is deleted, and you cannot restore it.";
export const lockedVaultFix = "On the machine of the house, restore the key of the vault. Then restart Hearth.";
export const vaultKeyFix =
  "On the machine of the house, protect the key of the vault with a passphrase or the system keyring.";
export const viewAuditLog = "View audit log";
export const viewProviders = "View model providers";
export const durabilityFix =
  "In hearth.toml on the machine of the house, set the durability of the store to power. Then restart Hearth.";
export const plainAddressFix =
  "Serve the public address over TLS: with a proxy in front of Hearth, or with certificate files in hearth.toml.";
export const plainProxyFix = "Run the proxy on the machine of the house, or add certificate files to hearth.toml.";
export const wideProxiesFix = "In hearth.toml on the machine of the house, list the address of each trusted proxy.";
export const loopbackWebhooksFix =
  "In hearth.toml on the machine of the house, remove the setting that allows webhooks to this machine. Then restart Hearth.";
export const fileModeFix = "On the machine of the house, remove the access of other users to this file or folder.";
export const refusedConfigFix = "Correct hearth.toml on the machine of the house.";

// check-links.ts
export const viewAccount = "View account";
export const viewAgent = "View agent";
export const viewBackups = "View backups";
export const viewChannels = "View channels";
export const reviewChanges = "Review changes";
export const decideOnRestore = "Decide how to continue";

// finding-fix.tsx
export const fixed = "Fixed.";
export const fixOf = (fix: string, where: string): string => `${fix}: ${where}`;
export const confirmFix = (fix: string): string => `${fix}?`;
export const thisMember = "This member";
export const changeKey = "Change key";
export const changeKeyOf = (name: string): string => `Change key of ${name}`;

// change-key.tsx
export const newKeyOf = (name: string): string => `New API key for ${name}`;
export const newKeyHint =
  "One small request tests the key first. The stored key is replaced only if the provider accepts the new one.";
export const enterAKey = "Enter an API key.";
export const oldKeyStays = "The old key stays in use.";
export const keyChanged = (name: string): string => `Key of ${name} changed.`;
export const testAndSaveKey = "Test and save key";
export const cancel = "Cancel";

// security-section.tsx
export const security = "Security";
export const securityIntroduction = "Checks access, agent permissions and exposed data, and recommends restrictions.";
export const runSecurityCheck = "Run security check";
export const runSecurityCheckAgain = "Run security check again";
export const critical = "Critical";
export const recommended = "Recommended";
export const info = "Info";
export const notChecked = (what: string): string => `Not checked: ${what}`;
export const noRecommendations = "No recommendations";
export const oneSecurityRecommendation = "1 security recommendation";
export const securityRecommendations = (length: number): string => `${length} security recommendations`;
export const withCritical = (total: string, criticalCount: number): string => `${total}, ${criticalCount} critical`;

// system-page.tsx
export const loading = "Loading";
export const thisHouse = "This house";
export const apiDocumentation = "API documentation";
export const checks = "Checks";
export const checksIntroduction = "Checks everything that Hearth needs, with instructions for what is missing.";
export const runChecks = "Run checks";
export const runChecksAgain = "Run checks again";
export const allChecksPassed = "All checks passed";
export const oneCheckFailed = "1 check failed";
/** Shown for a fix that consists of commands only. */
export const fixInTerminal =
  "The fix needs a terminal on the machine of this house, where the doctor shows the command.";
export const checksFailed = (failed: number): string => `${failed} checks failed`;

// edit-provider.tsx
export const editProvider = "Edit";
export const editProviderNamed = (name: string): string => `Edit ${name}`;
export const providerAddress = "Address";
export const providerAddressHint = "The stored key goes to this address.";
export const addressOfVendor = "Address of the vendor";
export const wrongProviderAddress = "Enter an address that begins with http:// or https://.";
export const retries = "Retries";
export const retriesHint = "After a transient failure, while no part of the answer is shown.";
export const byDefault = "Default";
export const saveProvider = "Save provider";
export const providerChanged = (name: string): string => `${name} changed.`;

// houses-section.tsx
export const houses = "Houses";
export const housesIntroduction = "Each house has people, agents and rooms that other houses cannot see.";
export const yourRole = "Your role";
export const place = "Place";
export const openNow = "You are here";
export const openHouse = "Open";
export const openHouseNamed = (name: string): string => `Open ${name}`;
export const newHouse = "New house";
export const newHouseDetail = "You become its admin. Model providers, channels and backups are shared by all houses.";
export const enterAHouseName = "Enter a name.";
export const createHouse = "Create house";
export const houseCreated = (name: string): string => `${name} created.`;

// update-section.tsx
export const update = "Update";
export const updateIntroduction =
  "The house takes an installed version at its next start. It first copies the database, and puts the copy back if the update fails.";
export const updateWaits = (version: string): string => `Version ${version} is installed`;
export const updateAtNextStart = "The next start of the house runs this version.";
export const upToDate = "The installed version runs";
export const runningVersion = "Running version";
export const installedVersion = "Installed version";
export const schema = "Database schema";
export const schemaChange = (from: number, to: number, steps: number): string =>
  steps === 1 ? `${from} now, ${to} after 1 change` : `${from} now, ${to} after ${steps} changes`;
export const updateTime = "Duration";
export const aboutSeconds = (seconds: number): string => `About ${seconds} s`;
export const diskSpace = "Disk space";
export const neededOfFree = (needed: string, free: string): string => `${needed} needed, ${free} free`;
export const openRuns = "Runs in progress";
export const noOpenRuns = "None";
export const runsResume = (count: number): string =>
  count === 1 ? "1, which resumes after the start" : `${count}, which resume after the start`;
export const copyFromBefore = "Copy from before";
export const noCopy = "None. The first update makes one.";
export const copyOf = "Made";
export const lostSince = (messages: number, runs: number): string =>
  `A return to it would lose ${messages} ${messages === 1 ? "message" : "messages"} and ${runs} ${runs === 1 ? "run" : "runs"}.`;
export const beforeAnUpdate = "Before you install a new version:";
export const makeABackup = "make a backup";
