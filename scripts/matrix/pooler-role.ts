import { escapeIdentifier, escapeLiteral } from 'pg'
import { sessionSettings } from '../../core/dialects/postgres/session.ts'
import { runSql } from '../../test/helpers/run-sql.ts'

/** Sets what svc needs behind a pooler for the role of a connection, as the docs of the plugin `postgres` say. */
export async function setPoolerRole(url: string): Promise<void> {
  const role = escapeIdentifier(new URL(url).username)
  const settings = sessionSettings({ plan_cache_mode: 'force_generic_plan' })
  const statements = settings.map(({ name, value }) => `ALTER ROLE ${role} SET ${name} = ${escapeLiteral(value)};`)
  await runSql(url, statements.join(' '))
}
