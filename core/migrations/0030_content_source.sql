ALTER TABLE "memories" ADD COLUMN IF NOT EXISTS "content_source" text;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN IF NOT EXISTS "content_source" text;--> statement-breakpoint
-- Row-level security would hide the memories from this transaction.
SELECT set_config('svc.system', 'on', true);--> statement-breakpoint
-- Of what was changed before: who wrote the last version that brought its content, and was not taken back.
UPDATE "memories" AS memory SET "content_source" = nullif(said.source, memory.source) FROM (
  SELECT DISTINCT ON (state.tenant_id, state.id) state.tenant_id, state.id, state.source FROM (
    SELECT told.*, lag(told.content) OVER (PARTITION BY told.tenant_id, told.id ORDER BY told.version) AS former FROM (
      SELECT tenant_id, memory_id AS id, version, content, source, change, undone FROM "memory_versions"
      UNION ALL SELECT tenant_id, id, version, content, source, change, false FROM "memories" WHERE version > 1
    ) AS told
  ) AS state
  JOIN "memories" AS current ON current.tenant_id = state.tenant_id AND current.id = state.id
  WHERE state.content = current.content AND state.content IS DISTINCT FROM state.former
    AND state.change <> 'undone' AND NOT state.undone
  ORDER BY state.tenant_id, state.id, state.version DESC
) AS said
WHERE memory.tenant_id = said.tenant_id AND memory.id = said.id AND memory.version > 1 AND memory.content_source IS NULL
  AND said.source <> memory.source;
