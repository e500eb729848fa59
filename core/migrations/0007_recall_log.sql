CREATE TABLE "recalls" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"query" text NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	"results" jsonb NOT NULL,
	"degraded" boolean NOT NULL,
	"took_ms" double precision NOT NULL,
	CONSTRAINT "recalls_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE INDEX "recalls_time" ON "recalls" USING btree ("tenant_id","at","id");