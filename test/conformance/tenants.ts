import { randomBytes } from 'node:crypto'
import { definePlugin } from '../../core/kernel/plugin.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { runOnServer, type TestDatabase } from '../helpers/databases.ts'
import type { TestLike } from '../helpers/services.ts'

/**
 * Notes of two tenants under row level security, by a session variable, and wages by role. Roles belong to the whole server,
 * so each run has its own; their names are no plain identifiers.
 */
export interface Tenants {
  readonly sql: string
  /** May do everything with the rows that its policies show. */
  readonly staff: string
  /** Sees wages besides. */
  readonly boss: string
  /** Exists, and the user of the connection may not take it on. */
  readonly stranger: string
  /** Signs in, and may take on the first two. */
  readonly login: string
  readonly loginUrl: (database: TestDatabase) => string
  /** Takes the roles from the server again. */
  readonly drop: (t: TestLike, database: TestDatabase) => void
}

const PASSWORD = 'not-a-secret'

export const NOTE_ID = { acme: '00000000-0000-4000-8000-00000000000a', bolt: '00000000-0000-4000-8000-00000000000b' }

export function makeTenants(): Tenants {
  const mark = randomBytes(4).toString('hex')
  const [staff, boss, stranger] = [`svc Staff "${mark}"`, `svc boss's ${mark}`, `svc_stranger_${mark}`]
  const login = `svc_login_${mark}`
  const q = (name: string) => `"${name.replaceAll('"', '""')}"`
  const roles = `${q(staff)}, ${q(boss)}`
  const sql = `
CREATE ROLE ${q(staff)}; CREATE ROLE ${q(boss)}; CREATE ROLE ${q(stranger)};
CREATE ROLE ${login} LOGIN NOINHERIT PASSWORD '${PASSWORD}'; GRANT ${roles} TO ${login};
CREATE TABLE tb_author (pk_author int PRIMARY KEY, id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), tenant text NOT NULL, name text NOT NULL);
CREATE TABLE tb_note (pk_note int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  tenant text NOT NULL DEFAULT current_setting('app.tenant', true), fk_author int NOT NULL, title text NOT NULL);
CREATE TABLE tb_wage (id int PRIMARY KEY, amount int NOT NULL);
INSERT INTO tb_author (pk_author, tenant, name) VALUES (1, 'acme', 'Ann'), (2, 'bolt', 'Bob');
INSERT INTO tb_note (id, tenant, fk_author, title) VALUES ('${NOTE_ID.acme}', 'acme', 1, 'acme 1'), ('${NOTE_ID.bolt}', 'bolt', 2, 'bolt 1');
-- The other tenant's note on one's own author, and the other way round: a relation must not lead across.
INSERT INTO tb_note (tenant, fk_author, title) VALUES ('bolt', 1, 'bolt on Ann'), ('acme', 2, 'acme on Bob');
INSERT INTO tb_wage VALUES (1, 100), (2, 200);
CREATE VIEW v_author WITH (security_invoker = true) AS SELECT * FROM tb_author;
CREATE VIEW v_note WITH (security_invoker = true) AS SELECT * FROM tb_note;
CREATE VIEW v_wage WITH (security_invoker = true) AS SELECT * FROM tb_wage;
CREATE VIEW v_session AS SELECT 1 AS id, current_user::text AS who, current_setting('app.tenant', true) AS tenant,
  current_setting('app.tags', true) AS tags, current_setting('app.from', true) AS sent, current_setting('app.service', true) AS service,
  current_setting('svc.started_at', true) AS started, current_setting('transaction_read_only') AS read_only;
ALTER TABLE tb_author ENABLE ROW LEVEL SECURITY; ALTER TABLE tb_note ENABLE ROW LEVEL SECURITY; ALTER TABLE tb_wage ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tb_author USING (tenant = current_setting('app.tenant', true));
CREATE POLICY own ON tb_note USING (tenant = current_setting('app.tenant', true));
CREATE POLICY boss ON tb_wage FOR SELECT TO ${q(boss)} USING (true);
DO $do$ BEGIN
  EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ' || quote_ident(current_schema()) || $to$ TO ${roles}, ${login}$to$;
END $do$;
CREATE FUNCTION fn_add_note(p_author int, p_title text) RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO tb_note (fk_author, title) VALUES (p_author, p_title) RETURNING id $$;
CREATE FUNCTION fn_rename(p_id uuid, p_title text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN UPDATE tb_note SET title = p_title WHERE id = p_id; RETURN FOUND; END $$;
CREATE FUNCTION fn_who() RETURNS text LANGUAGE sql AS $$ SELECT current_user || '/' || coalesce(current_setting('app.tenant', true), '') $$;
CREATE FUNCTION fn_smuggle(p_id uuid) RETURNS uuid LANGUAGE sql AS $$ SELECT p_id $$;
`
  return {
    sql,
    staff,
    boss,
    stranger,
    login,
    loginUrl({ url }) {
      const own = new URL(url)
      own.username = login
      own.password = PASSWORD
      return own.href
    },
    drop(t, { kind, url }) {
      if (kind !== 'postgres') return
      const name = new URL(url).pathname.slice(1)
      t.teardown(async () => {
        for (const role of [staff, boss, stranger, login]) {
          await runOnServer(name, `DROP OWNED BY ${q(role)}`)
          await runOnServer('postgres', `DROP ROLE ${q(role)}`)
        }
      })
    },
  }
}

