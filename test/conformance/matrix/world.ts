import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCatalogs } from '../../../core/cli/compile/compile-project.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { App } from '../../../core/service/app.ts'
import { digestOf, sha256Hash } from '../../../plugins/api-keys/key-format.ts'
import compileFederation from '../../../plugins/federation/compile.ts'
import compileObservers from '../../../plugins/observers/compile.ts'
import compilePolicies from '../../../plugins/policies/compile.ts'
import compileSubscriptions from '../../../plugins/subscriptions/compile.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { openProject } from '../../helpers/open-project.ts'
import type { TestLike } from '../../helpers/services.ts'
import { SECRET as JWT_SECRET } from '../../plugins/jwt/who.ts'
import { openSink } from '../../plugins/observers/sink.ts'
import { MASKED_FIELD, type MatrixRule, SECRET } from './cells.ts'
import type { MatrixParts } from './parts.ts'
import { API_KEY } from './tokens.ts'

const sqlFor = (rules: readonly MatrixRule[]): string => `
CREATE TABLE tb_secret (pk int, rule int, id text PRIMARY KEY, owner text NOT NULL, secret text NOT NULL, note text);
INSERT INTO tb_secret SELECT 1, n, 'one-' || n, 'ann', CASE WHEN n = ANY('{${farOf(rules)}}'::int[]) THEN 'far' ELSE '${SECRET}' END, NULL FROM generate_series(0, ${rules.length - 1}) n
  UNION ALL SELECT 2, n, 'two-' || n, 'ann', 'nothing', NULL FROM generate_series(0, ${rules.length - 1}) n;
${rules.map((_, index) => sqlOf(index)).join('\n')}`

/** Two rows, because a filter that leaves nothing out writes none. */
const sqlOf = (index: number): string => `
CREATE VIEW v_secret${index} AS SELECT pk AS pk_secret${index}, id, owner, secret, note FROM tb_secret WHERE rule = ${index};
CREATE FUNCTION fn_edit${index}(p_id text, p_input jsonb) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_secret SET note = p_input->>'note' WHERE id = p_id AND rule = ${index} RETURNING to_jsonb(tb_secret) $$;`

/** Places of the rules whose secret is in the other database. */
const farOf = (rules: readonly MatrixRule[]): readonly number[] =>
  rules.flatMap(({ far }, index) => (far === undefined ? [] : [index]))

const farSqlFor = (rules: readonly MatrixRule[]): string =>
  farOf(rules)
    .map((index) => `CREATE VIEW v_far${index} AS SELECT 'one-${index}' AS id, 'ann' AS owner, '${SECRET}' AS secret;`)
    .join('\n')

const POLICIES = {
  rules: [{ name: 'owner', rule: 'user.id == object.owner' }],
  policies: [{ name: 'keepers', type: 'rbac', roles: ['keeper'] }],
} as const

/** Every plugin that can be on without a server of its own; each has its rules at work. */
const TOML = (url: string, far: string): string => `
[database]
url = "${url}"
[databases.far]
url = "${far}"
[server]
host = "127.0.0.1"
port = 0
[plugins]
preset = "full"
[[plugins.use]]
path = "./masks.ts"
[security]
jwt_secret = "${JWT_SECRET}"
[[security.rules]]
name = "owner"
rule = "${POLICIES.rules[0].rule}"
[[security.policies]]
name = "keepers"
type = "rbac"
roles = ["keeper"]
[security.api_keys]
enabled = true
storage = "env"
static = [{ name = "matrix", key_hash = "${sha256Hash(digestOf(API_KEY))}", scopes = [] }]
[security.token_revocation]
enabled = true
backend = "sqldb"
[security.state_encryption]
enabled = true
[security.pkce]
enabled = true
callback_url = "http://localhost:8080/auth/callback"
issuer_url = "http://127.0.0.1:1"
client_id = "matrix"
user_function = "fn_user"
[security.rate_limiting]
enabled = true
requests_per_second = 0.001
requests_per_second_per_user = 100000
burst_size = 20
[security.error_sanitization]
enabled = true
[security.csrf_prevention]
enabled = true
[svc.apq]
enabled = true
[graphql]
max_batch = 2
[observers]
enabled = true
backend = "sqldb"
allow_hosts = ["127.0.0.1"]
`

/** Masks the fields that a rule describes so to everybody but keepers. */
const MASKS = `
import { definePlugin } from '${new URL('../../../core/doors/plugin.ts', import.meta.url).href}'
const mask = () => '…'
export default definePlugin(
  { name: 'masks', version: '1.0.0', kernelApi: 1, description: 'Masks fields.' },
  (scope) => {
    scope.on('authorize', ({ auth, generation }, _operation, access) => {
      if (auth?.roles.includes('keeper')) return
      for (const type of generation.schema.types.values()) {
        if (type.kind !== 'object') continue
        for (const field of type.fields.values()) {
          if (field.description === '${MASKED_FIELD}') access.mask(type.name + '.' + field.wireName, mask)
        }
      }
    })
  },
)
`

/** Names in the schema of the rule at this place. */
export const namesOf = (index: number) => ({
  type: `Secret${index}`,
  query: `secrets${index}`,
  beside: `othersOfSecrets${index}`,
  single: `secret${index}`,
  columnar: `columnsOfSecrets${index}`,
  mutation: `editSecret${index}`,
  subscription: `changedSecret${index}`,
  key: `one-${index}`,
})
const INPUT = ['owner', 'secret', 'note'].map((name) => ({ name, type: 'String' }))

