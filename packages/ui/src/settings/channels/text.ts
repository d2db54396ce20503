/** User-facing texts of this folder, in the order of its files. */

// channels-page.tsx
export const channels = "Channels";
export const channelsIntroduction = "Chat platforms where agents answer.";
export const noChannels = "No channels";
export const ready = "Connected";
export const notConnected = "Not connected at the moment";
export const needsSetup = "Needs setup";
export const queued = (count: number): string => (count === 1 ? "1 message queued" : `${count} messages queued`);

export const addChannel = "Add channel";

// channel-table.tsx
export const name = "Name";
export const state = "Status";
export const allStates = "All statuses";
export const platform = "Platform";
export const allPlatforms = "All platforms";
export const agent = "Agent";
export const allAgents = "All agents";
export const lastMessage = "Last message";
export const noMessages = "No messages yet";
export const noChannelsDetail = "Add a channel, so that people can write to an agent from a chat app.";
export const testCount = (count: number): string => (count === 1 ? "Test 1 channel" : `Test ${count} channels`);
export const testResult = (channel: string, result: string): string => `${channel}: ${result}`;
export const removeCount = (count: number): string => (count === 1 ? "Remove 1 channel" : `Remove ${count} channels`);
export const removeChannels = (count: number): string =>
  count === 1 ? "Remove 1 channel?" : `Remove ${count} channels?`;
export const removedCount = (count: number): string =>
  count === 1 ? "1 channel removed." : `${count} channels removed.`;
export const undecided = (count: number): string =>
  count === 1 ? "1 message needs a decision" : `${count} messages need a decision`;

// edit-channel.tsx
export const answeringAgent = "Agent that answers";
export const newToken = "New bot token";
export const newTokenHint = "Leave it empty to keep the present token.";
export const tokenRefused = "The platform refused the token. The old one stays.";
export const save = "Save";
export const testAndSave = "Test and save";
export const channelChanged = (name: string): string => `${name} changed.`;

// channel-detail.tsx
export const remove = "Remove";
export const channelRemovalEffect =
  "The agent no longer answers there, and the stored token is deleted. The rooms of its conversations stay.";
export const test = "Test";
export const unknownDeliveries = "Messages with an unknown outcome";
export const spokenDelivery = (text: string): string => `Voice message: ${text}`;
export const unknownDeliveriesDetail = "The platform did not confirm them. Sending one again can deliver it twice.";
export const sendAgain = "Send again";
export const sendAgainTo = (channel: string): string => `Send this message to ${channel} again`;
export const leave = "Do not send";
export const leaveOf = (channel: string): string => `Do not send this message to ${channel} again`;
export const sentAgain = "The message is sent again.";
export const messageIsNotSentAgain = "The message is not sent again.";

// pairings-section.tsx
export const sender = "Sender";
export const channel = "Channel";
export const allChannels = "All channels";
export const firstMessage = "First message";
export const approved = "Approved";
export const blockCount = (count: number): string => (count === 1 ? "Block 1 sender" : `Block ${count} senders`);
export const blockSenders = (count: number): string => (count === 1 ? "Block 1 sender?" : `Block ${count} senders?`);
export const blockedCount = (count: number): string =>
  count === 1 ? "1 sender blocked." : `${count} senders blocked.`;
export const resetCount = (count: number): string => (count === 1 ? "Reset 1 sender" : `Reset ${count} senders`);
export const resetSenders = (count: number): string => (count === 1 ? "Reset 1 sender?" : `Reset ${count} senders?`);
export const resetEffect = "The sender is unknown again. The next message of the sender starts with a new code.";
export const resetDone = (count: number): string => (count === 1 ? "1 sender reset." : `${count} senders reset.`);
export const senders = "Senders";
export const sendersIntroduction =
  "People who wrote on a channel. An agent answers them after you approve them. New senders receive a code.";
export const noSenders = "No sender has written yet.";
export const waiting = "Waiting for approval";
export const expired = "The code has expired.";
export const writesAs = (person: string): string => `Writes as ${person}`;
export const blocked = "Blocked";
export const aFormerMember = "a former member";
export const approve = "Approve";
export const approveSender = (sender: string): string => `Approve ${sender}`;
export const block = "Block";
export const blockEffect = "Messages of this sender are ignored until you reset the sender.";
export const reset = "Reset";

// approve-sender.tsx
export const person = "Person in this house";
export const newPerson = (name: string): string => `New person: ${name}`;
export const personHint = "The sender gets the access of this person.";
export const senderApproved = (sender: string): string => `${sender} approved.`;

// refused-section.tsx
export const reason = "Reason";
export const allReasons = "All reasons";
export const received = "Received";
export const ignoredMessages = "Messages that were not accepted";
export const noIgnoredMessages = "None";
export const unpairedFate = "The sender is not approved.";
export const blockedFate = "The sender is blocked.";
export const unlistedFate = "The chat is not on the channel's list of allowed chats.";
export const notDirectFate = "It was not a direct chat.";
export const notMentionedFate = "It did not mention the agent.";
export const ignoredFate = "It contained nothing that an agent can read.";
export const failedFate = "Hearth could not store it because of an error. The log has the details.";
