import {
  createStaticEmbedder,
  type Embedder,
  type EmbedderFor,
  findServedModels,
  LOCAL_SERVERS,
  type ModelServer,
  openAiEmbedder,
  type ServedModel,
  STATIC_MODEL,
  servedEmbedder,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from '@svc-memory/core';

/** Which embedder was chosen, for the operator. */
interface EmbedderChoice {
  /** One line: the model, why it, and what to do about it. */
  readonly message: string;
  /** False when it cannot be used now. */
  readonly isAvailable: boolean;
}

/** The embedder that was chosen, and how to explain it. */
export interface AutoEmbedding {
  readonly embedder: Embedder;
  readonly embedderFor: EmbedderFor;
  /** Looks at what is there now. */
  explain(): Promise<EmbedderChoice>;
}

/** Where to look. */
export interface AutoSources {
  /** The model that the stored memories have vectors of, if any: it is never changed by itself. */
  readonly inUse: string | undefined;
  /** Default: those of this machine. */
  readonly servers?: readonly ModelServer[];
  /** Loads the library transformers.js; default: the installed package. */
  readonly load?: TransformersEmbedderOptions['load'];
  /** Models of the hub that it may have on this machine, the preferred first. */
  readonly hubModels?: readonly string[];
}

/** Milliseconds that all trials of served models may take together: a server loads a model at its first use. */
const TRIAL_MS = 15_000;
const TRIAL_TEXT = 'Is anybody there?';
const HUB_MODELS = ['Xenova/multilingual-e5-small', 'Xenova/bge-small-en-v1.5', 'Xenova/all-MiniLM-L6-v2'];

/**
 * Chooses an embedder: the model in use here already; else one that a server on this machine has, or that transformers.js has on
 * this machine, once it has made a vector; else the static one. Nothing is downloaded, and no other machine is asked.
 */
export async function chooseAutoEmbedding(sources: AutoSources): Promise<AutoEmbedding> {
  const { inUse, servers = LOCAL_SERVERS, load, hubModels = HUB_MODELS } = sources;
  const embedderFor: EmbedderFor = (model) => {
    const name = model.slice(model.indexOf(':') + 1);
    if (model === STATIC_MODEL) return createStaticEmbedder();
    if (model.startsWith('openai:')) return servedEmbedder(name, servers);
    return model.startsWith('transformers:') ? fromDisk(name, load) : undefined;
  };
  const chosen = (embedder: Embedder, why: string): AutoEmbedding => ({
    embedder,
    embedderFor,
    explain: async () => ({ message: `${embedder.model}, ${why}`, isAvailable: true }),
  });

  if (inUse?.startsWith('static:') && inUse !== STATIC_MODEL) {
    return chosen(createStaticEmbedder(), `this version's offline model, in place of ${inUse}`);
  }
  if (inUse !== undefined) {
    const embedder = embedderFor(inUse) ?? createStaticEmbedder();
    return { embedder, embedderFor, explain: () => explainKept(inUse, servers) };
  }
  const { found, failed } = await tryServed(servers);
  if (found) {
    const { server, model } = found;
    const embedder = openAiEmbedder({ model, url: server.url, apiKey: server.apiKey });
    return chosen(embedder, `which ${server.name} serves at ${server.url}`);
  }
  const failures = failed.map((failure) => `; ${failure}`).join('');
  for (const name of hubModels) {
    const embedder = fromDisk(name, load);
    if ((await trialOf(embedder)) === undefined) {
      return chosen(embedder, `which transformers.js has on this machine${failures}`);
    }
  }
  const asked = servers.map(({ name, url }) => `${name} (${url})`).join(', ');
  const why = `since neither a server on this machine has an embedding model that works, nor transformers.js: asked were ${asked}`;
  return chosen(createStaticEmbedder(), `${why}${failures}`);
}

function fromDisk(model: string, load: AutoSources['load']): Embedder {
  return transformersEmbedder({ model, localOnly: true, ...(load && { load }) });
}

/** The preferred of the served models that makes a vector, and why those before it do not. */
async function tryServed(
  servers: readonly ModelServer[],
): Promise<{ found?: ServedModel; failed: readonly string[] }> {
  const signal = AbortSignal.timeout(TRIAL_MS);
  const failed: string[] = [];
  for (const found of await findServedModels(servers)) {
    const { server, model } = found;
    const embedder = openAiEmbedder({ model, url: server.url, apiKey: server.apiKey, retries: 0 });
    const failure = await trialOf(embedder, signal);
    if (failure === undefined) return { found, failed };
    failed.push(`${server.name} has ${model}, but: ${failure}`);
  }
  return { failed };
}

/** Why the embedder does not make a vector; undefined where it does. */
async function trialOf(embedder: Embedder, signal?: AbortSignal): Promise<string | undefined> {
  try {
    await embedder.embed([TRIAL_TEXT], signal);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function explainKept(inUse: string, servers: readonly ModelServer[]): Promise<EmbedderChoice> {
  const served = await findServedModels(servers);
  const here = served.find(({ model }) => inUse === `openai:${model}`);
  const isLost = inUse.startsWith('openai:') && !here;
  const where = here ? `, which ${here.server.name} serves at ${here.server.url}` : '';
  const lost = isLost
    ? ', which no server on this machine serves now: recall goes by words alone until one does, or until SVC_EMBEDDER=static npx svc-memory reembed is run'
    : '';
  const [best] = served;
  const change = best && best !== here ? `. ${describeChange(best)}` : '';
  return {
    message: `${inUse}, in use here already${where}${lost}${change}`,
    isAvailable: !isLost,
  };
}

function describeChange({ server, model }: ServedModel): string {
  const settings = `SVC_EMBEDDER=openai:${model} SVC_EMBEDDER_URL=${server.url}`;
  return `${server.name} has ${model} too: to change to it, stop the service and run ${settings} npx svc-memory reembed`;
}