export const TENANTS: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Author',
      sql_source: 'v_author',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'notes', type: '[Note!]!', relation: { from: 'pk_author', to: 'fk_author' } },
      ],
    },
    {
      name: 'Note',
      sql_source: 'v_note',
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'author', type: 'Author', relation: { from: 'fk_author', to: 'pk_author' } },
      ],
    },
    {
      name: 'Wage',
      sql_source: 'v_wage',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'amount', type: 'Int!' },
      ],
    },
    {
      name: 'Session',
      sql_source: 'v_session',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'who', type: 'String!' },
        { name: 'tenant', type: 'String' },
        { name: 'tags', type: 'String' },
        { name: 'sent', type: 'String' },
        { name: 'service', type: 'String' },
        { name: 'started', type: 'String' },
        { name: 'read_only', type: 'String!' },
      ],
    },
  ],
  queries: [
    { name: 'authors', type: '[Author!]!', sql_source: 'v_author' },
    { name: 'notes', type: '[Note!]!', sql_source: 'v_note' },
    { name: 'maybe_notes', type: '[Note!]', sql_source: 'v_note' },
    { name: 'counted', type: '[Note!]!', sql_source: 'v_note', auto_params: { total_count: true } },
    { name: 'note', type: 'Note', sql_source: 'v_note', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'note_pages', type: '[Note!]!', sql_source: 'v_note', relay: true },
    { name: 'wages', type: '[Wage!]!', sql_source: 'v_wage' },
    { name: 'session', type: 'Session', sql_source: 'v_session', arguments: [{ name: 'id', type: 'ID' }] },
  ],
  mutations: [
    {
      name: 'add_note',
      type: 'Note!',
      sql_source: 'fn_add_note',
      arguments: [
        { name: 'author', type: 'Int!' },
        { name: 'title', type: 'String!' },
      ],
    },
    {
      name: 'rename',
      type: 'Boolean',
      sql_source: 'fn_rename',
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
      ],
    },
    { name: 'who', type: 'String', sql_source: 'fn_who' },
    { name: 'smuggle', type: 'Note', sql_source: 'fn_smuggle', arguments: [{ name: 'id', type: 'ID!' }] },
  ],
}

/** Takes a header's word for the claims. */
export const trusting = {
  plugin: definePlugin<unknown>(
    { name: 'trusting', version: '1.0.0', kernelApi: 1, description: 'Trusts a header.' },
    (scope) => {
      scope.on('authenticate', ({ headers }) => {
        const given = headers['x-claims']
        if (typeof given !== 'string') return undefined
        return { subject: null, claims: JSON.parse(given), scopes: [], roles: [], method: 'trusting' }
      })
    },
  ),
  options: {},
  source: 'test',
}
