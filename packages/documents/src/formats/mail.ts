/** Converts a mail: its main headers, its text, and a list of its attachments. */
import PostalMime from "postal-mime";
import { LIMITS } from "../limits.ts";
import { anchor, toSingleLine } from "../markdown.ts";
import { htmlToMarkdown } from "./html.ts";

export async function* readMail(bytes: Uint8Array): AsyncGenerator<string> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: 16,
    maxHeadersSize: 256 * 1024,
    attachmentEncoding: "arraybuffer",
  });
  const headers: readonly (readonly [string, string | undefined])[] = [
    ["From", showPeople(mail.from === undefined ? [] : [mail.from])],
    ["To", showPeople(mail.to)],
    ["Cc", showPeople(mail.cc)],
    ["Subject", mail.subject],
    ["Date", mail.date],
  ];
  yield headers.flatMap(([name, value]) => (value ? [`${name}: ${toSingleLine(value)}`] : [])).join("\n");
  yield mail.text?.trim() || htmlToMarkdown(mail.html ?? "");
  for (const { filename, mimeType, content } of mail.attachments.slice(0, LIMITS.members)) {
    const size = typeof content === "string" ? content.length : content.byteLength;
    yield `${anchor("attachment", filename ?? "without a name")} ${toSingleLine(mimeType)}, ${size} bytes`;
  }
}

type People = readonly { readonly name?: string | undefined; readonly address?: string | undefined }[];

const showPeople = (people: People = []): string =>
  people.map(({ name, address }) => (name ? `${name} <${address ?? ""}>` : (address ?? ""))).join(", ");
