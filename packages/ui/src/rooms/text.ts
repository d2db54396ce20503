/**
 * User-facing texts of this folder and its subfolders, in the order of the files. `*-words.ts`
 * holds texts that depend on data.
 */

// activation.tsx
export const working = (name: string): string => `${name}, working`;
export const stop = "Stop";
export const stopping = (name: string): string => `Stopping ${name}.`;

// announcements.ts
export const waitsForApproval = (name: string): string => `${name} waits for approval.`;
export const failureAnnouncement = (name: string, failure: string): string => `${name} could not answer. ${failure}`;
export const messageNotSent = (reason: string): string => `Your message was not sent. ${reason}`.trim();

// composer-rules.ts
export const charactersLeft = (left: string): string => `${left} characters left.`;
export const tooManyCharacters = (amount: string): string =>
  `${amount} characters too many. Shorten the message or split it.`;
export const offline = "Offline. Messages are sent when the connection is back.";

// composer.tsx
export const stoppingAgents = (names: string): string => `Stopping ${names}.`;
export const withMentionHint = (label: string): string => `${label} · @ mentions an agent`;
export const send = "Send";
export const stopAll = "Stop all";
export const withEscape = (label: string): string => `${label} (Esc)`;
export const messageTo = (name: string): string => `Message ${name}`;
export const attachFiles = "Attach files";

// record-button.tsx
export const recordVoiceNote = "Record a voice note";
export const finishRecording = "Finish recording";
export const discardRecording = "Discard recording";
export const recordingLength = "Length of the recording";
export const savingRecording = "Saving the recording";
export const recordingStarted = "Recording.";
export const recordingAdded = "The recording was added to your message.";

// empty-room.tsx
export const noMessagesYet = "No messages yet";
export const emptyRoomHint = "Write the first message below.";
export const emptyGroupRoomHint = (handle: string): string =>
  `Write the first message below. Mention an agent with @, such as @${handle}, to get an answer.`;
export const suggestions = "Suggestions";
export const offlineAgentIntroduction = "I keep notes, manage files and tell the time. Nothing leaves this machine.";
export const agentIntroduction = "I answer questions, remember facts, and work with files in my workspace.";

// ended.tsx
export const incompleteReply = (name: string): string => `${name}, incomplete reply`;
export const couldNotAnswer = (name: string): string => `${name} could not answer.`;
export const failedRun = (name: string): string => `${name} could not answer`;
export const tryAgain = "Try again";
export const didNotAnswer = (name: string): string => `${name} did not answer.`;

// files/
export const attachments = "Attachments";
export const showText = "Show text";
export const showTextOf = (name: string): string => `Show the text of ${name}`;
export const picture = (name: string): string => `Picture ${name}`;
export const download = (name: string, size: string): string => `Download ${name}, ${size}`;
export const filesOfMessage = "Files of this message";
export const uploading = (name: string): string => `Uploading ${name}`;
export const sentOf = (sent: string, size: string): string => `${sent} of ${size}`;
export const removeFile = (name: string): string => `Remove ${name}`;
export const retryFile = (name: string): string => `Upload ${name} again`;
export const tooManyFiles = (most: number): string => `A message has at most ${most} files.`;

// mentions.tsx
export const mentionSuggestions = "Mention suggestions";

// suggestions.tsx
export const oneSuggestion = "1 suggestion. Press Tab to insert it.";
export const suggestionCount = (length: number): string => `${length} suggestions. Use the arrow keys.`;

// message-buttons.tsx
export const editMessage = "Edit message";
export const message = "Message";
export const copyMessage = "Copy message";
export const react = "React";
export const reply = "Reply";
export const askAgain = "Ask again";
export const showRun = "Show run";
export const editAndResend = "Edit and resend";
export const branch = "Branch";
export const deleteMessage = "Delete message";
export const more = "More";

// reactions.tsx
export const reactions = "Reactions";
export const reactionBy = (emoji: string, count: number, names: string): string => `${emoji} ${count}: ${names}`;
export const moreReactions = (count: number): string => `+${count}`;
export const reactionAdded = (emoji: string): string => `${emoji} added`;
export const reactionRemoved = (emoji: string): string => `${emoji} removed`;
export const reactionFailed = "The reaction was not saved. Try again.";

// branch-line.tsx
export const branchOf = "Branched from";
export const branchOfRemovedChat = "Branched from a chat that you cannot open";

// message-speech.tsx
export const listen = "Listen";

