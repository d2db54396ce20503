/** User-facing texts of this folder, in the order of its files. The first load does not contain them. */

// model-picker.tsx
export const modelOf = (agent: string): string => `Model of ${agent}`;
export const modelEffect = (agent: string): string => `${agent} uses it in all its chats, from the next run on.`;
export const findModel = "Find a model";
export const current = "Current";
export const moreModels = (count: string): string => `${count} more models. Type a part of the name to find them.`;
export const builtIn = "Built in";
export const offline = "Offline helper";
export const offlineDetail = "Not a language model. Nothing leaves this machine.";
export const notReady = (provider: string): string => `${provider} is not set up.`;
export const manageProviders = "Manage providers";
export const tryAgain = "Try again";
export const loading = (provider: string): string => `Loading the models of ${provider}`;
export const cancel = "Cancel";
export const test = "Test";
export const useModel = "Use model";
export const works = "Works";
export const noAnswer = "No answer";
export const changed = (agent: string, model: string): string => `${agent} now uses ${model}.`;
