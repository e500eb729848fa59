import type { Engine } from '@svc-memory/core';
import { invalid, type Parsed, parseInput, type Route, SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { actorOf, callerOf } from '../access/credential.ts';
import { sendSuccess } from '../answers/success.ts';
import { createPlaces } from '../limits/places.ts';
import { readJsonBody } from '../request/body.ts';
import { readCallOptions } from '../request/call-options.ts';
import { createQueryReader } from '../request/query.ts';
import { readMultipart, readRaw, refuseEncoded } from './upload.ts';

/** Bytes of an upload with what `multipart/form-data` puts around its files. */
const MOST_BYTES = 260 * 1024 * 1024;
/** Uploads at once: each may last for hours, and fill the disk with 256 MiB. */
const UPLOADS = { perAgent: 8, perAccount: 16, total: 200 };
/** Imports from elsewhere at once: each may be as large, and those from Git are programs of their own. */
const FETCHES = { perAgent: 4, perAccount: 8, total: 32 };

/**
 * Answers `POST /import`: files as they stream in, or a JSON body that says where the files are. Options are query
 * parameters, and in JSON fields as well.
 */
export function answerImport(engine: Engine, route: Route, bodyLimit: number): RequestHandler {
  const { format, dry_run, user_id, space_id } = route.request.shape;
  const options = z.strictObject({
    format,
    dry_run,
    user_id,
    space_id,
    name: z.string().min(1).max(1_024).optional(),
  });
  const readOptions = createQueryReader({ ...route, request: options }, []);
  const takeUpload = createPlaces(engine, UPLOADS);
  const takeFetch = createPlaces(engine, FETCHES);
  return async (request, response) => {
    const caller = callerOf(response);
    const { name, ...given } = readOptions(request.originalUrl);
    const callOptions = readCallOptions(request, response);
    const actor = actorOf(caller);
    const kind = kindOf(request, name);
    const { tenantId } = caller;
    await takeUpload(tenantId, response, 'There are too many uploads already.').catch((error: unknown) => {
      request.resume();
      throw error;
    });
    if (kind === 'json') {
      const body = await readJsonBody(request, bodyLimit);
      for (const option of Object.keys(given)) {
        if (Object.hasOwn(body, option))
          throw invalid(option, 'is in the query already; leave it out of the body');
      }
      const isFetched = body.git !== undefined || body.s3 !== undefined;
      if (isFetched)
        await takeFetch(tenantId, response, 'There are too many imports from Git and S3 already.');
      const call = engine.agent(tenantId, actor).import as (
        input: unknown,
        options: object,
      ) => Promise<object>;
      const answer = await call({ ...body, ...given }, callOptions);
      sendSuccess(response, answer);
      return;
    }
    refuseEncoded(request);
    if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) {
      request.resume();
      throw new SvcError('PAYLOAD_TOO_LARGE', 'An import may take at most 256 MiB. Split it.');
    }
    const { format, dry_run: dryRun, ...target } = parseInput(options, given) as Parsed<'import'>;
    const files = kind === 'form' ? readMultipart(request) : readRaw(request, String(name));
    const streams = engine.streams(tenantId, actor, callOptions);
    try {
      const answer = await streams.import(files, {
        ...{ format, dryRun },
        ...{ userId: target.user_id, spaceId: target.space_id },
      });
      sendSuccess(response, answer);
    } finally {
      request.resume();
    }
  };
}

type Kind = 'json' | 'form' | 'file';

function kindOf(request: Request, name: unknown): Kind {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') {
    if (name !== undefined)
      throw invalid('name', 'is for a body that is one file; the parts have names of their own');
    return 'form';
  }
  if (name !== undefined) return 'file';
  if (type === 'application/json') return 'json';
  throw new SvcError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send files as multipart/form-data, one file with its name in the query (?name=notes.md), or a JSON body.',
  );
}
