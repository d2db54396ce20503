/**
 * The layout of pages that the port renders: no scripts, no content of other sites, light and dark
 * like the UI.
 */
import type { ErrorBody } from "@hearth/protocol";

export interface Page {
  readonly html: string;
  /** Base64 SHA-256 of the page's inline style, for its Content-Security-Policy. */
  readonly styleHash: string;
}

/** Renders a page. `body` is HTML. `hash` returns lower-case hex. */
export const renderPage = (hash: (text: string) => string, title: string, body: string): Page => ({
  html:
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escapeHtml(title)}</title><link rel="icon" type="image/svg+xml" href="/ui/icon.svg"><style>${STYLE}</style></head><body><main>${body}</main></body></html>`,
  styleHash: toBase64(hash(STYLE)),
});

/** Renders a short message in the middle of the window. */
export const renderNotice = (hash: (text: string) => string, title: string, body: string): Page =>
  renderPage(
    hash,
    title,
    `<section><img src="/ui/icon.svg" alt="" width="48" height="48"><h1>${escapeHtml(title)}</h1>${body}</section>`,
  );

/** Renders an error message with its hint. */
export const renderErrorPage = (hash: (text: string) => string, { code, message, hint }: ErrorBody): Page => {
  const hintHtml = hint === undefined ? "" : `<p>${renderProse(hint)}</p>`;
  const homeLink = code === "ui.unbuilt" ? "" : `<p><a href="/ui/">Open Hearth</a></p>`;
  return renderNotice(hash, "Hearth", `<p>${renderProse(message)}</p>${hintHtml}${homeLink}<p class="dim">${code}</p>`);
};

/** Converts text with `code` to HTML. */
export const renderProse = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const toBase64 = (hex: string): string =>
  btoa(hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));

const STYLE = `
:root { color-scheme: light dark; --edge: light-dark(#e3ded6, #332f2a); --soft: light-dark(#f3f0eb, #12110f); --near: light-dark(#ffffff, #211e1b); --dim: light-dark(#635d55, #aaa298); --fire: light-dark(#a8471a, #f09a66); }
body { margin: 0; background: light-dark(#faf8f5, #181614); color: light-dark(#1f1d1a, #ece8e1); font: .9375rem/1.55 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--edge); padding-bottom: .3rem; }
a { color: var(--fire); }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { background: var(--soft); border: 1px solid var(--edge); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; }
details { border: 1px solid var(--edge); border-radius: 6px; margin: .5rem 0; padding: 0 .8rem; }
summary { cursor: pointer; padding: .5rem 0; }
summary b { display: inline-block; min-width: 4.5rem; color: var(--fire); font: 600 .85em ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
td, th { text-align: left; vertical-align: top; border-top: 1px solid var(--edge); padding: .3rem .8rem .3rem 0; }
section { max-width: 22rem; margin: 14vh auto 0; padding: 2rem; text-align: center; background: var(--near); border: 1px solid var(--edge); border-radius: 1rem; }
section h1 { margin: .75rem 0 0; font-size: 1.375rem; }
nav a { display: inline-block; margin-right: 1rem; }
.dim { color: var(--dim); }
label { display: block; margin: 1rem 0; text-align: left; }
input { display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: 0 .75rem; font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--edge); border-radius: .625rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0 1.5rem; border: 0; border-radius: .625rem; background: var(--fire); color: light-dark(#ffffff, #2a1508); cursor: pointer; }
button:focus-visible, input:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--fire); outline-offset: 2px; }
`;
