/**
 * Prints a line for each recorded statement that reads too much of a growing table:
 * `bun tests/check-statements.ts FILE`. Each line of the file is a statement as a JSON string.
 */
import { readFile } from "node:fs/promises";
import { findSlowStatements } from "@hearth/warden/query-plans";

const [file = ""] = process.argv.slice(2);
const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
for (const statement of findSlowStatements(lines.map((line) => String(JSON.parse(line)))))
  console.log(`This statement reads too much, see growsWith in store/tables: ${statement.replaceAll("\n", " ")}`);
