/** User-facing texts of this folder, in the order of its files. */

// new-channel-page.tsx
export const channels = "Channels";
export const addChannel = "Add channel";
export const stepTitles = {
  platform: "Platform",
  token: "Account",
  access: "Access",
  pairing: "Pairing",
  test: "Test",
} as const;
export const stepDone = "(done)";

// platform-step.tsx
export const platform = "Chat platform";
export const next = "Next";

// platforms.ts
export const telegramDetail = "A bot in Telegram, for direct chats and groups.";
export const botToken = "Bot token";
export const telegramSteps = [
  "Open Telegram and write /newbot to @BotFather.",
  "Choose a name for the bot, and a user name that ends in “bot”.",
  "Copy the token that @BotFather sends, and paste it here.",
] as const;
export const wrongTelegramToken = "A bot token consists of a number, a colon and letters. Copy all of it.";
export const writeToTelegram = (account: string): string =>
  account === ""
    ? "Open your bot in Telegram and write any message to it."
    : `Open ${account} in Telegram and write any message to it.`;

// token-step.tsx
export const tokenHint = "Hearth stores the token in a separate file and never shows it.";
export const tokenRefused = (name: string): string => `${name} does not accept this token`;
export const checkToken = "Check token";
export const back = "Back";

// access-step.tsx
export const tokenAccepted = (account: string): string => `Connected to ${account}`;
export const answeringAgent = "Agent that answers";
export const senders = "Senders";
export const modes = {
  pairing: { title: "People with a code", detail: "A new sender receives a code, and you approve the sender with it." },
  allow: { title: "Only these accounts", detail: "Messages of other senders are ignored." },
  open: {
    title: "Everyone",
    detail: "Everyone on the platform can write to the agent and cause costs. Needs a fresh login.",
  },
} as const;
export const allowedSenders = "Allowed accounts";
export const allowedSendersHint = "The ids of the accounts, separated by commas.";
export const directOnly = "Ignore groups";
export const mentionRequired = "Only messages that mention the agent, in direct chats too";
export const connect = "Connect";
export const channelAdded = (name: string): string => `${name} added.`;

// pairing-step.tsx
export const noSuchChannel = (name: string): string => `There is no channel “${name}”.`;
export const waitingForMessage = "Waiting for a message";
export const codeSentTo = (names: string): string => `Code sent to ${names}.`;
export const code = "Code";
export const codeHint = "The answer to your message contains it.";
export const person = "Person in this house";
export const personHint = "The sender gets the access of this person.";
export const you = (name: string): string => `${name} (you)`;
export const newPerson = "A new person";
export const noCodeNeeded = "No code is needed. The agent answers there.";
export const approve = "Approve";
export const senderApproved = (name: string): string => `${name} approved.`;
export const later = "Pair later";
export const done = "Done";

// test-step.tsx
export const testIntroduction = "The sender is approved. Send a test message to see that the house can write there.";
export const sendTestMessage = "Send test message";
export const testArrived = "The test message was delivered";
export const testArrivedDetail = "Look for it on the platform, then write to the agent there.";
export const testFailed = "The test message was not delivered";
export const sendingTest = "Sending";
export const codeExample = "7K3M-Q9TX";
