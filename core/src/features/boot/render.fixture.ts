import type { Memory } from '../records/contract.ts';
import { type Draft, renderInjection } from './render.ts';
import type { Section } from './section.ts';

/** A header of the service for tests. */
export const HEADER = '# MEMORY INJECTION\nFixed words.\n';
let serial = 0;
/** A memory with a new id, as stored by the agent unless told otherwise. */
export function memory(content: string, facts: Partial<Memory> = {}): Memory {
  serial += 1;
  return {
    id: `00000000-0000-7000-8000-${String(serial).padStart(12, '0')}`,
    type: 'working',
    content,
    category: null,
    key: null,
    tags: [],
    importance: 0.5,
    occurred_at: '2026-02-01T09:30:00.000Z',
    created_at: '2026-02-01T09:30:00.000Z',
    updated_at: '2026-02-01T09:30:00.000Z',
    version: 1,
    source: { kind: 'agent', credential_id: null },
    ...facts,
  };
}

/** A section of memories with these contents. */
export function section(name: string, contents: readonly string[], options: Partial<Section> = {}): Section {
  return {
    name,
    title: { identity: 'Who you are', working: 'Working memory' }[name] ?? `Section ${name}`,
    entries: contents.map((content) => ({ memory: memory(content), whole: name === 'identity' })),
    ...options,
  };
}

/** Renders sections with the default settings. */
export function render(sections: readonly Section[], options: Partial<Draft> = {}) {
  return renderInjection({
    header: HEADER,
    sections,
    session: { name: 'session', title: 'Session', entries: [{ text: '- Own line' }] },
    tokenBudget: 4000,
    truncateAt: 600,
    ...options,
  });
}
