import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, useApp } from '../app/app.fixture.ts';

const test = useApp();
let bearer: string;
beforeAll(async () => {
  bearer = (await test.signIn()).bearer;
});
const post = (query = '') => supertest(test.app).post(`/api/v1/import${query}`).set('Authorization', bearer);
const work = () => test.kit.engine.background.run('jobs.work');

describe('POST /import', () => {
  it('takes files as a form, answers 202 with the job and the preview, and the job does the rest', async () => {
    const { body } = await post()
      .attach('file', Buffer.from('The kettle is blue.'), 'kettle.md')
      .attach('file', Buffer.from('["The boat is called Petrel."]'), 'boat.json')
      .expect(202);
    expect(body).toMatchObject({
      success: true,
      outcome: 'queued',
      job: { kind: 'import', status: 'queued', progress: { done: 0, total: 2 } },
      preview: { format: 'mixed', counts: { memories: 2 } },
    });
    await work();
    const call = caller(test.app, bearer);
    const { body: after } = await call('get', `/jobs/${body.job.id}`).expect(200);
    expect(after.job).toMatchObject({ status: 'done', result: { created: 2 } });
  });

  it('takes one file as the body, whatever its type', async () => {
    const { body } = await post('?name=notes.txt&dry_run=true')
      .set('Content-Type', 'application/json')
      .send('"plain after all"')
      .expect(200);
    expect(body).toMatchObject({ success: true, preview: { format: 'text', counts: { memories: 1 } } });
    expect(body.job).toBeUndefined();
  });

  it('takes small files as JSON', async () => {
    const files = [{ name: 'a.md', content: 'A small note.' }];
    await post().send({ files, dry_run: true }).expect(200);
    await post('?dry_run=true').send({ files }).expect(200);
    const { body } = await post('?dry_run=true').send({ files, dry_run: true }).expect(400);
    expect(body.error.details).toMatchObject([{ path: 'dry_run' }]);
  });

  it.each([
    ['?format=xml', 'format', /^must be one of svc, .*, text$/],
    ['?colour=red', 'colour', /^is not a known parameter/],
    ['?dry_run=maybe', 'dry_run', 'must be true or false'],
    ['?name=a&name=b', 'name', 'must be given only once'],
  ])('refuses %s, names it and says what it must be', async (query, path, message) => {
    const { body } = await post(query).attach('file', Buffer.from('x'), 'a.md').expect(400);
    expect(body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path, message: expect.stringMatching(message) }],
    });
  });

  it('refuses what is no file, no form, compressed, or too long to begin with', async () => {
    await post().field('format', 'mem0').expect(400);
    await post().attach('upload', Buffer.from('x'), 'a.md').expect(400);
    await post().set('Content-Type', 'multipart/form-data').send('x').expect(400);
    await post().set('Content-Type', 'multipart/form-data; boundary=x').send('--x--\r\n').expect(400);
    await post().set('Content-Type', 'text/plain').send('x').expect(415);
    await post('?name=a.md')
      .set('Content-Type', 'text/plain')
      .set('Content-Encoding', 'gzip')
      .send('x')
      .expect(415);
    const { body } = await post('?name=../../etc/x.md')
      .set('Content-Type', 'text/plain')
      .send('x')
      .expect(400);
    expect(body.error.message).toContain('leads out of its folder');
  });

  it('is for keys of scope full; Git and S3 are for the human', async () => {
    const reader = await test.signIn('read');
    await supertest(test.app)
      .post('/api/v1/import')
      .set('Authorization', reader.bearer)
      .attach('file', Buffer.from('x'), 'a.md')
      .expect(403);
    await post()
      .send({ git: { url: 'https://example.com/x.git' } })
      .expect(403);
    await post()
      .send({ s3: { bucket: 'notes' } })
      .expect(403);
  });
});

describe('GET /export', () => {
  it('streams Markdown where asked for, which can be imported again', async () => {
    const { bearer: own } = await test.signIn();
    const call = caller(test.app, own);
    await call('post', '/memories').send({ type: 'semantic', content: '\u001b[31mred\n```\nfence' });
    const { text, headers } = await call('get', '/export?format=markdown').expect(200);
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text).not.toContain('\u001b');
    const { body } = await supertest(test.app)
      .post('/api/v1/import?name=export.md')
      .set('Authorization', (await test.signIn()).bearer)
      .set('Content-Type', 'text/markdown')
      .send(text)
      .expect(202);
    expect(body.preview).toMatchObject({
      format: 'svc',
      restores: true,
      samples: [{ content: '\u001b[31mred\n```\nfence' }],
    });
  });
});
