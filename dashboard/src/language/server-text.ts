import { i18n } from '@lingui/core';

/**
 * Translates a text that the service made, such as an error or a reason of the Guardian. A text that the catalog does not
 * know stays in English. Texts with gaps, `{0}`, know all that differ only there, and of `notes.md: must not be blank` the part
 * after the colon is enough.
 */
export function serverText(english: string): string {
  return translate(english) ?? english;
}

/** Whether the catalog has such a text. In English there is none to have. */
export function isKnown(english: string): boolean {
  return translate(english) !== undefined;
}

function translate(english: string): string | undefined {
  const { messages } = i18n;
  if (Object.hasOwn(messages, english)) return i18n._(english);
  for (const [template, form] of templatesIn(messages)) {
    const found = form.exec(english);
    if (found) return i18n._(template, { ...found.slice(1).map((value) => translate(value) ?? value) });
  }
  return translateTail(english);
}

/** Translates what stands behind the first colon after which the catalog knows it. What stands before is a name. */
function translateTail(english: string): string | undefined {
  for (let at = english.indexOf(': '); at >= 0; at = english.indexOf(': ', at + 1)) {
    const tail = english.slice(at + 2);
    const known =
      Object.hasOwn(i18n.messages, tail) || templatesIn(i18n.messages).some(([, form]) => form.test(tail));
    if (known) return `${english.slice(0, at)}: ${serverText(tail)}`;
  }
  return undefined;
}

const NO_TEMPLATES: readonly (readonly [string, RegExp])[] = [];
let compiled: { readonly of: object; readonly templates: typeof NO_TEMPLATES } | undefined;

/** The texts of the catalog with gaps, `{0}`, and what they match: those that say most come first. */
function templatesIn(messages: object): typeof NO_TEMPLATES {
  if (compiled?.of !== messages) {
    const gapped = Object.keys(messages)
      .filter((text) => /\{\d\}/.test(text))
      .sort((one, other) => other.length - one.length);
    compiled = { of: messages, templates: gapped.map((text) => [text, formOf(text)] as const) };
  }
  return compiled.templates;
}

/** What a text with gaps matches. A gap holds at least one character. */
export function formOf(template: string): RegExp {
  const parts = template.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}
