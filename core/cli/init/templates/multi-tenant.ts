import { RESPONSE_SQL } from './response.ts'
import type { Template } from './template.ts'

const SCHEMA = `import { DateTime, field, ID, input, list, mutation, nullable, query, String, type } from 'svc/authoring'

// The claim of the token that names the tenant. Clients neither see nor set it. As a rule of the type it applies wherever svc reads a row:
// lists, single rows, counts, relations, filters, results of mutations. Without the claim, nothing is read.
const tenant = { tenant_id: 'jwt:tenant_id' }

@type({ sqlSource: 'v_customer', inject: tenant })
export class Customer {
  @field(ID) id!: string
  @field(String) name!: string
  @field(() => list(Invoice)) invoices!: Invoice[]
}

@type({ sqlSource: 'v_invoice', inject: tenant })
export class Invoice {
  @field(ID) id!: string
  @field(String) title!: string
  @field(DateTime) createdAt!: string
  @field(nullable(Customer)) customer!: Customer | null
}

@input
export class CreateInvoice {
  @field(ID) customerId!: string
  @field(String) title!: string
}

export class Api {
  @query(list(Customer), { sqlSource: 'v_customer' }) customers!: unknown
  @query(list(Invoice), { sqlSource: 'v_invoice' }) invoices!: unknown
  @query(nullable(Invoice), { sqlSource: 'v_invoice', args: { id: ID } }) invoice!: unknown

  @mutation(Invoice, { sqlSource: 'fn_create_invoice', operation: 'CREATE', inject: tenant, args: { input: CreateInvoice } })
  createInvoice!: unknown

  // svc checks the row that the id names under the rule of the type before it calls the function.
  @mutation(Invoice, { sqlSource: 'fn_rename_invoice', operation: 'UPDATE', args: { id: ID, title: String } })
  renameInvoice!: unknown
}
`

const TABLES = `CREATE TABLE tb_customer (
  pk_customer bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  tenant_id text NOT NULL,
  name text NOT NULL,
  UNIQUE (tenant_id, pk_customer)
);

-- The key with the tenant keeps an invoice from naming a customer of another tenant.
CREATE TABLE tb_invoice (
  pk_invoice bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  tenant_id text NOT NULL,
  fk_customer bigint NOT NULL,
  title text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, fk_customer) REFERENCES tb_customer (tenant_id, pk_customer)
);
CREATE INDEX ix_invoice_customer ON tb_invoice (tenant_id, fk_customer);
`

const VIEWS = `CREATE VIEW v_customer AS SELECT id, pk_customer, tenant_id, name FROM tb_customer;

CREATE VIEW v_invoice AS SELECT id, pk_invoice, fk_customer, tenant_id, title, created_at FROM tb_invoice;
`

const FUNCTIONS = `${RESPONSE_SQL}
CREATE FUNCTION invoice_response(p_status text, p_id uuid, p_updated_fields text[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE sql STABLE AS $$
  SELECT p_status, 'Invoice ' || p_status, p_id::text, 'Invoice',
         (SELECT to_jsonb(v) FROM v_invoice v WHERE v.id = p_id), p_updated_fields, NULL::jsonb, NULL::jsonb
$$;

-- p_tenant_id is the claim of the token.
CREATE FUNCTION fn_create_invoice(p_customer_id uuid, p_title text, p_tenant_id text)
RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  INSERT INTO tb_invoice (tenant_id, fk_customer, title)
  SELECT p_tenant_id, pk_customer, p_title FROM tb_customer WHERE id = p_customer_id AND tenant_id = p_tenant_id
  RETURNING id INTO v_id;
  IF v_id IS NULL THEN RAISE EXCEPTION 'There is no customer %', p_customer_id USING HINT = 'NOT_FOUND'; END IF;
  RETURN invoice_response('created', v_id);
END $$;

CREATE FUNCTION fn_rename_invoice(p_id uuid, p_title text) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_invoice SET title = p_title WHERE id = p_id;
  RETURN invoice_response('updated', p_id, ARRAY['title']);
END $$;
`

const DATA = `INSERT INTO tb_customer (id, tenant_id, name) VALUES
  ('00000000-0000-4000-8000-000000000001', 'north', 'Northern Mills'),
  ('00000000-0000-4000-8000-000000000002', 'south', 'Southern Yards');

INSERT INTO tb_invoice (id, tenant_id, fk_customer, title)
SELECT '00000000-0000-4000-8000-000000000011', tenant_id, pk_customer, 'Flour' FROM tb_customer WHERE tenant_id = 'north';
INSERT INTO tb_invoice (id, tenant_id, fk_customer, title)
SELECT '00000000-0000-4000-8000-000000000012', tenant_id, pk_customer, 'Timber' FROM tb_customer WHERE tenant_id = 'south';
`

