import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { svc } from '../server/src/cli/cli.fixture.ts';
import { unknownVariables } from '../server/src/config/config.ts';

const FOLDER = new URL('../server/deploy/', import.meta.url);
const ROOT = new URL('../', import.meta.url);
const text = (name: string) => readFile(new URL(name, FOLDER), 'utf8');

/** Settings that this version does not know, among names of environment variables. */
const unknown = (names: readonly string[]) =>
  unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])));
const understands = async (args: readonly string[]) => (await svc([...args, '--help'].join(' '))).code === 0;

test('the Dockerfile is valid, copies what exists, and ends as another user than root', async () => {
  const dockerfile = await text('Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  const [, ...stages] = dockerfile.split(/^FROM /m);
  const last = stages.at(-1) ?? '';
  for (const [, paths = ''] of last.matchAll(/^COPY --from=build (.+) \S+$/gm)) {
    for (const path of paths.split(' ').map((one) => one.replace('/app/', ''))) {
      expect(existsSync(new URL(path, ROOT)), path).toBe(true);
    }
  }
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  // The program that imports of repositories run.
  expect(last).toMatch(/^RUN apt-get .*\n.* install .*\bgit ca-certificates\b/m);
  const names = [...dockerfile.matchAll(/\b(SVC_\w+)/g)].map(([, name = '']) => name);
  expect(unknown(names)).toEqual([]);
});

interface ComposeService {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly image: string;
}

test('the compose file starts what exists with settings that exist, and takes every secret from .env', async () => {
  const source = await text('compose.yaml');
  const { services }: { services: Record<string, ComposeService> } = parse(source, { merge: true });
  expect(Object.keys(services).sort()).toEqual(['api', 'migrate', 'postgres', 'redis', 'worker']);
  for (const [name, { image, command, environment = {}, depends_on = {} }] of Object.entries(services)) {
    for (const other of Object.keys(depends_on)) expect(Object.keys(services), name).toContain(other);
    if (image !== 'agent-memory-service') continue;
    expect(unknown(Object.keys(environment))).toEqual([]);
    expect(await understands(command ?? []), `${name}: ${command?.join(' ')}`).toBe(true);
  }
  // What the file and its README tell to set for a load balancer must arrive.
  expect(Object.keys(services.api?.environment ?? {})).toEqual(
    expect.arrayContaining(['SVC_PUBLIC_URL', 'SVC_TRUSTED_PROXIES']),
  );
  const wanted = new Set([...source.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  const offered = [...(await text('env.example')).matchAll(/^(\w+)=(.*)$/gm)];
  expect(new Set(offered.map(([, name]) => name))).toEqual(wanted);
  expect(offered.filter(([, , value]) => value)).toEqual([]);
});

describe('the Kubernetes example', async () => {
  const models = { Deployment, Job, PodDisruptionBudget, Service };
  const objects = parseAllDocuments(await text('kubernetes.yaml')).map((document) => document.toJS());
  const containers = objects.flatMap(({ spec }) => spec.template?.spec.containers ?? []);

  it.each(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]))(
    '%s has the shape that Kubernetes expects',
    (_name, object) => {
      const Model = models[object.kind as keyof typeof models];
      expect(() => new Model(object).validate()).not.toThrow();
      expect(() =>
        new Model({ ...object, spec: { ...object.spec, selector: 7, template: 7 } }).validate(),
      ).toThrow();
    },
  );

  it('selects pods by labels that they have', () => {
    const pods = objects.filter(({ spec }) => spec.template).map(({ spec }) => spec.template.metadata.labels);
    for (const { kind, spec } of objects.filter(({ kind }) => kind !== 'Job')) {
      const labels = kind === 'Service' ? spec.selector : spec.selector.matchLabels;
      expect(pods, kind).toContainEqual(expect.objectContaining(labels));
    }
  });

  it('runs commands and sets settings that exist, and holds no secret', async () => {
    expect(containers).toHaveLength(3);
    for (const { args, env = [], envFrom } of containers) {
      expect(await understands(args)).toBe(true);
      expect(unknown(env.map(({ name }: { name: string }) => name))).toEqual([]);
      expect(env.map(({ name }: { name: string }) => name).join()).not.toMatch(/SECRET|TOKEN|DATABASE|REDIS/);
      expect(envFrom).toEqual([{ secretRef: { name: 'agent-memory-service' } }]);
    }
  });

  it('mounts a folder for temporary files where the root is read-only and imports are fetched', () => {
    const pods = objects.flatMap(({ spec }) => spec.template?.spec ?? []);
    for (const { volumes, containers } of pods.filter(({ containers: [{ args }] }) => args[0] === 'serve')) {
      expect(containers[0].securityContext.readOnlyRootFilesystem).toBe(true);
      expect(containers[0].volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
      expect(volumes).toMatchObject([{ name: 'tmp', emptyDir: {} }]);
    }
  });

  it('probes what every role answers', () => {
    const serving = containers.filter(({ args }) => args[0] === 'serve');
    for (const { startupProbe, livenessProbe, readinessProbe } of serving) {
      expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe.httpGet.path)).toEqual([
        '/health',
        '/health',
        '/ready',
      ]);
    }
  });
});
