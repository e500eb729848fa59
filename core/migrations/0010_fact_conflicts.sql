CREATE TABLE "fact_conflicts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"older_id" uuid NOT NULL,
	"older_version" integer NOT NULL,
	"newer_id" uuid NOT NULL,
	"newer_version" integer NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"asked_at" timestamp (3) with time zone,
	CONSTRAINT "fact_conflicts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "fact_conflicts_pair" ON "fact_conflicts" USING btree ("tenant_id","older_id","newer_id");--> statement-breakpoint
CREATE INDEX "fact_conflicts_time" ON "fact_conflicts" USING btree ("tenant_id","found_at","id");--> statement-breakpoint
CREATE INDEX "fact_conflicts_waiting" ON "fact_conflicts" USING btree ("tenant_id","found_at","id") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "fact_conflicts_asked" ON "fact_conflicts" USING btree ("tenant_id","asked_at") WHERE asked_at IS NOT NULL;