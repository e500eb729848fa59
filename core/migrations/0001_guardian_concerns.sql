ALTER TABLE "guardian_entries" ADD COLUMN "concerns" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "guardian_settings" ADD COLUMN "unattended" text;--> statement-breakpoint
CREATE INDEX "guardian_undecided" ON "guardian_entries" USING btree ("tenant_id","status") WHERE status IN ('cooling', 'waiting', 'added');