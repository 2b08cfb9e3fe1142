import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf } from '../../../bench/lib/process-tree.ts'
import compileFederation from '../../../plugins/federation/compile.ts'
import compileObservers from '../../../plugins/observers/compile.ts'
import compileSubscriptions from '../../../plugins/subscriptions/compile.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { openProject } from '../../helpers/open-project.ts'
import { runService } from '../../helpers/service.ts'
import type { TestLike } from '../../helpers/services.ts'
import type { EnteredWorld, WorldService } from '../world.ts'
import { TAGS } from './tags.ts'

const toml = (url: string, workers: number): string => `
[database]
url = "${url}"
ssl_mode = "disable"
connect_timeout_ms = 2000
[server]
host = "127.0.0.1"
port = 0
request_timeout_ms = 5000
shutdown_grace_ms = 0
workers = ${workers}
[plugins]
preset = "full"
enable = ["federation"]
# It would go on refusing for longer than a fault lasts.
disable = ["circuit-breaker"]
[security]
default_policy = "public"
jwt_secret = "a secret of the tests, long enough"
[svc.mcp]
enabled = true
require_auth = false
`

/** Serves the tags by every front, from the database of a world. */
export async function serveTags(
  t: TestLike,
  database: string,
  { isProcess, toml: more, served, runtime, workers = 2 }: EnteredWorld,
): Promise<WorldService> {
  const reader = await openTestDatabase(t, { kind: 'postgres', url: database })
  const parts = [
    {
      plugin: 'federation',
      part: compileFederation as never,
      options: { entities: [], compose_directives: [], authorization_directives: true },
    },
    { plugin: 'observers', part: compileObservers as never, options: { allow_hosts: [], handlers: [] } },
    { plugin: 'subscriptions', part: compileSubscriptions as never, options: {} },
  ]
  const compiled = compileArtifact(TAGS, await readCatalogFor(TAGS, reader), { dialect: reader.dialect, parts })
  // A small role has few connections, and this one is read with no more.
  await reader.close()
  const folder = t.testdir()
  writeFileSync(join(folder, 'svc.toml'), toml(served(database), isProcess ? workers : 1) + more)
  if (!isProcess) {
    const app = await openProject(t, folder, {}, compiled)
    return { url: await app.listen(), pids: () => [] }
  }
  writeFileSync(join(folder, 'schema.compiled.json'), JSON.stringify(compiled))
  const { url, child } = await runService(t, folder, runtime === undefined ? {} : { runtime, env: { SVC_DIST: '1' } })
  return { url, pids: () => [child.pid!, ...childrenOf(child.pid!)] }
}
