import { describe, expect, test } from 'vitest';
import { foldersOf, keyOf, kindOfPath, pathOfKey, pathProblem } from './path.ts';

describe('paths', () => {
  test.each([
    '/memories',
    '/memories/',
    '/memories/notes.md',
    '/memories/projects/orchard/release notes.md',
    '/memories/projects/',
    '/memories/Ünïcödé/日本語.md',
    '/memories/отчёт-API.md',
    '/memories/👩‍💻.md',
    '/memories/100%.md',
    '/memories/identity/me.md',
    '/memories/a...b.md',
    '/memories/console.md',
    `/memories/${'a'.repeat(200)}.md`,
  ])('%s is one', (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });

  test.each([
    ['', 'must be /memories'],
    ['notes.md', 'must be /memories'],
    ['/', 'must be /memories'],
    ['/etc/passwd', 'must be /memories'],
    ['/memoriesx/a.md', 'must be /memories'],
    ['/Memories/a.md', 'must be /memories'],
    ['memories/a.md', 'must be /memories'],
    ['file:///memories/a.md', 'must be /memories'],
    ['C:\\memories\\a.md', 'must be /memories'],
    ['/memories/..', 'lead elsewhere'],
    ['/memories/../etc/passwd', 'lead elsewhere'],
    ['/memories/a/../../b.md', 'lead elsewhere'],
    ['/memories/./a.md', 'lead elsewhere'],
    ['/memories/a/.', 'lead elsewhere'],
    ['/memories/%2e%2e/secret.md', 'percent-encoded'],
    ['/memories/a%2Fb.md', 'percent-encoded'],
    ['/memories/a%00.md', 'percent-encoded'],
    ['/memories/..\\..\\a.md', 'backslash'],
    ['/memories\\a.md', 'must be /memories'],
    ['/memories//a.md', 'empty name'],
    ['/memories/a//', 'empty name'],
    ['/memories/a\u0000.md', 'control characters'],
    ['/memories/a\nb.md', 'control characters'],
    ['/memories/a\u0085b.md', 'control characters'],
    ['/memories/a\u200bb.md', 'cannot be seen, such as U+200B'],
    ['/memories/\u202egpj.exe', 'cannot be seen, such as U+202E'],
    ['/memories/id\u00adentity/me.md', 'cannot be seen, such as U+00AD'],
    ['/memories/\ufeffa.md', 'cannot be seen, such as U+FEFF'],
    ['/memories/\ud800.md', 'surrogates'],
    ['/memories/e\u0301.md', 'composed'],
    ['/memories/a\u00a0b.md', 'plain ones'],
    ['/memories/a\u3000b.md', 'plain ones'],
    ['/memories/ a.md', 'begin or end with a space'],
    ['/memories/a /b.md', 'begin or end with a space'],
    ['/memories/a./b.md', 'end with a dot'],
    ['/memories/.hidden', 'hidden names'],
    ['/memories/.git/config', 'hidden names'],
    ['/memories/...', 'hidden names'],
    ['/memories/node_modules/a.md', 'node_modules'],
    ['/memories/a:b.md', 'some systems refuse'],
    ['/memories/a|b.md', 'some systems refuse'],
    ['/memories/what?.md', 'some systems refuse'],
    ['/memories/*.md', 'some systems refuse'],
    ['/memories/NUL', 'device'],
    ['/memories/con.md', 'device'],
    ['/memories/lpt1.notes.md', 'device'],
    ['/memories/COM¹', 'device'],
    ['/memories/Identity/me.md', 'looks like /memories/identity'],
    ['/memories/SOUL', 'looks like /memories/soul'],
    ['/memories/ｉｄｅｎｔｉｔｙ/me.md', 'looks like /memories/identity'],
    ['/memories/ídentity/me.md', 'looks like /memories/identity'],
    ['/memories/ıdentity/me.md', 'looks like /memories/identity'],
    ['/memories/𝐬𝐨𝐮𝐥/me.md', 'looks like /memories/soul'],
    ['/memories/іdentity/me.md', 'another script'],
    ['/memories/sоul/me.md', 'another script'],
    ['/memories/identιty/me.md', 'another script'],
    [`/memories/${'a/'.repeat(17)}b.md`, 'at most 16 names deep'],
    [`/memories/${'a'.repeat(260)}`, 'at most 260 characters'],
  ])('%j is none', (path, words) => {
    expect(pathProblem(path)).toContain(words);
  });

  test('a path and its key are told from each other', () => {
    expect(keyOf('/memories/a/b.md')).toBe('files/a/b.md');
    expect(pathOfKey('files/a/b.md')).toBe('/memories/a/b.md');
    for (const key of ['files/', 'files/../a', 'files/a/', 'files//a', 'filesa', 'a', 'files/.git/config']) {
      expect(pathOfKey(key)).toBeUndefined();
    }
    expect(foldersOf('/memories/a/b/c.md')).toEqual(['/memories/a', '/memories/a/b']);
    expect(foldersOf('/memories/a.md')).toEqual([]);
  });

  test.each([
    ['/memories/a.md', { type: 'semantic' }],
    ['/memories/identity', { type: 'semantic' }],
    ['/memories/identity/me.md', { type: 'core', category: 'identity' }],
    ['/memories/soul/a/b.md', { type: 'core', category: 'soul' }],
    ['/memories/tools/git.md', { type: 'core', category: 'tools' }],
    ['/memories/working/plan.md', { type: 'working' }],
    ['/memories/episodic/monday.md', { type: 'episodic' }],
    ['/memories/projects/identity/me.md', { type: 'semantic' }],
  ])('what %s holds is %j', (path, place) => {
    expect(kindOfPath(path)).toEqual(place);
  });
});
