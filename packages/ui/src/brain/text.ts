/**
 * User-facing texts of this folder and its subfolders, in the order of the files. `*-words.ts`
 * holds texts that depend on data.
 */

// brain-page.tsx
export const loading = "Loading";
export const files = "Files";
export const workspace = "Workspace";
export const memory = "Memory";
export const history = "History";
export const proposals = (pending: number): string => (pending === 0 ? "Proposals" : `Proposals (${pending})`);
export const prompt = "Prompt";
export const brainOf = (name: string): string => `Brain of ${name}`;
export const settingsOf = (name: string): string => `Settings of ${name}`;
export const brain = "Brain";
export const agentNotFound = "Agent not found.";
export const viewAgents = "View agents";
export const onlyAdmins = "Only admins of this house can open this page. Ask an admin for access.";
export const hasNoBrain = (name: string): string =>
  `${name} has no brain here. Only agents that run in this house have one.`;
export const viewProfile = "View profile";

// change-row.tsx
export const inARun = "in a run";
export const contentErased = "Some of this content was erased permanently later. A revert cannot restore it.";
export const initialContent = "This is the initial content of the brain. It cannot be reverted.";
export const revertThisChange = "Revert this change";
export const revertTheWholeRun = "Revert the whole run";
export const restoreToBefore = "Restore to before this change";
export const details = "Details";
export const changeId = "Change";
export const runId = "Run";
export const afterYourMessage = (message: string): string => `After your message: ${message}`;
export const afterMessageOf = (author: string, message: string): string => `After a message by ${author}: ${message}`;
export const room = "Room:";

// change-words.ts
export const changeKinds = {
  write: "Saved",
  hand: "Edited on disk",
  checkpoint: "Copied from the workspace",
  undo: "Reverted",
  erase: "Erased",
} as const;
export const andMoreFiles = (count: number): string => ` and ${count} more`;
export const revertChangeTitle = "Revert this change?";
export const revert = "Revert";
export const revertRunTitle = "Revert all changes of this run?";
export const revertAll = "Revert all";
export const restoreTitle = (date: string): string => `Restore to ${date}?`;
export const restore = "Restore";
/** Each follows the name of a file. */
export const effects = {
  deleted: "is removed",
  restored: "is restored",
  changed: "returns to its earlier content",
} as const;

// diff-view.tsx
export const notATextFile = (path: string): string => `${path} is not a text file. Its lines cannot be shown.`;
export const noChangedLines = (path: string): string => `${path} has no changed lines.`;

// diff-layout.tsx
export const diffLayout = "Layout of the changes";
export const unified = "Unified";
export const split = "Split";

// editor.tsx
export const fileDoesNotExist = "This file does not exist. Saving creates it.";
export const yourVersion = (path: string): string => `Your version: ${path}`;
export const noSpaceForDrafts = "This browser has no space for unsaved text. Save before you leave this page.";
export const save = "Save";
export const discardChanges = "Discard changes";
export const savedState = "Saved";
export const editConflict = "Edit conflict";
export const fileWasRemoved = "The file was removed while you edited it.";
export const fileWasChanged = "The file was changed while you edited it.";
export const yourTextIsAbove = "Your text is above. It is not saved yet.";
export const chooseAVersion = "Your version is above, the current version below. Choose the version to keep.";
export const currentVersion = "Current version";
export const effectOfSaving = "Effect of saving your version";
export const saveMineAsNewFile = "Save mine as a new file";
export const overwriteWithMine = "Overwrite with mine";
export const discardMine = "Discard mine";
export const keepTheirs = "Use theirs";

// file-page.tsx
export const historyOfThisFile = "History of this file";
export const protectedFile = (agent: string): string =>
  `This file defines ${agent} and its rules. Your changes apply immediately. Changes by the agent may need approval.`;
export const tryAgain = "Try again";
export const fileIsTooLarge = (size: string): string => `This file is too large (${size}).`;
export const fileIsTooLargeDetail = "Files larger than 1 MB cannot be shown here.";
export const fileIsNotText = "This file is not a text file.";
export const fileIsNotTextDetail = (size: string): string =>
  `Its ${size} are not valid UTF-8, so they cannot be shown here.`;
export const unsavedText = "Unsaved text";
export const discard = "Discard";
export const removeFile = "Remove file";
export const removeFileTitle = "Remove file?";
export const removalEffectWithUnsavedText =
  "is removed from the brain, and your unsaved text is lost. Its saved versions stay in the history and can be restored.";
export const removalEffect = "is removed from the brain. Its versions stay in the history and can be restored.";
export const remove = "Remove";

