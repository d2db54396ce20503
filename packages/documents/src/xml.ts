/**
 * Parses XML and HTML into events. The parser expands no declared entities and loads no files, so
 * an entity bomb is harmless.
 */
import { Parser } from "htmlparser2";
import { LIMITS } from "./limits.ts";
import { refuse } from "./refusal.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface MarkupEvents {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

export const readXml = (source: string, events: MarkupEvents): void => parse(source, events, true);
export const readHtml = (source: string, events: MarkupEvents): void => parse(source, events, false);

const parse = (source: string, events: MarkupEvents, xmlMode: boolean): void => {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > LIMITS.depth) refuse(`Its elements are nested more than ${LIMITS.depth} deep.`);
        events.open?.(name, attributes);
      },
      onclosetag(name) {
        depth -= 1;
        events.close?.(name);
      },
      ontext: (text) => events.text?.(text),
    },
    { xmlMode, decodeEntities: true, recognizeSelfClosing: xmlMode },
  );
  parser.write(source);
  parser.end();
};
