import type { AuthoredObserver, AuthoredSchema } from '../../../core/schema/authored.ts'
import compilePart from '../../../plugins/observers/compile.ts'
import observers from '../../../plugins/observers/index.ts'
import type { TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'

export const ACCOUNTS_SQL = `
CREATE TABLE tb_account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, status text NOT NULL DEFAULT 'new', balance numeric NOT NULL DEFAULT 0, secret text NOT NULL DEFAULT 'hush');
CREATE TABLE tb_heard (n bigserial, event jsonb);
CREATE VIEW v_account AS SELECT id, name, status, balance FROM tb_account;
CREATE FUNCTION fn_create_account(name text, balance numeric) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_account (name, balance) VALUES (name, balance)
  RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity', to_jsonb(tb_account)) $$;
CREATE FUNCTION fn_set_account(id uuid, status text, balance numeric) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_account a SET status = fn_set_account.status, balance = coalesce(fn_set_account.balance, a.balance) WHERE a.id = fn_set_account.id
  RETURNING jsonb_build_object('status', 'updated', 'entity_id', a.id, 'entity', to_jsonb(a)) $$;
CREATE FUNCTION fn_drop_account(id uuid) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_account a WHERE a.id = fn_drop_account.id
  RETURNING jsonb_build_object('status', 'deleted', 'entity_id', a.id, 'entity', to_jsonb(a)) $$;
CREATE FUNCTION fn_fail_account(name text) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN INSERT INTO tb_account (name) VALUES (name); RAISE EXCEPTION 'no'; END $$;
CREATE FUNCTION fn_hear(event jsonb) RETURNS void LANGUAGE sql AS $$ INSERT INTO tb_heard (event) VALUES (event) $$;
`

const ID = { name: 'id', type: 'ID!' }

/** Accounts, with observers of them. */
export function accounts(declared: readonly Omit<AuthoredObserver, 'entity'>[]): AuthoredSchema {
  const mutation = (name: string, operation: string, args: object[]) => ({
    name,
    type: 'Account',
    sql_source: `fn_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    operation,
    arguments: args,
  })
  return {
    version: '1',
    types: [
      {
        name: 'Account',
        sql_source: 'v_account',
        fields: [
          ID,
          { name: 'name', type: 'String!' },
          { name: 'status', type: 'String!' },
          { name: 'balance', type: 'Decimal!' },
        ],
      },
    ],
    queries: [{ name: 'accounts', type: '[Account!]!', sql_source: 'v_account' }],
    mutations: [
      mutation('createAccount', 'CREATE', [
        { name: 'name', type: 'String!' },
        { name: 'balance', type: 'Decimal', default: '0' },
      ]),
      mutation('setAccount', 'UPDATE', [ID, { name: 'status', type: 'String!' }, { name: 'balance', type: 'Decimal' }]),
      mutation('dropAccount', 'DELETE', [ID]),
      mutation('failAccount', 'CREATE', [{ name: 'name', type: 'String!' }]),
    ] as never,
    observers: declared.map((observer) => ({ entity: 'Account', ...observer })),
  }
}

/** The service over accounts, with the plugin. */
export function openAccounts(
  t: TestLike,
  database: TestDatabase,
  schema: AuthoredSchema,
  options: object,
  more: Parameters<typeof openApp>[3] = {},
): Promise<TestApp> {
  const own = { enabled: true, backend: 'sqldb', ...options }
  return openApp(t, database, schema, {
    ...more,
    compile: { parts: [{ plugin: 'observers', part: compilePart as never, options: own }] },
    plugins: [...(more.plugins ?? []), { plugin: observers, options: own, source: 'test' }],
  })
}

export async function create(app: TestApp, name: string, balance = '0'): Promise<string> {
  const answer = await app.graphql(
    'mutation ($n: String!, $b: Decimal) { createAccount(name: $n, balance: $b) { id } }',
    {
      n: name,
      b: balance,
    },
  )
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
  return answer.data.createAccount.id
}

export async function set(app: TestApp, id: string, status: string, balance?: string): Promise<void> {
  const query = 'mutation ($id: ID!, $s: String!, $b: Decimal) { setAccount(id: $id, status: $s, balance: $b) { id } }'
  const answer = await app.graphql(query, { id, s: status, b: balance })
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
}
