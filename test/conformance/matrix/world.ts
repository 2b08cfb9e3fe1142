import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../../core/app.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { digestOf, sha256Hash } from '../../../plugins/api-keys/key-format.ts'
import compilePolicies from '../../../plugins/policies/compile.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { openProject } from '../../helpers/open-project.ts'
import type { TestLike } from '../../helpers/services.ts'
import { SECRET as JWT_SECRET } from '../../plugins/jwt/who.ts'
import { type MatrixRule, SECRET } from './cells.ts'
import { API_KEY } from './tokens.ts'

const sqlFor = (rules: readonly MatrixRule[]): string => `
CREATE TABLE tb_secret (id text PRIMARY KEY, owner text NOT NULL, secret text NOT NULL);
INSERT INTO tb_secret VALUES ('one', 'ann', '${SECRET}');
${rules.map((_, index) => `CREATE VIEW v_secret${index} AS SELECT ${index} AS pk_secret${index}, id || '-${index}' AS id, owner, secret FROM tb_secret;`).join('\n')}`

const POLICIES = {
  rules: [{ name: 'owner', rule: 'user.id == object.owner' }],
  policies: [{ name: 'keepers', type: 'rbac', roles: ['keeper'] }],
} as const

/** Every plugin that can be on without a server of its own; each has its rules at work. */
const TOML = (url: string): string => `
[database]
url = "${url}"
[server]
host = "127.0.0.1"
port = 0
[plugins]
preset = "full"
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
requests_per_second = 0.01
requests_per_second_per_user = 100000
burst_size = 20
[security.error_sanitization]
enabled = true
[security.csrf_prevention]
enabled = true
[svc.apq]
enabled = true
`

/** Names in the schema of the rule at this place. */
export const namesOf = (index: number) => ({ type: `Secret${index}`, query: `secrets${index}` })

function schemaOf(rules: readonly MatrixRule[]): AuthoredSchema {
  return {
    version: '1',
    types: rules.map(({ type, field }, index) => ({
      name: namesOf(index).type,
      sql_source: `v_secret${index}`,
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'owner', type: 'String!' },
        { name: 'secret', type: 'String', ...field },
        { name: 'self', type: namesOf(index).type, relation: { from: 'id', to: 'id' } },
      ],
      ...type,
    })),
    queries: rules.map(({ query }, index) => ({
      name: namesOf(index).query,
      type: `[${namesOf(index).type}!]!`,
      sql_source: `v_secret${index}`,
      ...query,
    })),
  }
}

/** One service for all cells. */
export async function openMatrix(t: TestLike, rules: readonly MatrixRule[]): Promise<App> {
  process.env.STATE_ENCRYPTION_KEY = '0123456789abcdef'.repeat(4)
  const url = await createPostgresDatabase(t, { sql: sqlFor(rules) })
  const authored = schemaOf(rules)
  const reader = await openTestDatabase(t, { kind: 'postgres', url } as never)
  const catalog = await readCatalogFor(authored, reader)
  const parts = [{ plugin: 'policies', part: compilePolicies as never, options: { ...POLICIES, field_auth: [] } }]
  const compiled = compileArtifact(authored, catalog, { dialect: reader.dialect, parts })
  const folder = t.testdir()
  writeFileSync(join(folder, 'svc.toml'), TOML(url))
  return openProject(t, folder, {}, compiled)
}