// file-remarks.tsx
export const invisibleCharacters = "Invisible characters";
export const oneLineWithHidden = "One line has invisible characters:";
export const linesWithHidden = (count: string): string => `${count} lines have invisible characters:`;
export const line = (number: string): string => `Line ${number}`;
export const mixedLineEndings = "This file has mixed line endings. Saving makes them uniform.";
export const linesFromAnotherSource = "Some lines come from other sources";
export const linesFromOtherSources = (count: string): string => `${count} groups of lines come from other sources`;
export const trusted = "trusted";
export const byMembers = "by members";
export const untrusted = "untrusted";
export const lines = (from: number, to: number): string => `Lines ${from}–${to}`;

// text-file.tsx
export const edit = "Edit";
export const previewIsNotSaved = "The preview shows unsaved text.";
export const fileIsEmpty = "This file is empty.";

// file-tree.tsx
export const notSaved = "Not saved";
export const protectedHint = "Protected: changes by the agent may need approval";
export const protectedState = "protected";
export const fileUnit = " file";
export const filesUnit = " files";

// files-tab.tsx
export const noFilesYet = "No files yet";
export const newFile = "New file";
export const chooseAFile = "Choose a file to view or edit.";
export const allFiles = "All files";
export const oneIgnoredFile = "1 ignored file";
export const ignoredFiles = (count: number): string => `${count} ignored files`;

// history-tab.tsx
export const historyIntroduction = "Version history. You can undo a revert.";
export const changesOf = "Changes of";
export const showAllChanges = "Show all changes";
export const showMore = "Show more";
export const noChangesYet = "No changes yet";
export const enterADateAndTime = "Enter a date and a time.";
export const restoreTo = "Restore to";
export const preview = "Preview";

// keep-fact.tsx
export const alreadySavedIn = (path: string): string => `${path} already contains this.`;
export const savedIn = (path: string): string => `Saved in ${path}.`;
export const addMemory = "Add memory";
export const fact = "Fact";
export const replaces = "Outdated memory (optional)";
export const replacesHint = "Some words of the outdated fact, or its location.";

// memory-hit.tsx
export const untrustedSources = "Untrusted sources:";
export const unknown = "unknown";
export const hideRanking = "Hide ranking";
export const showRanking = "Show ranking";
export const deleteMemory = (place: string): string => `Delete memory: ${place}`;
export const deletion = "Delete";
export const rankingOf = (place: string): string => `Ranking of ${place}`;
export const total = "Total";

// memory-index.tsx
export const rebuildingIndex = "Rebuilding the index.";
export const index = "Index";
export const rebuild = "Rebuild index";
export const rebuildDetail = "Reads all files again. The files do not change.";
export const chunks = "Chunks";
export const searchableByMeaning = "Searchable by meaning";
export const keywordsOnly = "None (keywords only)";
export const embeddingModel = "Embedding model";
export const none = "None";
export const indexState = "Index state";
export const excluded = "Excluded files:";

// memory-words.ts
export const scoreParts: Readonly<Record<string, string>> = {
  words: "keywords",
  meaning: "meaning",
  time: "time in the question",
  people: "people in the question",
  form: "type of text",
  around: "context",
  age: "age",
};
export const searchIsOff = "Memory search is off in the settings of the agent or of the house.";
export const keywordSearchOnly = "Keyword search only. Texts that use different words are not found.";
export const indexIsRebuilt = "The index is being rebuilt, so results may be missing.";
export const indexingFiles = "Indexing files.";
export const keywordsBecause = (problem: string): string => `Keyword search only: ${problem}`;
export const partlyByMeaning = (vectors: string, chunks: string): string =>
  `Keyword search; ${vectors} of ${chunks} chunks also by meaning.`;
export const indexIsComplete = "The index is complete.";

// memory-search.tsx
export const searchMemory = "Search memory";
export const searchHint = "Questions work better than single words.";
export const search = "Search";
export const noResults = "No results";
export const oneResult = "1 result";
export const results = (count: number): string => `${count} results`;
export const memoryDeleted = "Memory deleted.";
export const searchResults = "Search results, best first";
export const deleteMemoryTitle = "Delete this memory permanently?";
export const deleteMemoryEffect = (place: string): string =>
  `${place} is deleted from the files, their version history, stored tool results and the index. Replies of the agent that contain it are deleted from rooms; messages of people stay. You cannot undo this.`;
export const deletePermanently = "Delete permanently";

// new-file.tsx
export const cancel = "Cancel";
export const createFile = "Create file";
export const path = "Path";
export const pathHint =
  "For example instructions/tone.md. The agent reads the files in the folder instructions before every reply.";
export const enterAPath = "Enter a path.";
export const relativePathRequired = "Enter a relative path with one / between names.";
export const noDotFiles = "Names of files and folders cannot start with a dot.";

