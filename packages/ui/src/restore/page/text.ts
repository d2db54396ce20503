/** User-facing texts of this folder, in the order of its files. */

// restore-page.tsx
export const restoredHouse = "Restored house";
export const houseIsNotOnHold = "This house is not on hold.";
export const houseContinues = "The house is no longer on hold.";
export const workDiscarded = "Queued work discarded. The house is no longer on hold.";
export const onHoldDetail =
  "This house was restored from a copy and is on hold: agents do not run, and no messages are sent to channels. If the house continues, it may repeat work that was done after the copy was made.";
export const continueWork = "Continue";
export const discardWork = "Discard queued work";
export const discardWorkTitle = "Discard queued work?";
export const discardWorkEffect =
  "Queued runs are stopped, queued messages to channels are not sent, and due jobs are skipped. Rooms keep all their messages.";

// restore-work-list.tsx
/** `calls` began before the copy was made, with an unknown outcome. */
export const queuedRun = (agent: string, room: string, calls: readonly string[]): string =>
  `Run of ${agent} in ${room}${calls.length === 0 ? "" : `. These calls may have been made before: ${calls.join(", ")}`}`;
export const unreadMessages = (count: number, room: string): string =>
  `${count === 1 ? "1 message" : `${count} messages`} in ${room} that no agent has read`;
export const messageToChannel = (channel: string): string => `Message to the channel ${channel}`;
export const jobOf = (job: string, agent: string): string => `Job ${job} of ${agent}`;
export const approvalRequest = (agent: string, tool: string): string => `Request of ${agent} to use ${tool}`;
export const noQueuedWork = "No queued work";
export const queuedWork = "Queued work";
