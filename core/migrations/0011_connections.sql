CREATE TABLE "connection_tokens" (
	"tenant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"connection_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"scope" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "connection_tokens_tenant_id_hash_pk" PRIMARY KEY("tenant_id","hash")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"scope" text NOT NULL,
	"resource" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"code_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "connections_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "connection_tokens_hash" ON "connection_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "connection_tokens_connection" ON "connection_tokens" USING btree ("tenant_id","connection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_code" ON "connections" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "connections_client" ON "connections" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_clients_age" ON "oauth_clients" USING btree ("read_at");