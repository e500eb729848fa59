import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FormatName } from '../contract.ts';
import type { SourceFile } from '../read/source-file.ts';
import { scan } from '../scan.ts';
import { type Finding, walk } from '../walk.ts';

/** A file in memory, handed out in small pieces, so that nothing depends on where chunks end. */
export function fileOf(path: string, content: string | Uint8Array, piece = 997): SourceFile {
  const bytes = Buffer.from(content as Uint8Array);
  const range = async function* (start: number, end: number) {
    for (let at = start; at < end; at += piece) yield bytes.subarray(at, Math.min(end, at + piece));
  };
  return { path, open: () => range(0, bytes.length), random: { size: bytes.length, range } };
}

async function sample(name: string): Promise<SourceFile> {
  return fileOf(name, await readFile(new URL(`samples/${name}`, import.meta.url)));
}

async function found(file: SourceFile, format?: FormatName): Promise<Finding[]> {
  const all: Finding[] = [];
  for await (const finding of walk([file], format, { secrets: { formats: true } })) all.push(finding);
  return all;
}

/** What a sample becomes, one line a finding. */
function lines(findings: readonly Finding[]): string[] {
  return findings.map((finding) => {
    if (finding.kind === 'skipped') return `- ${finding.reason}`;
    if (finding.kind === 'problem') return `! ${finding.message}`;
    if (finding.kind !== 'memory') return finding.kind;
    const { type, category, content, tags, occurred_at, session_id, key, ...more } = finding.draft;
    const { valid_from, valid_to, expires_at, metadata } = more;
    const times = { valid_from, valid_to, expires_at };
    const facts = [
      ...[category, key, (tags ?? []).join(','), occurred_at?.toISOString(), session_id],
      ...Object.entries(times).map(([name, time]) => time && `${name} ${time.toISOString()}`),
      metadata && JSON.stringify(metadata),
    ].filter(Boolean);
    return `${type}: ${content} (${facts.join(' | ')})`;
  });
}

const EXPECTED: Readonly<Record<string, { format: FormatName; lines: string[] }>> = {
  'mem0.json': {
    format: 'mem0',
    lines: [
      'semantic: Likes tea without sugar (food | 2025-03-01T15:00:00.123Z | {"category":"food"})',
      'semantic: Sails on the Petrel at weekends (hobbies,boats | 2025-04-02T09:30:00.000Z | spring)',
      '! is no memory of mem0: it has no text under "memory"',
    ],
  },
  'zep.json': {
    format: 'zep',
    lines: [
      'semantic: Ann lives in Hull (LIVES_IN | 2024-06-01T00:00:00.000Z)',
      'semantic: Ann lives in York (LIVES_IN,invalid | 2020-01-01T00:00:00.000Z | valid_to 2024-06-01T00:00:00.000Z)',
      'semantic: Ann: Sold the Petrel in 2019 (Person | 2025-01-02T10:00:00.000Z)',
      '- empty',
      'episodic: Ada: Where does Ann live now? (transcript | 2025-01-02T09:59:00.000Z | t1)',
    ],
  },
  'letta.af': {
    format: 'letta',
    lines: [
      '- system and tool messages',
      'episodic: user: The anchor is rusty. (transcript | 2025-10-31T22:57:10.000Z | agent-0)',
      'episodic: assistant: I note that the anchor is rusty. (transcript | 2025-10-31T22:57:20.000Z | agent-0)',
      '- system and tool messages',
      'core: I am Sam, mate of the Petrel. (identity | persona)',
      'core: Ada is the skipper. (relationship | human)',
      'core: Check the bilge every morning. (operations | routine)',
    ],
  },
  'mcp.jsonl': {
    format: 'mcp',
    lines: [
      'semantic: Petrel: Built in 1974 (boat)',
      'semantic: Petrel: Needs a new anchor (boat)',
      '- entities without observations',
      'semantic: Ann sold to Ada Petrel (relation)',
    ],
  },
  'supermemory.json': {
    format: 'supermemory',
    lines: [
      'semantic: Crossed to Texel in nine hours. (ada,log | 2025-05-05T05:05:05.000Z)',
      'semantic: Tide tables of the Wadden Sea (ada | 2025-05-06T05:05:05.000Z)',
    ],
  },
  'chatgpt.json': {
    format: 'chatgpt',
    lines: [
      '- empty',
      '- system and tool messages',
      'episodic: user: Which anchor suits mud? (transcript | 2025-04-30T08:00:01.250Z | c-1)',
      'episodic: assistant: A Danforth anchor. (transcript | 2025-04-30T08:00:03.000Z | c-1)',
    ],
  },
  'claude.json': {
    format: 'claude',
    lines: [
      'episodic: user: Which paint for the hull? (transcript | 2025-06-01T10:00:01.000Z | c-7)',
      'episodic: assistant: A hard antifouling. (transcript | 2025-06-01T10:00:09.000Z | c-7)',
    ],
  },
  'claude-memories.json': {
    format: 'claude',
    lines: [
      'semantic: Ada refits an old boat. (claude-memory)',
      'semantic: The refit ends in May. (claude-memory,project)',
    ],
  },
  'records.jsonl': {
    format: 'jsonl',
    lines: [
      'semantic: The mast was stepped in April. (mast | 2025-04-11T00:00:00.000Z)',
      'episodic: user: Remember the shackles. (transcript | s1)',
      'core: A marlinspike opens shackles. (tools | marlinspike)',
      '! has no text under content, text, memory, fact, note, body, value',
    ],
  },
};

