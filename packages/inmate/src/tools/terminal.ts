/**
 * Converts output to the plain text that a terminal would show: no colours, no overwritten lines,
 * no invisible characters.
 */

// oxlint-disable-next-line no-control-regex -- escape sequences are made of them
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- all but tab and line feed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export const plainText = (output: string): string =>
  output
    .replace(ESCAPES, "")
    .replace(/\r\n/g, "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1))
    .join("\n")
    .replace(CONTROLS, "");
