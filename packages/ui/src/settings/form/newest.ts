/** The newest known version of a record, from the event log or from an API response. */
import { useState } from "react";

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** The record to show, and a callback for API responses, which may arrive before the event log. */
export const useNewest = <Item extends Versioned>(heard: Item): readonly [Item, (answered: Item) => void] => {
  const [answered, setAnswered] = useState(heard);
  return [newest(heard, answered), setAnswered];
};

export const newest = <Item extends Versioned>(heard: Item, answered: Item): Item =>
  answered.id === heard.id && answered.version > heard.version ? answered : heard;