describe('the format of', () => {
  it.each(Object.entries(EXPECTED))(
    '%s is told, and each field goes where the mapping says',
    async (name, expected) => {
      const file = await sample(name);
      const { preview } = await scan([file], undefined, { secrets: { formats: true }, userId: undefined });
      expect(preview.format).toBe(expected.format);
      expect(preview.mapping[0]?.fields.length).toBeGreaterThan(0);
      expect(lines(await found(file))).toEqual(expected.lines);
      // Named, it is the same.
      expect(await found(file, expected.format)).toEqual(await found(file));
    },
  );

  it.each([
    ['a list of texts', '["one", "two"]', ['semantic: one ()', 'semantic: two ()']],
    [
      'objects with times and fields of their own',
      '[{"text": "one", "valid_from": "2025-01-01", "valid_to": "2025-02-01", "expires_at": "2199-01-01", "metadata": {"team": "a"}}]',
      [
        'semantic: one (valid_from 2025-01-01T00:00:00.000Z | valid_to 2025-02-01T00:00:00.000Z | expires_at 2199-01-01T00:00:00.000Z | {"team":"a"})',
      ],
    ],
    [
      'fields that no memory may have',
      `[{"text": "one", "metadata": {"long": "${'x'.repeat(5_000)}"}}, {"text": "two", "metadata": [1]}, {"text": "three", "metadata": {}}]`,
      [
        '! metadata: must be at most 4096 bytes as JSON; the memory comes without it',
        'semantic: one ()',
        '! metadata: must be a JSON object; the memory comes without it',
        'semantic: two ()',
        'semantic: three ()',
      ],
    ],
    [
      'fields that cannot be read',
      '[{"text": "one", "importance": "0.7", "expires_at": "next week", "tags": "a", "key": null, "valid_to": "", "session_id": 7, "date": "3 May"}, {"text": "two", "category": "food", "tags": ["a"]}]',
      [
        '! tags: must be a list of texts; the memory comes without it',
        '! importance: must be a number from 0 to 1; the memory comes without it',
        '! session_id: must be a text; the memory comes without it',
        '! date: must be a time in ISO 8601, or seconds since 1970; the memory comes without it',
        '! expires_at: must be a time in ISO 8601, or seconds since 1970; the memory comes without it',
        'semantic: one ()',
        'semantic: two (a,food)',
      ],
    ],
    [
      'a fact that ended before it began',
      '{"edges": [{"uuid": "e1", "fact": "one", "valid_at": "2025-02-01", "invalid_at": "2025-01-01"}]}',
      [
        'semantic: one (invalid | 2025-02-01T00:00:00.000Z | valid_from 2024-12-31T23:59:59.999Z | valid_to 2025-01-01T00:00:00.000Z)',
      ],
    ],
    [
      'a fact that ended before it was noted, and one of no known beginning',
      '{"edges": [{"uuid": "e1", "fact": "one", "created_at": "2025-02-01", "invalid_at": "2025-01-01"}, {"uuid": "e2", "fact": "two", "expired_at": "2025-01-01"}]}',
      [
        'semantic: one (invalid | 2025-02-01T00:00:00.000Z | valid_from 2024-12-31T23:59:59.999Z | valid_to 2025-01-01T00:00:00.000Z)',
        'semantic: two (invalid | valid_from 2024-12-31T23:59:59.999Z | valid_to 2025-01-01T00:00:00.000Z)',
      ],
    ],
    [
      'a fact that ends some day, and one whose end is not set',
      '{"edges": [{"uuid": "e1", "fact": "one", "valid_at": "2025-02-01", "invalid_at": "2199-01-01"}, {"uuid": "e2", "fact": "two", "valid_at": "2025-02-01", "invalid_at": "0001-01-01T00:00:00Z"}]}',
      [
        'semantic: one (2025-02-01T00:00:00.000Z | valid_to 2199-01-01T00:00:00.000Z)',
        'semantic: two (2025-02-01T00:00:00.000Z)',
      ],
    ],
    [
      'objects under a usual name',
      '{"notes": [{"note": "one", "date": "2025-01-01T00:00:00"}]}',
      ['semantic: one (2025-01-01T00:00:00.000Z)'],
    ],
    [
      'what somebody said, with fields of its own',
      '[{"role": "user", "content": "one", "tags": ["a"], "importance": 0.9, "metadata": {"team": "b"}, "expires_at": "2199-01-01"}]',
      ['episodic: user: one (transcript,a | expires_at 2199-01-01T00:00:00.000Z | {"team":"b"})'],
    ],
    [
      'facts of Zep with attributes',
      '{"edges": [{"uuid": "e1", "fact": "one", "attributes": {"since": 2019}}], "messages": [{"uuid": "m", "role": "user", "content": "two", "metadata": {"a": 1}}]}',
      ['semantic: one ({"since":2019})', 'episodic: user: two (transcript | {"a":1})'],
    ],
    ['one object', '{"content": "one", "type": "working"}', ['working: one ()']],
    [
      'pages of mem0',
      '{"count": 1, "next": null, "results": [{"id": "x", "memory": "one"}]}',
      ['semantic: one ()'],
    ],
    [
      'the graph of the MCP server',
      '{"entities": [{"name": "A", "entityType": "t", "observations": ["o"]}], "relations": []}',
      ['semantic: A: o (t)'],
    ],
  ])('%s', async (_, json, expected) => {
    expect(lines(await found(fileOf('some.json', json)))).toEqual(expected);
  });
});

