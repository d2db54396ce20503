/**
 * Converts Markdown to Telegram's HTML. It uses only Telegram's own tags, closes them all, and is
 * no longer than the Markdown once they are parsed.
 */
import { type Format, renderMarkdown } from "../../markdown.ts";

const tags = { bold: "b", italic: "i", strike: "s" } as const;

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const format: Format = {
  text: escapeHtml,
  mark: (kind, inner) => (inner === "" ? "" : `<${tags[kind]}>${inner}</${tags[kind]}>`),
  code: (plain) => `<code>${escapeHtml(plain)}</code>`,
  link: (inner, url) => `<a href="${escapeHtml(url)}">${inner}</a>`,
  block: (plain, language) =>
    /^[\w+#.-]{1,40}$/.test(language)
      ? `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(plain)}</code></pre>`
      : `<pre>${escapeHtml(plain)}</pre>`,
  quote: (inner) => (inner.trim() === "" ? inner : `<blockquote>${inner}</blockquote>`),
};

export const toTelegramHtml = (markdown: string): string => renderMarkdown(markdown, format);
