import { field, ID, list, mutation, nullable, query, String as Text, type } from '../../../core/authoring/index.ts'
import { definePlugin, SvcError } from '../../../core/doors/plugin.ts'
import compilePart from '../../../plugins/middleware/compile.ts'
import middlewarePlugin from '../../../plugins/middleware/index.ts'
import { type Authored, authored } from '../../helpers/authored.ts'
import type { TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'

/** Notes of two tenants, what functions write, and a log that hooks write into. */
export const NOTES_SQL = `
CREATE TABLE tb_note (pk_note bigserial PRIMARY KEY, id uuid NOT NULL DEFAULT gen_random_uuid(), tenant text NOT NULL, owner text, title text NOT NULL);
CREATE TABLE tb_log (entry text NOT NULL);
INSERT INTO tb_note (tenant, title) VALUES ('red', 'r1'), ('red', 'r2'), ('blue', 'b1');
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE FUNCTION fn_add_note(title text, tenant text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_log VALUES ('function ' || title);
  INSERT INTO tb_note (title, tenant) VALUES (title, tenant)
  RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity_type', 'Note', 'entity',
    jsonb_build_object('id', id, 'title', title, 'pk_note', 9007199254740993)) $$;
CREATE FUNCTION fn_drop_note(title text) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE gone tb_note; BEGIN
    DELETE FROM tb_note n WHERE n.title = fn_drop_note.title RETURNING * INTO gone;
    IF gone.id IS NULL THEN RETURN jsonb_build_object('status', 'noop:gone', 'entity', NULL, 'entity_id', NULL); END IF;
    RETURN jsonb_build_object('status', 'deleted', 'entity', jsonb_build_object('id', gone.id, 'title', gone.title));
  END $$;
CREATE FUNCTION fn_copy_notes(tenant text) RETURNS SETOF v_note LANGUAGE sql AS $$
  INSERT INTO tb_note (title, tenant) SELECT 'copy of ' || title, n.tenant FROM tb_note n WHERE n.tenant = fn_copy_notes.tenant
    AND title NOT LIKE 'copy%' RETURNING * $$;
CREATE FUNCTION fn_id_only(title text) RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO tb_note (title, tenant) VALUES (title, 'red') RETURNING id $$;
CREATE FUNCTION fn_refuse(title text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'failed:full', 'entity', NULL) $$;
`

/** The schema, with what a test declares besides. */
export function notes(declare: () => Readonly<Record<string, object>>): Promise<Authored> {
  return authored(() => {
    @type({ sqlSource: 'v_note', open: true })
    class Note {
      @field(ID) id!: string
      @field(Text) title!: string
      @field(Text) tenant!: string
    }
    class Api {
      @query(() => list(Note), { rowFilter: 'tenant = {tenant}' }) notes!: unknown
      @query(() => list(Note), { inject: { tenant: 'jwt:tenant' } }) mine!: unknown
      @query(() => list(Note), { public: true }) all!: unknown
      @query(() => list(Note)) members!: unknown
      @mutation(() => Note, { public: true, operation: 'CREATE', args: { title: Text, tenant: Text } })
      add_note!: unknown
      @mutation(() => nullable(Note), { public: true, operation: 'DELETE', args: { title: Text } }) drop_note!: unknown
      @mutation(() => list(Note), { public: true, args: { tenant: Text } }) copyNotes!: unknown
      @mutation(() => Note, { public: true, args: { title: Text } }) idOnly!: unknown
      @mutation(() => nullable(Note), { public: true, args: { title: Text } }) refuse!: unknown
      @mutation(() => nullable(Note), { sqlSource: 'fn_refuse', args: { title: Text } }) bare!: unknown
    }
    return { Api, ...declare() }
  })
}

/** What happened, in order. */
export type Trace = string[]

/** `Login ann:red` is ann of the tenant red; `Login bad` is no credential at all. */
export const login = (trace: Trace) =>
  definePlugin({ name: 'login', version: '1.0.0', kernelApi: 1, description: 'test' }, (scope) => {
    scope.on('authenticate', async ({ headers }) => {
      const token = /^Login (.+)$/.exec(`${headers.authorization ?? ''}`)?.[1]
      if (token === undefined) return undefined
      trace.push(`authenticate ${token}`)
      const [subject = '', tenant] = token.split(':')
      if (tenant === undefined) throw new SvcError('UNAUTHENTICATED', 'The token is not valid.')
      return { subject, claims: { sub: subject, tenant }, scopes: [], roles: [], method: 'login' }
    })
    scope.on('authorize', (_ctx, { template }) => {
      trace.push(`authorize ${template.kind}`)
    })
  })

export async function openNotes(
  t: TestLike,
  database: TestDatabase,
  { schema, link }: Authored,
  trace: Trace,
): Promise<TestApp> {
  return openApp(t, database, schema, {
    compile: { parts: [{ plugin: 'middleware', part: compilePart, options: {} }] },
    link,
    defaultPolicy: 'authenticated',
    plugins: [
      { plugin: middlewarePlugin, options: {}, source: 'test' },
      { plugin: login(trace), options: {}, source: 'test' },
    ],
  })
}
