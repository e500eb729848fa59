import { cues } from './cues.ts';
import { stateAt } from './find-phrases.ts';
import { type Relation, relations, TOOL_VERBS, WITH } from './relations.ts';
import type { Piece } from './split-pieces.ts';
import { DIVIDERS, FUNCTION_WORDS, PLACED } from './words.ts';

/** "Is" in Italian and Portuguese: without its accent it is "and". */
const ACCENTED_IS = /^[èéÈÉ]$/;
/** Behind it "son" is a child. */
const OWNER = /^(?:my|our|your|his|her|their|a|the|older|younger|eldest|only)$|['’]s?$/i;

/** What the verb at a place relates a fact's subject to, if one stands there. */
export function relationAt(pieces: readonly Piece[], at: number): Relation | undefined {
  const { key = '', text = '' } = pieces[at] ?? {};
  const next = pieces[at + 1]?.key ?? '';
  if (isToolVerb(pieces, at)) return 'tool';
  if (ACCENTED_IS.test(text)) return 'be';
  if (isChild(pieces, at) || (key === 'work' && isPlaceOfWork(pieces, at))) return undefined;
  // "called about the invoice" names nothing.
  if (key === 'called' && DIVIDERS.has(next)) return undefined;
  // "東京にあります": is there; else it is what somebody has.
  if (/^あ[るり]$/.test(key) && pieces[at - 1]?.key === 'に') return 'stay';
  // "the password at home", "the home wifi"
  if (key === 'home' && (/^(?:at|from)$/.test(pieces[at - 1]?.key ?? '') || isNoun(pieces[at + 1])))
    return undefined;
  const relation = isDutchAm(pieces, at) ? 'be' : relations.get(key);
  if (relation === 'work' && next === 'out') return undefined;
  // "is in room 4" says where it is.
  const isPlaced = relation === 'be' && PLACED.has(next) && !stateAt(pieces, at + 1);
  return isPlaced ? 'stay' : relation;
}

/** Whether a word says what something is: no verb, preposition or adverb of time. */
function isNoun(piece: Piece | undefined): boolean {
  if (!piece || piece.mark || !/^\p{L}/u.test(piece.text)) return false;
  return (
    !DIVIDERS.has(piece.key) &&
    !FUNCTION_WORDS.has(piece.key) &&
    !relations.has(piece.key) &&
    !cues.has(piece.key)
  );
}

/** "works with Slack" tells of a tool. */
export function isToolVerb(pieces: readonly Piece[], at: number): boolean {
  return TOOL_VERBS.has(pieces[at]?.key ?? '') && WITH.has(pieces[at + 1]?.key ?? '');
}

/** "my son", "Ann's son"; in other languages it is "are", or "his". */
export function isChild(pieces: readonly Piece[], at: number): boolean {
  const before = pieces[at - 1];
  return pieces[at]?.key === 'son' && before !== undefined && OWNER.test(before.text);
}

/** "ik ben", "ben ik": elsewhere it is a name. */
function isDutchAm(pieces: readonly Piece[], at: number): boolean {
  const [before, piece, next] = [pieces[at - 1], pieces[at], pieces[at + 1]];
  return piece?.key === 'ben' && (before?.key === 'ik' || next?.key === 'ik');
}

/** "rides a bike to work"; but "wants to work at Acme". */
function isPlaceOfWork(pieces: readonly Piece[], at: number): boolean {
  const [before, next] = [pieces[at - 1]?.key ?? '', pieces[at + 1]?.key ?? ''];
  return before === 'to' ? !DIVIDERS.has(next) && next !== 'as' : /^(?:from|at|after|before)$/.test(before);
}
