/** User-facing texts of this folder, in the order of its files. */

// web-page.tsx
export const agent = "Agent";
export const noAgents = "No agents run in this house.";

// web-access.tsx
export const hosts = "Hosts";
export const hostsIntroduction = (name: string): string =>
  `Hosts that programs and tools of ${name} can reach. They can never reach addresses in your local network.`;
export const noHosts = "No hosts. The agent has no network.";
export const removeHostCount = (count: number): string => (count === 1 ? "Remove 1 host" : `Remove ${count} hosts`);
export const remove = "Remove";
export const hostsRemoved = (count: number): string => (count === 1 ? "1 host removed." : `${count} hosts removed.`);
export const requests = "Requests";
export const modelOfAgent = "The agent's own model, for programs in its sandbox";
export const anyMethod = "Any method";
export const maxBytes = (bytes: string): string => `at most ${bytes} bytes in each run`;
export const host = "Host";
export const hostHint = "For example api.example.org, or *.example.org for all its subdomains.";
export const invalidHost = "Enter a host name in lower case, such as api.example.org, or an IP address.";
export const access = "Access";
export const readOnly = "Read only (GET, HEAD)";
export const readAndWrite = "Read and write";
export const path = "Path (optional)";
export const pathHint = "For example /v1. Includes everything below the path.";
export const invalidPath = "Enter a path that begins with a slash.";
export const allowHost = "Allow host";
export const hostAllowed = (name: string): string => `${name} allowed.`;

// secrets-section.tsx
export const secrets = "Secrets";
export const secretsIntroduction =
  "Keys and passwords for other services. The house adds a secret to the requests that you allow. Agents never see it.";
export const noSecrets = "No secrets";
export const vaultIsLocked = "Secrets are locked";
export const secretName = "Name";
export const secretNameHint = "Letters, digits, - and _. For example GITHUB_TOKEN.";
export const invalidName = "Use 1 to 64 letters, digits, - or _.";
export const secretValue = "Value";
export const valueHint = "It is encrypted, and never shown again.";
export const valueTooShort = (length: number): string => `Enter at least ${length} characters.`;
export const addSecret = "Add secret";
export const secretAdded = (name: string): string => `${name} added.`;

// secret-table.tsx
export const uses = "Uses";
export const allSecrets = "All secrets";
export const usedSecrets = "Used";
export const unusedSecrets = "Unused";
export const notUsed = "No agent can use it.";
export const changed = "Changed";
export const changeValue = "Change value";
export const changeValueOf = (name: string): string => `Change value of ${name}`;
export const allowUse = "Allow use";
export const allowUseOf = (name: string): string => `Allow use of ${name}`;
export const removeSecretCount = (count: number): string =>
  count === 1 ? "Remove 1 secret" : `Remove ${count} secrets`;
export const removeSecrets = (count: number): string => (count === 1 ? "Remove 1 secret?" : `Remove ${count} secrets?`);
export const secretRemovalEffect = "Requests no longer contain a removed secret. You cannot undo this.";
export const secretsRemoved = (count: number): string =>
  count === 1 ? "1 secret removed." : `${count} secrets removed.`;

// secret-uses.tsx
export const revokeUse = (grant: string): string => `Revoke ${grant}`;
export const revoke = "Revoke";
export const grantRevoked = (grant: string): string => `${grant} revoked.`;

// change-secret.tsx
export const newValue = "New value";
export const newValueHint = "Agents that can use the secret use the new value from the next request.";
export const saveValue = "Save value";
export const valueSaved = (name: string): string => `${name} changed.`;

// allow-use.tsx
export const usedBy = "Used by";
export const modelProviders = "Model providers of this house";
export const addedAs = "Added as";
export const bearer = "Bearer token";
export const basic = "Password with a user name";
export const header = "Header";
export const userName = "User name";
export const headerName = "Header name";
export const headerNameHint = "For example X-Api-Key.";
export const secretUseAllowed = (name: string): string => `Use of ${name} allowed.`;
export const hostNotReachable = (agentName: string, hostName: string): string =>
  `${agentName} cannot reach ${hostName} yet. Allow it under “${hosts}”.`;

// search-engine-section.tsx
export const searchEngine = "Search engine";
export const searchEngineDetail =
  "For agents with the tool “Search the web”. The engine receives their queries. To change it, first log in with a login link or a passkey.";
export const engine = "Engine";
export const engines = { "": "None", brave: "Brave Search", searxng: "SearXNG" } as const;
export const address = "Address (optional)";
export const addressHint = "For example http://127.0.0.1:8080.";
export const invalidAddress = "Enter an address, such as http://127.0.0.1:8080.";
export const engineKey = "API key";
export const newKey = "New key";
export const noKey = "No key";
export const keyHint = "It is stored as a secret of this house, and never shown again.";
export const keyRequired = "Brave Search needs an API key.";
export const secretNamed = (name: string): string => `Secret ${name}`;
export const saveEngine = "Save search engine";
export const engineSaved = "Search engine saved.";
export const testEngine = "Test search engine";

// grant-words.ts
export const publicWeb = "Public web";
export const publicWebLimits = "Every public page, by GET and HEAD over HTTPS";
export const providers = "Model providers";
export const aFormerAgent = "A former agent";
export const asBearer = "bearer token";
export const asPasswordOf = (user: string): string => `password of ${user}`;
export const asHeader = (name: string): string => `header ${name}`;
export const grantDescription = (holder: string, hostName: string, use: string): string =>
  `${holder} at ${hostName}, as ${use}`;
