import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeUnseen, firstUnseen, hasUnseen, splitUnseen, withoutUnseen } from './unseen.ts';
import { makeVisible } from './visible.ts';

const range = (from: number, to = from) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const isLayout = (code: number) => code === 0x09 || code === 0x0a;

/** Every class of characters that a reader does not see, by its code points. */
const CLASSES: Readonly<Record<string, readonly number[]>> = {
  'controls (C0)': range(0x00, 0x1f).filter((code) => !isLayout(code)),
  'controls (C1)': range(0x7f, 0x9f),
  'soft hyphen': range(0xad),
  'grapheme joiner': range(0x34f),
  'Arabic letter mark': range(0x61c),
  'Hangul fillers': [0x115f, 0x1160, 0x3164, 0xffa0],
  'Khmer inherent vowels': range(0x17b4, 0x17b5),
  'Mongolian selectors': range(0x180b, 0x180f),
  'zero width and direction marks': range(0x200b, 0x200f),
  'separators and embeddings': range(0x2028, 0x202e),
  'word joiner, invisible operators, isolates': range(0x2060, 0x206f),
  'blank Braille cell': range(0x2800),
  'variation selectors': range(0xfe00, 0xfe0f),
  'byte order mark': range(0xfeff),
  'reserved ignorable': range(0xfff0, 0xfff8),
  'annotations and the object mark': range(0xfff9, 0xfffc),
  'noncharacters of the BMP': [...range(0xfdd0, 0xfdef), 0xfffe, 0xffff],
  'noncharacters of the planes': range(1, 16).flatMap((plane) => [
    plane * 0x10000 + 0xfffe,
    plane * 0x10000 + 0xffff,
  ]),
  'unpaired surrogates': range(0xd800, 0xdfff),
  'shorthand controls': range(0x1bca0, 0x1bca3),
  'musical controls and the null notehead': [0x1d159, ...range(0x1d173, 0x1d17a)],
  'hieroglyph layout and blanks': range(0x13430, 0x13442),
  'Khitan filler and Brahmi joiner': [0x16fe4, 0x1107f],
  tags: range(0xe0000, 0xe007f),
  'supplementary selectors': range(0xe0100, 0xe01ef),
  'the rest of the plane of tags': [...range(0xe0080, 0xe00ff), ...range(0xe01f0, 0xe0fff)],
};

describe.each(Object.entries(CLASSES))('%s', (_name, codes) => {
  test('are unseen between letters, at both ends and alone', () => {
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      for (const text of [`a${character}b`, `${character}b`, `a${character}`, character]) {
        expect(hasUnseen(text), name).toBe(true);
        expect(firstUnseen(text)).toBe(name);
        expect(withoutUnseen(text)).toBe(text.replace(character, ''));
        expect(splitUnseen(text)).toContainEqual({ code: name });
      }
    }
  });
});

/** Words and signs that cannot be written otherwise. */
const NEEDED: readonly (readonly [what: string, text: string])[] = [
  ['a family', '👩‍👩‍👧‍👦'],
  ['a profession with a skin tone', '👩🏽‍💻'],
  ['a heart in its colour', '❤️'],
  ['a heart on fire', '❤️‍🔥'],
  ['a pirate flag', '🏴‍☠️'],
  ['a rainbow flag', '🏳️‍🌈'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['a keycap', '1️⃣ and #️⃣'],
  ['a telephone as text', '☎︎'],
  ['Persian', 'می‌خواهم'],
  ['Persian with a vowel sign', 'کَ‌ش'],
  ['Hindi', 'क्‍ष and क्‌ष'],
  ['Sinhala', 'ශ්‍රී ලංකා'],
  ['Malayalam', 'ന്‍റെ'],
  ['Mongolian', 'ᠠ᠋ᠪᠤ ᠰᠠᠶᠢᠨ᠎ᠠ'],
  ['an ideograph in its local form', '葛\u{E0100}城市'],
  ['line ends and tabs', 'one\ntwo\r\n\tthree'],
  ['other scripts and signs', 'naïve Straße Ελλάδα Привет 日本語 한국어 ไทย עברית العربية €–—“”…😀\u00a0·'],
];

describe('characters that are needed', () => {
  test.each(NEEDED)('%s', (_what, text) => {
    expect(firstUnseen(text)).toBeUndefined();
    expect(withoutUnseen(text)).toBe(text);
    expect(escapeUnseen(text)).toBe(text);
    expect(splitUnseen(text)).toEqual([text]);
  });

  test.each([
    ['a joiner between Latin letters', 'a\u200Db'],
    ['a second joiner', '👩‍\u200D💻'],
    ['a joiner after the last picture', '😀\u200D'],
    ['a second selector', '❤\uFE0F\uFE0F'],
    ['a row of selectors that spells a message', `😀${String.fromCodePoint(0xe0158, 0xe0155, 0xe015c)}`],
    ['a selector after a digit that is no keycap', '80\uFE0F80'],
    ['tags after a flag that spell something else', '🏴\u{E0068}\u{E0069}\u{E007F}'],
    ['a joiner between a letter that joins and one that does not', 'می\u200Cx'],
    ['a second selector of an ideograph', '葛\u{E0100}\u{E0101}'],
    ['a carriage return that ends no line', 'shown\rhides'],
  ])('but not %s', (_what, text) => {
    expect(hasUnseen(text)).toBe(true);
  });
});

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...Object.values(CLASSES).map((codes) => String.fromCodePoint(codes[0] ?? 0))),
        fc.constantFrom(...NEEDED.map(([, text]) => text)),
        fc.string(),
      ),
    )
    .map((parts) => parts.join('')),
);

describe('any text', () => {
  test('looks the same without its unseen characters, and then has none', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const clean = withoutUnseen(text);
        expect(clean === text).toBe(!hasUnseen(text));
        const readable = splitUnseen(text).filter((part) => typeof part === 'string');
        expect(readable.join('')).toBe(clean);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the same JSON with its unseen characters escaped, and shows none', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const json = escapeUnseen(JSON.stringify({ text }));
        expect(JSON.parse(json)).toEqual({ text });
        expect(hasUnseen(json)).toBe(false);
        expect(hasUnseen(makeVisible(text))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('every code point is either drawn, or white space, or unseen', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const expected =
      /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Bidi_Control}]/u.test(
        character,
      ) && !isLayout(code);
    if (expected && !hasUnseen(`a${character}b`)) wrong.push(code.toString(16));
    if (/[\p{L}\p{N}\p{P}\p{Zs}]/u.test(character) && !expected && hasUnseen(`a${character}b`)) {
      wrong.push(code.toString(16));
    }
  }
  // Letters that are drawn as nothing.
  expect(wrong).toEqual(['13441', '13442']);
});
