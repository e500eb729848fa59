/** Least characters a piece is cut to: what a model refuses at this length, it does not refuse for its length. */
const SHORTEST_PIECE = 256;
/** Pieces of one text that are embedded; the rest of a longer one is not read. */
const MOST_PIECES = 32;

/**
 * About how many tokens a text is, rather too many than too few: letters of ASCII text make about a token in four,
 * digits and signs one in two, other scripts up to one each.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 32;
    tokens += letter ? 0.27 : code < 128 ? 0.5 : 1;
  }
  return Math.ceil(tokens);
}

/** Cuts a text into pieces of at most so many tokens, between words where it has any. */
export function splitToLimit(text: string, maxTokens: number): string[] {
  if (text.length <= maxTokens || estimateTokens(text) <= maxTokens) return [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest !== '' && pieces.length < MOST_PIECES) {
    const length = lengthWithin(rest, maxTokens);
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}

/** The first and the second half of a text, or undefined where it is too short to be too long. */
export function halve(text: string): readonly [string, string] | undefined {
  if (text.length <= SHORTEST_PIECE) return undefined;
  const middle = betweenWords(text, Math.ceil(text.length / 2));
  return [text.slice(0, middle), text.slice(middle)];
}

/** One vector for the pieces of a text: their mean, longer pieces counting more. Not of unit length. */
export function averageVectors(vectors: readonly Float32Array[], pieces: readonly string[]): Float32Array {
  const [only] = vectors;
  if (only && vectors.length === 1) return only;
  const mean = new Float32Array(only?.length ?? 0);
  vectors.forEach((vector, index) => {
    const weight = pieces[index]?.length ?? 0;
    for (let k = 0; k < mean.length; k++) mean[k] = (mean[k] ?? 0) + weight * (vector[k] ?? 0);
  });
  return mean;
}

function lengthWithin(text: string, maxTokens: number): number {
  // Never fewer characters than tokens, so the search starts at what fits whatever the characters are.
  let [low, high] = [Math.min(maxTokens, text.length), text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low >= text.length ? text.length : betweenWords(text, low);
}

/** The last place between two words in the second half before `length`, else `length` itself, never inside a character. */
function betweenWords(text: string, length: number): number {
  const space = text.lastIndexOf(' ', length);
  if (space > length / 2) return space + 1;
  const code = text.charCodeAt(length - 1);
  return code >= 0xd800 && code <= 0xdbff && length > 1 ? length - 1 : length;
}
