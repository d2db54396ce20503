/**
 * Words that begin sentences of a request, where a capital letter does not mark a name. English
 * only. In other languages, quotes mark a name.
 */

const OPENERS: ReadonlySet<string> = new Set(
  `a about above accept according account activate add address after again all alright also always am an and answer any apologies append apply approve are archive as ask assign at attach
  back be because before begin book both bring build but buy by calculate call can cancel change channel check choose clean clear close collect combine come compare complete compose compute
  confirm connect consider contact continue convert copy could count create cut date day dear decide delete deliver describe did do does done download draft during each edit either email
  empty end enter even every everyone everything execute explain extract fetch fill find finish first fix follow for forward from further generate get give go good got great had has have he
  hello help her here hey hi him his hold how i if ignore import in include inform insert instead invite is it its join just keep kindly know last learn leave let like link list listen load log
  look mail main make many mark may maybe meet mention merge message might money month more most move much multiply must my name need never new next no not note nothing notify now number of
  off ok okay on once one only open or order other our out over page paste pay perform pick place plan play please post prepare print process provide publish pull push put query quick rate read
  really receive recipient refund register reject remember remind remove rename rent repeat replace reply report request reset respond restart return review right run same save say schedule
  search second see select send set share she should show sign since sort start stop store submit subscribe subtract sum summarise summarize sure take tell thank thanks that the their them
  then there these they this those thus to today tomorrow translate transfer try turn two type under undo unless until update upload us use user using verify very view visit wait want was watch
  we week well were what when where which while who whose why will wire with without work would write year yes yesterday yet you your`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

export const isOpener = (word: string): boolean => OPENERS.has(word.toLowerCase());
