import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadProject } from '../../core/cli/project/load-project.ts'
import { loadPlugins } from '../../core/config/plugin-list.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { linkSchema } from '../../core/schema/link/link.ts'
import { type App, createApp } from '../../core/service/app.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { compileArtifact } from './compile-fixture.ts'
import type { TestLike } from './services.ts'

/** The least that can be compiled without a catalog and asked for rows of `pg_class`, which every database has. */
export const SMALL: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Relation',
      sql_source: 'pg_class',
      fields: [
        { name: 'id', type: 'ID!', column: 'oid' },
        { name: 'name', type: 'String!', column: 'relname' },
      ],
    },
  ],
  queries: [{ name: 'relations', type: '[Relation!]!', sql_source: 'pg_class' }],
}

/** Writes svc.toml and the compiled schema of {@link SMALL} into the folder. */
export function writeProject(folder: string, toml: string): void {
  writeFileSync(join(folder, 'svc.toml'), toml)
  writeFileSync(join(folder, 'schema.compiled.json'), JSON.stringify(compileArtifact(SMALL, null)))
}

/**
 * Boots the service of a folder with a svc.toml as `svc run` does, in this process and without listening.
 * @throws SvcError of configuration and boot
 */
export async function openProject(
  t: TestLike,
  folder: string,
  env: Readonly<Record<string, string>> = {},
  compiled = compileArtifact(SMALL, null),
): Promise<App & { readonly plugins: readonly string[] }> {
  const io = { cwd: folder, env, stdout() {}, stderr() {}, isTerminal: false, stopSignal: neverStops, onReload }
  const { config, baseDir, list } = await loadProject({ input: folder }, io)
  const app = await createApp({
    config,
    baseDir,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signals: createSignals(),
    plugins: await loadPlugins(list.listed),
    known: list.left,
    version: '0.0.0-test',
    loadSchema: async () => linkSchema(compiled),
  })
  t.teardown(() => app.close())
  return { ...app, plugins: app.kernel.describe().plugins.map(({ name }) => name) }
}

function neverStops(): AbortSignal {
  return new AbortController().signal
}

function onReload(): () => void {
  return () => {}
}