// prompt-tab.tsx
export const promptRoom = "Room";
export const promptRoomHint =
  "The prompt depends on who can read the room. In shared rooms it has no private memories.";
export const privateRooms = "Private rooms";
export const emptyPrompt = "The prompt contains no brain files: they are missing or empty.";
export const promptOrder = "Parts are in the order in which the model reads them. Token counts are estimates.";
export const promptParts = "Prompt parts";
export const part = "Part";
export const characters = "Characters";
export const tokens = "Tokens";
export const stableBetweenRuns = "stable between runs";
export const longTermMemory = "long-term memory";
export const changesWithEveryRun = "changes with every run";
export const hideTextOf = (part: string): string => `Hide text of ${part}`;
export const showTextOf = (part: string): string => `Show text of ${part}`;
export const hideText = "Hide text";
export const showText = "Show text";
export const instructionsInSettings = "Instructions in the settings";
export const skillNames = "Names of skills";
export const shortened = (length: string): string =>
  `shortened: the middle of the file (${length} characters) is left out`;
export const oneHiddenLine = "one untrusted line left out";
export const hiddenLines = (count: string): string => `${count} untrusted lines left out`;

// proposal-card.tsx
export const tooLate = "Too late: this proposal was already decided.";
export const changeTo = "Change to";
export const foundOnDisk = "Found on disk";
export const proposedBy = (agent: string): string => `Proposed by ${agent}`;
export const staleProposal = "This proposal no longer applies.";
export const askForNewProposal = (agent: string): string => `Deny it and ask ${agent} for a new proposal.`;
export const reason = "Reason (optional)";
export const approve = "Approve";
export const deny = "Deny";
export const anAdmin = "An admin";
export const approvedBy = (name: string): string => `${name} approved this. The change is active.`;
export const deniedBy = (name: string): string => `${name} denied this.`;

// proposals-tab.tsx
export const agentIsPaused = (agent: string): string => `${agent} is paused until you decide.`;
export const agentIsPausedDetail = "A change to a protected file exceeds what the agent may change without approval.";
export const pendingProposals = "Pending proposals";
export const proposalsIntroduction = (agent: string): string =>
  `When ${agent} proposes a change to its own instructions, the change appears here for your approval.`;
export const decidedProposals = "Decided proposals";
export const noPendingProposals = "No pending proposals";
export const onePendingProposal = "1 pending proposal";
export const pendingProposalCount = (count: number): string => `${count} pending proposals`;

// undo-dialog.tsx
export const noChanges = "No changes";
export const oneFileChanges = "1 file changes:";
export const filesChange = (count: string): string => `${count} files change:`;
export const andMore = (count: string): string => `and ${count} more`;
export const moreChanges = "This list does not show all changes. All of them are reverted.";
export const revertDetail = "Reverts all of these changes or none. You can undo a revert.";
export const noChangesNeeded = "No changes were needed.";
export const oneFileRestored = "1 file restored.";
export const filesRestored = (count: number): string => `${count} files restored.`;
export const erasedContent = (paths: string): string =>
  `Content of ${paths} was erased permanently and could not be restored.`;

// use-file.ts
export const notSavedConflict = "Not saved: the file was changed while you edited it. Both versions are shown.";
export const saved = "Saved.";
export const removed = "File removed. Its versions stay in the history.";

// use-names.ts
export const you = "You";
export const formerMember = "Former member";

// workspace/file-preview.tsx
export const downloadFile = "Download";
export const previewOf = (name: string): string => `Preview of ${name}`;
export const emptyFile = "This file is empty.";
export const noPreview = "Files of this type have no preview. Download the file to open it.";
export const firstPartOnly = (size: string): string =>
  `This is the first part of the file (${size}). Download it to read the rest.`;
export const firstTextOnly = "This is the beginning of the document. Download it to read the rest.";
export const textOfDocument = "Text of the document, without its layout.";
export const noText = (why: string): string => `This document has no preview. ${why}`;

// workspace/separated-table.tsx
export const firstRowsOnly = (shown: string, all: string): string => `The first ${shown} of ${all} rows`;
export const rows = (count: string): string => (count === "1" ? "1 row" : `${count} rows`);

// workspace/workspace-tab.tsx
export const workspaceIntroduction = (agent: string): string =>
  `Files that ${agent} made. Files of a room are in rooms, below the id of the room.`;
export const location = "Location";
export const downloadAsZip = "Download as zip";
export const fileName = "Name";
export const fileSize = "Size";
export const changed = "Changed";
export const emptyWorkspace = "No files yet";
export const emptyFolder = "This folder is empty.";
export const moreEntries = (count: string): string => `This folder has more than the ${count} entries of this list.`;