const SQLITE_TABLES = `CREATE TABLE tb_customer (
  pk_customer INTEGER PRIMARY KEY,
  id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()),
  tenant_id TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (tenant_id, pk_customer)
);

-- The key with the tenant keeps an invoice from naming a customer of another tenant.
CREATE TABLE tb_invoice (
  pk_invoice INTEGER PRIMARY KEY,
  id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()),
  tenant_id TEXT NOT NULL,
  fk_customer INTEGER NOT NULL,
  title TEXT NOT NULL,
  created_at DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (tenant_id, fk_customer) REFERENCES tb_customer (tenant_id, pk_customer)
);
CREATE INDEX ix_invoice_customer ON tb_invoice (tenant_id, fk_customer);
`

const SQLITE_SCRIPTS = {
  'db/functions/fn_create_invoice.sql': `-- :tenant_id is the claim of the token.
-- :customer_id uuid
-- :title text
-- :tenant_id text

SELECT svc_raise('NOT_FOUND', 'There is no customer ' || :customer_id)
WHERE NOT EXISTS (SELECT 1 FROM tb_customer WHERE id = :customer_id AND tenant_id = :tenant_id);

INSERT INTO tb_invoice (tenant_id, fk_customer, title)
SELECT tenant_id, pk_customer, :title FROM tb_customer WHERE id = :customer_id AND tenant_id = :tenant_id
RETURNING 'created' AS status, 'Invoice created' AS message, id AS entity_id, 'Invoice' AS entity_type;
`,
  'db/functions/fn_rename_invoice.sql': `-- :id uuid
-- :title text

UPDATE tb_invoice SET title = :title WHERE id = :id
RETURNING 'updated' AS status, 'Invoice updated' AS message, id AS entity_id, 'Invoice' AS entity_type,
  '["title"]' AS updated_fields;
`,
}

const TEST = `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestedProject, testProject } from 'svc/testing'

const north = { claims: { sub: 'ann', tenant_id: 'north' } }
const south = { claims: { sub: 'bob', tenant_id: 'south' } }
const OF_SOUTH = '00000000-0000-4000-8000-000000000012'
const CUSTOMER_OF_SOUTH = '00000000-0000-4000-8000-000000000002'

let project: TestedProject
before(async () => {
  project = await testProject()
})
after(() => project.close())

test('each tenant sees its own rows', async () => {
  const query = '{ customers { name invoices { title } } invoices { title customer { name } } }'
  assert.deepEqual((await project.graphql(query, north)).data, {
    customers: [{ name: 'Northern Mills', invoices: [{ title: 'Flour' }] }],
    invoices: [{ title: 'Flour', customer: { name: 'Northern Mills' } }],
  })
  assert.deepEqual((await project.graphql(query, south)).data?.invoices, [
    { title: 'Timber', customer: { name: 'Southern Yards' } },
  ])
})

test('a tenant never reads a row of another one', async () => {
  const { data } = await project.graphql(\`{ invoice(id: "\${OF_SOUTH}") { title } }\`, north)
  assert.equal(data?.invoice, null)
  const found = await project.graphql('{ invoices(where: { title: { _eq: "Timber" } }) { id } }', north)
  assert.deepEqual(found.data?.invoices, [])
  assert.equal((await project.inject({ url: \`/rest/v1/invoices/\${OF_SOUTH}\` }, north)).status, 404)
})

test('a tenant never changes a row of another one', async () => {
  const renamed = await project.graphql(\`mutation { renameInvoice(id: "\${OF_SOUTH}", title: "Mine") { id } }\`, north)
  assert.equal(renamed.errors?.[0]?.extensions.code, 'NOT_FOUND')
  const create = \`mutation { createInvoice(input: { customerId: "\${CUSTOMER_OF_SOUTH}", title: "Mine" }) { id } }\`
  assert.equal((await project.graphql(create, north)).errors?.[0]?.extensions.code, 'NOT_FOUND')
  assert.deepEqual((await project.graphql('{ invoices { title } }', south)).data?.invoices, [{ title: 'Timber' }])
})

test('a caller without a tenant is refused', async () => {
  const code = async (caller?: { claims: object }) =>
    (await project.graphql('{ invoices { title } }', caller as typeof north)).errors?.[0]?.extensions.code
  assert.equal(await code(), 'UNAUTHENTICATED')
  assert.equal(await code({ claims: { sub: 'eve' } }), 'FORBIDDEN')
})
`

/**
 * The template `multi-tenant` of `svc init`: rows of several tenants in the same tables. A claim of the caller's token
 * selects the tenant.
 */
export const MULTI_TENANT: Template = {
  schema: SCHEMA,
  test: TEST,
  policy: 'authenticated',
  more: '',
  files: {
    pglite: {
      'db/01_tables.sql': TABLES,
      'db/02_views.sql': VIEWS,
      'db/03_functions.sql': FUNCTIONS,
      'db/04_data.sql': DATA,
    },
    sqlite: { 'db/01_tables.sql': SQLITE_TABLES, 'db/02_views.sql': VIEWS, 'db/03_data.sql': DATA, ...SQLITE_SCRIPTS },
  },
  tryIt: `Every operation requires a token with the claim \`tenant_id\`: \`north\` and \`south\` have rows. \`test/api.test.ts\` shows what each
of them sees. The service verifies tokens with the secret in JWT_SECRET (openssl rand -hex 32), or by the issuer in
\`security.jwt_issuer\`.

    { invoices { title customer { name } } }
`,
}
