CREATE TABLE "audit_entries" (
	"tenant_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"sequence" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"act" text NOT NULL,
	"by_kind" text NOT NULL,
	"by_credential_id" text,
	"touched" jsonb NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_entries_tenant_id_chain_sequence_pk" PRIMARY KEY("tenant_id","chain","sequence")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"tenant_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_heads_tenant_id_chain_pk" PRIMARY KEY("tenant_id","chain")
);
--> statement-breakpoint
CREATE INDEX "audit_entries_act" ON "audit_entries" USING btree ("tenant_id","chain","act","sequence");
--> statement-breakpoint
-- Row-level security would hide the tenants of others from this transaction.
SELECT set_config('svc.system', 'on', true);
--> statement-breakpoint
-- A chain without its head was tampered with, also one without entries: those of agents from before begin here.
INSERT INTO "audit_heads" ("tenant_id", "chain", "sequence", "hash")
SELECT "tenant_id", "chain", 0, repeat('0', 64) FROM "tenants", unnest(ARRAY['account', 'agent']) AS one("chain")
WHERE "agent_id" IS NULL;