const at = '2024-05-01T10:00:00Z';
const letta = (role: string, text: string, ...spoken: string[]) => ({
  ...{ role, agent_id: 'agent-0', created_at: at, content: [{ type: 'text', text }] },
  tool_calls: spoken.map((said) => ({
    function: { name: 'send_message', arguments: JSON.stringify({ message: said }) },
  })),
});
const said = (uuid: string, parent: string | null, text: string) => ({
  ...{ uuid, parent_message_uuid: parent, sender: 'human', text, created_at: at },
});
const chatgpt = (author: string, recipient: string, text: string, create_time: number | null) => ({
  ...{ author: { role: author }, recipient, create_time, content: { content_type: 'text', parts: [text] } },
});

describe('of what products write', () => {
  it.each([
    [
      'the library of mem0 for TypeScript keeps its times, sessions and ends',
      {
        results: [
          { id: 'a', memory: 'one', createdAt: at, userId: 'ann', runId: 'r1', metadata: {} },
          { id: 'b', memory: 'two', created_at: at, expiration_date: '2199-01-01' },
        ],
        relations: [{ source: 'ann', relationship: 'knows', target: 'ada' }],
      },
      [
        'semantic: one (2024-05-01T10:00:00.000Z | r1)',
        'semantic: two (2024-05-01T10:00:00.000Z | expires_at 2199-01-01T00:00:00.000Z)',
        '- relations of the graph',
      ],
    ],
    [
      'a backup of OpenMemory brings nothing back that was deleted there',
      {
        user: { user_id: 'ann' },
        categories: [{ id: 'c', name: 'food' }],
        memories: [
          { id: 'a', content: 'one', state: 'active', created_at: at, deleted_at: null, archived_at: null },
          { id: 'b', content: 'two', state: 'deleted', created_at: at, deleted_at: at },
          { id: 'c', content: 'three', state: 'archived', created_at: at },
          { id: 'd', content: 'four', state: 'paused', created_at: at },
        ],
      },
      [
        'semantic: one (2024-05-01T10:00:00.000Z)',
        ...Array.from({ length: 3 }, () => '- deleted, archived or paused at the source'),
      ],
    ],
    [
      'what other lists mark as deleted stays so',
      [
        { text: 'one', deleted: false, deleted_at: null, status: 'done', categories: ['food'] },
        { text: 'two', deleted: true },
        { text: 'three', isArchived: true },
        { text: 'four', deletedAt: at },
        { role: 'user', content: 'five', status: 'Deleted' },
      ],
      [
        'semantic: one (food)',
        ...Array.from({ length: 4 }, () => '- deleted, archived or paused at the source'),
      ],
    ],
    [
      'an agent of Letta says what it sent, not what it thought',
      {
        agents: [
          {
            ...{ id: 'agent-0', block_ids: [], llm_config: {} },
            messages: [
              letta('user', JSON.stringify({ type: 'login', last_login: 'Never', time: at })),
              letta('user', JSON.stringify({ type: 'user_message', message: 'hello', time: at })),
              letta('user', '{"type": "user_message", "mine": true}'),
              letta('assistant', 'A greeting. I greet back.', 'Hello Ada!', 'How is the Petrel?'),
              letta('assistant', '', 'It costs 90.'),
              letta('assistant', 'No tool is called.'),
            ],
          },
        ],
        blocks: [],
      },
      [
        '- system and tool messages',
        'episodic: user: hello (transcript | 2024-05-01T10:00:00.000Z | agent-0)',
        'episodic: user: {"type": "user_message", "mine": true} (transcript | 2024-05-01T10:00:00.000Z | agent-0)',
        'episodic: assistant: Hello Ada!\n\nHow is the Petrel? (transcript | 2024-05-01T10:00:00.000Z | agent-0)',
        'episodic: assistant: It costs 90. (transcript | 2024-05-01T10:00:00.000Z | agent-0)',
        'episodic: assistant: No tool is called. (transcript | 2024-05-01T10:00:00.000Z | agent-0)',
      ],
    ],
    [
      'the first agent file of Letta comes in',
      {
        agent_type: 'memgpt_agent',
        core_memory: [{ label: 'human', value: 'Ada is the skipper.' }],
        llm_config: {},
        messages: [{ role: 'user', created_at: at, content: [{ type: 'text', text: 'hello' }] }],
      },
      [
        'core: Ada is the skipper. (relationship | human)',
        'episodic: user: hello (transcript | 2024-05-01T10:00:00.000Z | agent-0)',
      ],
    ],
    [
      'ChatGPT tells calls of tools and its notes from what it said, and keeps the order',
      [
        {
          ...{ id: 'c', create_time: 1_714_557_600, current_node: '4' },
          mapping: Object.fromEntries(
            [
              chatgpt('user', 'all', 'Draw', 1_714_557_601),
              chatgpt('assistant', 'dalle.text2im', '{"prompt": "a boat"}', 1_714_557_602),
              chatgpt('assistant', 'bio', 'User likes boats', 1_714_557_603),
              chatgpt('assistant', 'all', 'Done', null),
            ].map((message, index) => [
              `${index + 1}`,
              {
                message,
                parent: index === 0 ? null : `${index}`,
                children: index === 3 ? [] : [`${index + 2}`],
              },
            ]),
          ),
        },
      ],
      [
        'episodic: user: Draw (transcript | 2024-05-01T10:00:01.000Z | c)',
        '- tool calls',
        'semantic: User likes boats (chatgpt-memory | 2024-05-01T10:00:03.000Z | c)',
        'episodic: assistant: Done (transcript | 2024-05-01T10:00:03.000Z | c)',
      ],
    ],
    [
      'what somebody thought of messages of ChatGPT is no memory',
      [{ id: 'm', conversation_id: 'c', rating: 'thumbs_down', content: '{"text": "bad"}', create_time: at }],
      ['- feedback on messages'],
    ],
    [
      'a message of Claude is read where its text stands, and files alone are told',
      [
        {
          uuid: 'c',
          chat_messages: [
            {
              ...{ uuid: 'a', sender: 'human', created_at: at },
              text: 'one',
              content: [{ type: 'text', text: '' }],
            },
            {
              ...{ uuid: 'b', sender: 'human', created_at: at },
              text: '',
              attachments: [{ file_name: 'a.txt' }],
            },
          ],
        },
      ],
      ['episodic: user: one (transcript | 2024-05-01T10:00:00.000Z | c)', '- messages that are only files'],
    ],
    [
      'of a conversation with Claude the last branch comes in',
      [
        {
          uuid: 'c',
          chat_messages: [
            said('a', '00000000-0000-4000-8000-000000000000', 'I live in York.'),
            said('b', 'a', 'Noted: York.'),
            said('a2', null, 'I live in Hull.'),
            said('b2', 'a2', 'Noted: Hull.'),
            said('b3', 'a2', 'Hull it is.'),
          ],
        },
        { uuid: 'd', chat_messages: [said('a', 'b', 'one'), said('b', 'a', 'two')] },
        { uuid: 'e', chat_messages: [said('x', 'elsewhere', 'three'), said('y', 'x', 'four')] },
      ],
      [
        '- messages on other branches',
        '- messages on other branches',
        'episodic: user: I live in Hull. (transcript | 2024-05-01T10:00:00.000Z | c)',
        '- messages on other branches',
        'episodic: user: Hull it is. (transcript | 2024-05-01T10:00:00.000Z | c)',
        // Parents that tell no beginning take nothing away.
        'episodic: user: one (transcript | 2024-05-01T10:00:00.000Z | d)',
        'episodic: user: two (transcript | 2024-05-01T10:00:00.000Z | d)',
        'episodic: user: three (transcript | 2024-05-01T10:00:00.000Z | e)',
        'episodic: user: four (transcript | 2024-05-01T10:00:00.000Z | e)',
      ],
    ],
    [
      'Supermemory forgets when it was to',
      {
        memoryEntries: [
          { id: 'm', memory: 'one', isLatest: true, createdAt: at, forgetAfter: '2199-01-01T00:00:00Z' },
        ],
      },
      ['semantic: one (2024-05-01T10:00:00.000Z | expires_at 2199-01-01T00:00:00.000Z)'],
    ],
  ])('%s', async (_, json, expected) => {
    expect(lines(await found(fileOf('some.json', JSON.stringify(json))))).toEqual(expected);
  });

  const withTime = (time: unknown) => [
    { results: [{ id: 'a', memory: 'one', created_at: time }] },
    { edges: [{ uuid: 'a', fact: 'one', created_at: time }] },
    { memories: [{ id: 'a', content: 'one', containerTags: [], createdAt: time }] },
    { agents: [{ block_ids: [], messages: [{ role: 'user', content: 'one', created_at: time }] }] },
    [{ uuid: 'c', chat_messages: [{ uuid: 'a', sender: 'human', text: 'one', created_at: time }] }],
    [{ text: 'one', created_at: time }],
    [{ role: 'user', content: 'one', created_at: time }],
  ];

  it.each([
    at,
    '2024-05-01 10:00:00+00',
    '2024-05-01 10:00:00 UTC',
    '2024-05-01T03:00:00.000000-0700',
    '1714557600',
    '1714557600000',
    1_714_557_600,
    1_714_557_600_000,
    1_714_557_600_000_000,
    1_714_557_600_000_000_000,
  ])('a time is read as %s', async (time) => {
    for (const document of withTime(time)) {
      const findings = await found(fileOf('some.json', JSON.stringify(document)));
      expect(findings).toMatchObject([{ kind: 'memory', draft: { occurred_at: new Date(at) } }]);
    }
  });

  it.each(['yesterday', '2024-02-30', '01/05/2024', { $date: at }])(
    'a time that is no moment, as %j, is told, and no other is put in its place',
    async (time) => {
      for (const document of withTime(time)) {
        const findings = await found(fileOf('some.json', JSON.stringify(document)));
        expect(findings).toMatchObject([
          { kind: 'problem', field: true, message: expect.stringContaining('must be a time in ISO 8601') },
          { kind: 'memory', draft: expect.not.objectContaining({ occurred_at: expect.anything() }) },
        ]);
      }
    },
  );
});

