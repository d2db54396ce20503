/** User-facing texts of this folder, in the order of its files. */

// button-examples.tsx
export const announce = "Announce";
export const announced = "Saved.";
export const openDialog = "Open dialog";
export const dialogText = "A dialog keeps the focus until it closes.";
export const openConfirmation = "Open confirmation";
export const openWarning = "Open warning";
export const question = "Continue?";
export const effect = "Nothing is changed.";
export const confirm = "Continue";
export const remove = "Remove";
export const close = "Close";
export const primary = "Primary";
export const plain = "Plain";
export const quiet = "Quiet";
export const danger = "Danger";
export const small = "Small";
export const withIcon = "With icon";
export const busy = "Busy";
export const disabled = "Disabled";
export const settings = "Settings";
export const more = "More";
export const newItem = "New";
export const rename = "Rename";

// field-examples.tsx
export const name = "Name";
export const nameHint = "At most 64 characters.";
export const nameError = "Enter a name.";
export const empty = "Empty";
export const filled = "Filled";
export const readOnly = "Read-only";
export const invalid = "Invalid";
export const notes = "Notes";
export const sampleNotes = "The first line.\nThe second line.";
export const choice = "Choice";
export const one = "One";
export const two = "Two";
export const oneDetail = "The first choice.";
export const twoDetail = "The second choice.";
export const recommended = "Recommended";
export const unchecked = "Unchecked";
export const checked = "Checked";
export const checkDetail = "What the box changes.";
export const filters = "Example filters";
export const state = "Status";
export const all = "All";

// sign-examples.tsx
export const onlyForReaders = "Only screen readers read this text.";
export const hiddenText = "Hidden text";
export const info = "Information";
export const success = "Success";
export const failure = "Failure";
export const noticeDetail = "A sentence that says what to do.";
export const houseError = "The disk is full.";
export const houseHint = "Make room, then try again.";
export const loading = "Loading example";
export const qrLabel = "Example code";
export const table = "Example table";
export const agent = "Agent";
export const details = "Details of the row.";
export const plainTable = "Example table without selection";

// showcase-page.tsx
export const design = "Design";
export const introduction = "Every component of the interface, in every state. Nothing here changes the house.";
export const nothingYet = "Nothing yet";
export const atTheTop = "The title of this page.";
export const exampleTabs = "Example tabs";
export const suggestions = "With suggestions";
export const openPopover = "Open panel";
export const described = "Described by a tooltip";
