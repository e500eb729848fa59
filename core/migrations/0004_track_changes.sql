-- Rows tell in which transaction they were written last, and tenants how often active memories were deleted outright, so
-- that a process finds what changed since its snapshot. Earlier releases made these at each start.
CREATE OR REPLACE FUNCTION svc_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION svc_note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.tenants SET deletions = deletions + 1
  WHERE tenant_id IN (SELECT tenant_id FROM gone WHERE archived_at IS NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER svc_note_change BEFORE UPDATE ON memories
  FOR EACH ROW EXECUTE FUNCTION svc_note_change();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER svc_note_deletion AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION svc_note_deletion();