describe('Markdown', () => {
  it('becomes a memory for each section; titles, front matter and settings do not', async () => {
    const section = `# Hull\n\n${'The hull is of oak. '.repeat(40)}\n\n## Keel\n\nIron.\n`;
    const findings = await found(fileOf('boat.md', `---\ntitle: x\n---\n# Boat\n\n${section}`));
    expect(lines(findings).map((line) => line.slice(0, 25))).toEqual([
      '- front matter',
      '- headings without text',
      'semantic: # Hull\n\nThe hul',
      'semantic: ## Keel\n\nIron.\n',
    ]);
  });

  it.each([
    '---\nname: tea\ndescription: >\n  Ada likes\n  tea\ntags:\n- a\n  - b\nempty:\n# why\n"quoted key": [a,\n  b\n]\n\n---\n',
    '---  \r\nname: tea\r\n---\r\n',
  ])('has settings in %j', async (settings) => {
    expect(lines(await found(fileOf('note.md', `${settings}Tea it is.`)))).toEqual([
      '- front matter',
      'semantic: Tea it is. ()',
    ]);
  });

  it.each([
    '---\n# Monday\nBring the anchor.\n---\nTea it is.',
    '---\nname: tea\nBring the anchor\n---\nTea it is.',
    '---\n- Bring the anchor\n---\nTea it is.',
    '---\n\n---\nBring the anchor.',
    '---\nname: tea\nBring the anchor.',
  ])('is text in %j', async (text) => {
    expect(lines(await found(fileOf('note.md', text)))).toEqual([`semantic: ${text} ()`]);
  });

  it.each([
    ['SOUL.md', 'core: I am plain. (soul)'],
    ['workspace/USER.md', 'core: I am plain. (relationship)'],
    ['docs/tools.md', 'semantic: I am plain. ()'],
    ['memory/2026-02-01.md', 'episodic: I am plain. (2026-02-01T00:00:00.000Z)'],
    ['notes.txt', 'semantic: I am plain. ()'],
  ])('%s is read as %s', async (path, line) => {
    expect(lines(await found(fileOf(path, 'I am plain.')))).toEqual([line]);
  });
});

it('a text that is too long for one memory becomes several, which together are the text', async () => {
  const text = 'A sentence about ropes and knots. '.repeat(4_000);
  const findings = await found(fileOf('long.txt', text));
  const contents = findings.flatMap((finding) => (finding.kind === 'memory' ? [finding.draft.content] : []));
  expect(contents.length).toBeGreaterThan(3);
  expect(contents.join('')).toBe(text);
});
