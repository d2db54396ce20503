/** User-facing texts of this folder, in the order of its files. */

// channels-section.tsx
export const channels = "Channels";
export const channelsIntroduction = "Chat platforms where agents answer.";
export const noChannels = "No channels";
export const ready = "Connected";
export const failing = "Not connected at the moment";
export const off = "Needs setup";
export const answeredBy = (agent: string): string => `Answered by @${agent}`;
export const queued = (count: number): string => (count === 1 ? "1 message queued" : `${count} messages queued`);

export const addChannel = "Add channel";

// edit-channel.tsx
export const answeringAgent = "Agent that answers";
export const newToken = "New bot token";
export const newTokenHint = "Leave it empty to keep the present token.";
export const tokenRefused = "The platform refused the token. The old one stays.";
export const save = "Save";
export const testAndSave = "Test and save";
export const cancel = "Cancel";
export const channelChanged = (name: string): string => `${name} changed.`;

// channel-row.tsx
export const edit = "Edit";
export const editChannel = (name: string): string => `Edit ${name}`;
export const removeChannel = (name: string): string => `Remove ${name}`;
export const remove = "Remove";
export const removeChannelTitle = (name: string): string => `Remove ${name}?`;
export const channelRemovalEffect =
  "The agent no longer answers there, and the stored token is deleted. The rooms of its conversations stay.";
export const channelRemoved = (name: string): string => `${name} removed.`;
export const test = "Test";
export const testChannel = (name: string): string => `Test ${name}`;
export const unknownDeliveries = "Messages with an unknown outcome";
export const spokenDelivery = (text: string): string => `Voice message: ${text}`;
export const unknownDeliveriesDetail = "The platform did not confirm them. Sending one again can deliver it twice.";
export const sendAgain = "Send again";
export const sendAgainTo = (channel: string): string => `Send this message to ${channel} again`;
export const leave = "Do not send";
export const leaveOf = (channel: string): string => `Do not send this message to ${channel} again`;
export const sentAgain = "The message is sent again.";
export const left = "The message is not sent again.";

// pairings-section.tsx
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
export const blockSender = (sender: string): string => `Block ${sender}`;
export const blockSenderTitle = (sender: string): string => `Block ${sender}?`;
export const blockEffect = "Messages of this sender are ignored until you reset the sender.";
export const senderBlocked = (sender: string): string => `${sender} blocked.`;
export const reset = "Reset";
export const resetSender = (sender: string): string => `Reset ${sender}`;
export const senderReset = (sender: string): string =>
  `${sender} is unknown again. The next message starts with a new code.`;

// approve-sender.tsx
export const person = "Person in this house";
export const newPerson = (name: string): string => `New person: ${name}`;
export const personHint = "The sender gets the access of this person.";
export const senderApproved = (sender: string): string => `${sender} approved.`;

// refused-section.tsx
export const ignoredMessages = "Messages that were not accepted";
export const noIgnoredMessages = "None";
export const from = (sender: string, channel: string): string => `From ${sender} on ${channel}`;
export const unpairedFate = "The sender is not approved.";
export const blockedFate = "The sender is blocked.";
export const unlistedFate = "The chat is not on the channel's list of allowed chats.";
export const notDirectFate = "It was not a direct chat.";
export const notMentionedFate = "It did not mention the agent.";
export const ignoredFate = "It contained nothing that an agent can read.";
export const failedFate = "Hearth could not store it because of an error. The log has the details.";
