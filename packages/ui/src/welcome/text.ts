/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// agent-step.tsx
export const yourAgent = "Your agent";
export const yourAgentDetail =
  "The agent answers your messages, remembers facts for you, and works with files in its workspace.";
export const agentName = "Agent name";
export const enterAgentName = "Enter a name, or skip this step.";
export const style = "Style (optional)";
export const styleHint = "Added to the agent's instructions. One line is enough.";
export const styleExample = "Short answers, dry humour, German when I write German.";

// model-step.tsx
export const model = "Model";
export const modelOf = (agent: string): string =>
  `The language model of ${agent}. The provider may charge you; Hearth does not.`;
export const yourAgentInText = "your agent";
export const finishAnyway = "Finish anyway";
export const modelSource = "Model source";

// step-frame.tsx
export const progress = (step: number, count: number): string => `${step} of ${count}`;
export const finish = "Finish";
export const nextStep = "Continue";
export const skip = "Skip";
export const back = "Back";

// welcome-page.tsx
export const loading = "Loading";
export const hearth = "Hearth";
export const skipAll = "Skip all";
export const tryAgain = "Try again";
export const setupNotCompleted = "Setup could not be marked as complete.";
export const setupNotCompletedDetail = "Your settings are saved. This page will appear again next time.";

// you-step.tsx
export const enterYourName = "Enter your name, or skip this step.";
export const yourProfile = "Your profile";
export const yourProfileDetail = "Your agent uses your name. You can change everything later in Settings.";
export const yourName = "Your name";
export const yourTimeZone = "Your time zone";
export const timeZoneHint = "Used for times such as “today” and “at nine”.";
