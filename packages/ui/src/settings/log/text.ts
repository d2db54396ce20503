/** User-facing texts of this folder, in the order of its files. */

// log-section.tsx
export const log = "Log";
export const logIntroduction =
  "The last 200 events and problems of this house. The log never contains messages or keys.";
export const level = "Level";
export const levelChoices = {
  debug: "All",
  info: "Info and above",
  warn: "Warnings and errors",
  error: "Errors",
} as const;
export const levelTitles = { debug: "Debug", info: "Info", warn: "Warning", error: "Error" } as const;
export const contains = "Contains";
export const follow = "Follow";
export const notWritten = "This house writes no log file. Its lines go to the standard error of the program.";
export const noLines = "No lines";
export const message = "Message";
export const time = "Time";
