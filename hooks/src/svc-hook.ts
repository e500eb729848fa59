// It imports nothing: an old Node fails while it links the program, before a line of it runs. A hook must not fail its host even
// then.
import('./main.ts').catch((error) => {
  const { node } = process.versions;
  process.stderr.write(
    `svc: Node ${node} cannot run the hook, which needs 20.19 or newer: ${error.message}\n`,
  );
  process.exit(0);
});
