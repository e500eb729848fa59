const PACKAGE: string = '@huggingface/transformers';

/** Imports the optional package `@huggingface/transformers`, as the part of it that the caller uses. */
export async function importTransformers<Library>(): Promise<Library> {
  // Named border: the package may be absent, so that its types cannot be had.
  return (await import(PACKAGE)) as Library;
}

/**
 * Why a model of the package could not be loaded, and what to do.
 *
 * @param what What the model is, such as `embedder transformers:Xenova/bge-small-en-v1.5`.
 */
export function explainLoading(what: string, error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
    return `The ${what} needs a package: npm install ${PACKAGE}`;
  }
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return `The model of the ${what} cannot be loaded: ${reason}`;
}