// message.tsx
export const scheduledJob = (job: string): string => `Scheduled job ${job}`;
export const deletionFailed = "The message could not be deleted.";
export const branched = "A new chat continues from here.";
export const branchingFailed = "The chat could not be branched. Try again.";
export const you = "You";
export const messageDeleted = "Message deleted";
export const deleteThisMessage = "Delete this message?";
export const deletionEffect = "The message is removed for everyone. Agents may have read it already.";
export const deletion = "Delete";
export const edited = "(edited)";

// participants.ts
export const askForAbilities = "What can you do for me?";
export const askToRemember = "Remember that ";
export const askForPlan = "Write down a plan for ";
export const askForFiles = "What is in your workspace?";
export const runsElsewhere = "runs elsewhere";
export const offlineModel = "offline helper";
export const offlineSuggestions = ["remember that ", "what do you remember?", "list files", "help"] as const;

// pending.tsx
export const discard = "Discard";
export const edit = "Edit";
export const retry = "Retry";
export const sending = "Sending";
export const queued = "Queued";
export const waitingForTheConnection = "Waiting for the connection";
export const ownMessage = (time: string, state: string): string => `You, ${time}, ${state}`;
export const notSent = "not sent";
export const sendingState = "sending";

// quote.tsx
export const earlierMessage = "an earlier message";
export const quoted = (author: string, text: string): string => (text === "" ? author : `${author}: ${text}`);
export const replyTo = (words: string): string => `Reply to ${words}`;

// reply-bar.tsx
export const removeReply = "Do not reply to this message";

// read-only.tsx
export const readOnly = "You have read access only. An admin of this house can change that.";

// room-cost.tsx
export const costToday = (amount: string): string => `${amount} today`;
export const costInDays = (amount: string, days: number): string => `${amount} in ${days} days`;
export const tokenCount = (count: string): string => `${count} tokens`;

// room-header.tsx
export const modelLabel = (agent: string, model: string): string => `Model of ${agent}: ${model}`;
export const chooseAModel = "Choose a model";
export const settingsOf = (name: string): string => `Settings of ${name}`;
export const andMore = (unnamed: number): string => ` and ${unnamed} more`;
export const usesOfflineModel = "uses the built-in offline helper, which is not a language model.";

// room-page.tsx
export const openingTheRoom = "Opening the room";
export const retriesAutomatically = "Hearth retries automatically.";
export const messages = "Messages";

// room-view.tsx
export const formerMember = "Former member";

// rows.ts
export const today = "Today";
export const yesterday = "Yesterday";

// session-line.tsx
export const newSession = "New session ·";
export const youInLine = "you";

// sources-line.tsx
export const builtFromUntrustedContent = "Built from untrusted content";
export const sources = "Sources";
export const sourceUnknown = "Source unknown";
export const viewInRun = "View in run";
export const sourceInRun = (source: string): string => `View in run: ${source}`;

// stop-lines.tsx
export const resume = "Resume";
export const oneMessageWaits = "1 message waits.";
export const messagesWait = (count: number): string => `${count} messages wait.`;
export const stoppedSuffix = "is stopped.";

// stopped-words.ts
export const youStopped = (name: string): string => `You stopped ${name}.`;
export const wasStopped = (name: string): string => `${name} was stopped.`;

// timeline.tsx
export const loadingEarlierMessages = "Loading earlier messages";

// to-end.tsx
export const jumpToLatest = "Jump to latest";
export const oneNewMessage = "1 new message";
export const newMessages = (count: number): string => `${count} new messages`;

// tool-words.ts
/** For tools that have no words. */
export const useOfTool = (name: string): { readonly doing: string; readonly done: string } => ({
  doing: `Using ${name}`,
  done: `Used ${name}`,
});
export const runningCommand = "Running";
export const ranCommand = "Ran";
export const callStates = { running: "Running", done: "Done", failed: "Failed", unknown: "Unknown result" } as const;
/** After the duration of a call. */
export const failedCallStates = { failed: "failed", unknown: "unknown result" } as const;
export const usedTools = (count: number): string => `Used ${count} ${count === 1 ? "tool" : "tools"}`;
export const stoppingNow = "Stopping";
export const waitingForApproval = "Waiting for approval";
export const modelNotAvailable = "The model is not available.";
export const waitingToBeResumed = "Waiting to be resumed";
export const attemptOf = (attempt: number, attempts: number): string => `attempt ${attempt} of ${attempts}`;
export const thinking = "Thinking";
export const writing = "Writing";
export const retryingIn = (duration: string): string => `Retrying in ${duration}`;
export const retryingNow = "Retrying now";

// tool-line.tsx
export const loadingToolCalls = "Loading tool calls";

// use-commands.tsx
export const commandSuggestions = "Commands";