function schemaOf(rules: readonly MatrixRule[], sink: string): AuthoredSchema {
  return {
    version: '1',
    types: rules.flatMap(({ type, field, far }, index) => [
      {
        name: namesOf(index).type,
        sql_source: `v_secret${index}`,
        relay: true,
        key_fields: ['id'],
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'owner', type: 'String!' },
          { name: 'secret', type: 'String', ...field },
          { name: 'note', type: 'String' },
          { name: 'self', type: namesOf(index).type, relation: { from: 'id', to: 'id' } },
          ...(far === undefined ? [] : [{ name: 'far', type: `Far${index}`, relation: { from: 'id', to: 'id' } }]),
        ],
        ...type,
      },
      ...(far === undefined ? [] : [farTypeOf(index, far)]),
    ]),
    input_types: [{ name: 'SecretInput', fields: INPUT }],
    queries: rules.flatMap(({ query, beside }, index) => [
      { name: namesOf(index).query, type: `[${namesOf(index).type}!]!`, sql_source: `v_secret${index}`, ...query },
      {
        name: namesOf(index).columnar,
        dataplane: 'arrow' as const,
        type: `[${namesOf(index).type}!]!`,
        sql_source: `v_secret${index}`,
        ...query,
      },
      {
        name: namesOf(index).single,
        type: namesOf(index).type,
        sql_source: `v_secret${index}`,
        cache_ttl: 600,
        arguments: [{ name: 'id', type: 'ID!' }],
        ...query,
      },
      // Last: the first list of a type names its resource.
      ...(beside === undefined
        ? []
        : [
            {
              name: namesOf(index).beside,
              type: `[${namesOf(index).type}!]!`,
              sql_source: `v_secret${index}`,
              ...beside,
            },
          ]),
    ]),
    mutations: rules.map(({ query }, index) => ({
      name: `edit_secret${index}`,
      type: namesOf(index).type,
      sql_source: `fn_edit${index}`,
      operation: 'UPDATE' as const,
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'input', type: 'SecretInput!' },
      ],
      ...query,
    })),
    subscriptions: rules.map(({ query }, index) => ({
      name: namesOf(index).subscription,
      type: `${namesOf(index).type}!`,
      ...(query as object),
    })),
    observers: rules.map((_, index) => ({
      name: `watch${index}`,
      entity: namesOf(index).type,
      event: 'UPDATE',
      actions: [{ type: 'webhook', url: `${sink}/${namesOf(index).type}` }],
    })),
  }
}

const farTypeOf = (index: number, { type, field }: NonNullable<MatrixRule['far']>) => ({
  name: `Far${index}`,
  sql_source: `v_far${index}`,
  database: 'far',
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'owner', type: 'String!' },
    { name: 'secret', type: 'String', ...field },
  ],
  ...type,
})

export interface MatrixWorld {
  readonly app: App
  /** What stands in the row of a rule. */
  noteOf(index: number): Promise<string | null>
  /** Changes the row of a rule past the service, and tells it so, as a trigger does. */
  touch(index: number): Promise<void>
  /** Bodies that observers of the rule's type were sent, of changes with that mark. */
  observed(index: number, mark: string): string
}

/** One service for all cells. */
export async function openMatrix(t: TestLike, { rules, toml }: MatrixParts): Promise<MatrixWorld> {
  process.env.STATE_ENCRYPTION_KEY = '0123456789abcdef'.repeat(4)
  t.teardown(() => Reflect.deleteProperty(process.env, 'STATE_ENCRYPTION_KEY'))
  const url = await createPostgresDatabase(t, { sql: sqlFor(rules) })
  const far = await createPostgresDatabase(t, { sql: farSqlFor(rules) })
  const sink = await openSink(t)
  const authored = schemaOf(rules, sink.url)
  const reader = await openTestDatabase(t, { kind: 'postgres', url } as never)
  const databases = new Map([['far', await openTestDatabase(t, { kind: 'postgres', url: far } as never)]])
  const catalog = await readCatalogs(authored, reader, databases)
  const federation = { entities: [], compose_directives: [], authorization_directives: true }
  const parts = [
    { plugin: 'policies', part: compilePolicies as never, options: { ...POLICIES, field_auth: [] } },
    { plugin: 'federation', part: compileFederation as never, options: federation },
    { plugin: 'observers', part: compileObservers as never, options: { allow_hosts: ['127.0.0.1'], handlers: [] } },
    { plugin: 'subscriptions', part: compileSubscriptions as never, options: {} },
  ]
  const compiled = compileArtifact(authored, catalog, { dialect: reader.dialect, databases, parts })
  const folder = t.testdir()
  writeFileSync(join(folder, 'svc.toml'), TOML(url, far) + toml)
  writeFileSync(join(folder, 'masks.ts'), MASKS)
  const app = await openProject(t, folder, {}, compiled)
  async function noteOf(index: number): Promise<string | null> {
    const text = `SELECT note FROM tb_secret WHERE id = 'one-${index}'`
    return (await reader.query({ name: null, text }, [], null)).rows[0]?.[0] ?? null
  }
  async function touch(index: number): Promise<void> {
    const { type, key } = namesOf(index)
    const row = `SELECT to_jsonb(s) FROM tb_secret s WHERE id = '${key}'`
    const text = `INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row) VALUES ('UPDATE', '${type}', '${key}', (${row}))`
    await reader.query({ name: null, text }, [], null)
  }
  const observed = (index: number, mark: string): string =>
    sink
      .of(`/${namesOf(index).type}`)
      .filter(({ body }) => body.data.new.note === mark)
      .map(({ text }) => text)
      .join('\n')
  return { app, noteOf, touch, observed }
}
