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

// models-page.tsx
export const modelSource = "Model source";
export const modelProviders = "Model providers";
export const modelProvidersIntroduction = "Services that run the language models for agents.";
export const providerAdded = (name: string): string => `${name} added.`;
export const addProvider = "Add provider";
export const add = "Add";

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
export const refreshRecommendations = "Refresh recommendations";
export const fix = "Fix:";
export const critical = "Critical";
export const recommended = "Recommended";
export const info = "Info";
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
export const refreshChecks = "Refresh checks";
export const allChecksPassed = "All checks passed";
export const oneCheckFailed = "1 check failed";
/** Shown for a fix that consists of commands only. */
export const fixInTerminal =
  "The fix needs a terminal on the machine of this house, where the doctor shows the command.";
export const checksFailed = (failed: number): string => `${failed} checks failed`;
