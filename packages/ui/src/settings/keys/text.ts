/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// keys-section.tsx
export const apiKeys = "API keys";
export const tryAgain = "Try again";
export const noApiKeys = "No API keys";
export const revocationEffect = "Programs that use this key lose access immediately. You cannot undo this.";
export const keysOfEveryone = "For programs that use this house. A program with a key acts as the owner of the key.";
export const keysOf = (owner: string): string =>
  `For programs that use this house. A program with a key acts as ${owner}.`;
/** As the `owner` of the text above. */
export const youInText = "you";
export const aFormerMember = "a former member";
export const created = "Created ";
export const lastUsed = "Last used ";
export const neverUsed = "Never used";
export const expired = "expired";
export const expires = (date: string): string => `expires ${date}`;

// key-words.ts
export const atMost = (role: string): string => `At most ${role.toLowerCase()}`;
export const onlyIn = (places: string): string => `Only in ${places}`;
export const otherPlaces = (count: number): string => (count === 1 ? "1 other place" : `${count} other places`);
export const perMinute = (count: number): string => `${count} ${count === 1 ? "request" : "requests"} per minute`;

// key-draft.ts
export const enterAName = "Enter a name.";
export const selectAPlace = "Select a place where the key is valid.";
export const wrongPerMinute = "Enter a whole number from 1 to 100,000, or leave the field empty.";

// make-key.tsx
export const newApiKey = "New API key";
export const cancel = "Cancel";
export const youSuffix = " (you)";
export const noExpiration = "No expiration";
export const oneWeek = "1 week";
export const thirtyDays = "30 days";
export const ninetyDays = "90 days";
export const oneYear = "1 year";
export const nameOfNewKey = "Name of the new key";
export const nameOfNewKeyHint = "For example the name of the program.";
export const actsAs = "Acts as";
export const requestsPerMinute = "Requests per minute (optional)";
export const noLimit = "No limit";
export const expiration = "Expiration";
export const createApiKey = "Create API key";

// access-fields.tsx
export const access = "Access";
export const fullAccess = "Full access";
export const fullAccessDetail = (name: string): string => `A program can do everything that ${name} can do.`;
export const limitedAccess = "Limited access";
export const limitedAccessDetail = "You choose the highest role, the places and the rights.";
export const metricsOnly = "Measurements only";
export const metricsOnlyDetail = "A program can read the measurements of this house, and nothing else.";
export const places = "Places";
export const allPlaces = "All places of the owner";
export const selectedPlaces = "Selected places";
export const wholeHouse = (name: string): string => `${name}, whole house`;
export const rights = "The key also manages";

// new-key.tsx
export const apiKeyOf = (name: string): string => `API key for ${name}. It is shown only once.`;
export const copy = "Copy";

// keys-section.tsx, table
export const name = "Name";
export const owner = "Key owner";
export const allOwners = "All owners";
export const scope = "Scope";
export const use = "Use";
export const allKeys = "All keys";
export const usedKeys = "Used";
export const unusedKeys = "Never used";
export const expiredKeys = "Expired";
export const revokeCount = (count: number): string => (count === 1 ? "Revoke 1 key" : `Revoke ${count} keys`);
export const revokedCount = (count: number): string => (count === 1 ? "1 key revoked." : `${count} keys revoked.`);
export const revokeSelected = (count: number): string => (count === 1 ? "Revoke 1 key?" : `Revoke ${count} keys?`);
export const revokeOne = "Revoke";
