ALTER TABLE "schedule_items" ADD COLUMN IF NOT EXISTS "whole_day" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "schedule_items" SET "whole_day" = true WHERE "due_at" = date_trunc('day', "due_at", 'UTC');
