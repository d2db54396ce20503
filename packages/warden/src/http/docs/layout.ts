/** The frame of the pages that the port renders itself: no script, nothing fetched from anywhere, light and dark. */

export interface Page {
  readonly html: string;
  /** Base64 SHA-256 of the page's one inline style, for its Content-Security-Policy. */
  readonly styleHash: string;
}

/** `body` is HTML. `hash` gives lower-case hex. */
export const renderPage = (hash: (text: string) => string, title: string, body: string): Page => ({
  html:
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main>${body}</main></body></html>`,
  styleHash: toBase64(hash(STYLE)),
});

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const toBase64 = (hex: string): string =>
  btoa(hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));

const STYLE = `
:root { color-scheme: light dark; --edge: light-dark(#d9d4cc, #3b3833); --soft: light-dark(#f5f2ed, #262420); --dim: light-dark(#665f55, #a8a095); --fire: light-dark(#a8430b, #f29a5c); }
body { margin: 0; background: light-dark(#fffdfa, #1b1a17); color: light-dark(#23201b, #ece7df); font: 16px/1.5 system-ui, sans-serif; }
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
nav a { display: inline-block; margin-right: 1rem; }
.dim { color: var(--dim); }
button { font: inherit; padding: .5rem 1.2rem; border: 0; border-radius: 6px; background: var(--fire); color: light-dark(#fff, #1b1a17); cursor: pointer; }
button:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--fire); outline-offset: 2px; }
`;
