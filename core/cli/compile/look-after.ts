import { SvcError } from '../../base/errors/svc-error.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AfterCompile } from '../../compiler/after-compile.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import { POSTGRES } from '../../dialects/postgres/dialect.ts'
import { howToGet } from '../../kernel/order.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { checkRequires } from '../../service/plugins/check-manifests.ts'
import type { CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { configuredDialect } from './configured-dialect.ts'
import { openFront } from './open-front.ts'

/**
 * Checks that the project enables the plugins that a compiled schema requires. `svc run` refuses to start without them.
 * @returns warnings, not faults, because the schema may be served with another configuration
 */
export function lackOf({ list: { listed, left } }: Project, { requires, queries }: CompiledSchema): readonly string[] {
  const names = new Set(listed.map(({ manifest }) => manifest.name))
  const lacks = checkRequires({ requires }, names, left).map(({ message }) => message)
  const cached = queries.filter(({ cache, cache_ttl: ttl }) => cache === true || (ttl !== undefined && cache !== false))
  if (cached.length === 0 || names.has(CACHE)) return lacks
  return [
    ...lacks,
    `${listNames(cached.map(({ name }) => `"${name}"`))} ${cached.length === 1 ? 'has' : 'have'} cache_ttl or cache, and nothing keeps answers. ${howToGet(CACHE, names, left)}`,
  ]
}

/**
 * The plugin that caches results of queries with `cache_ttl`. Without it, each request reads from the database, which
 * is correct too.
 */
const CACHE = 'response-cache'

/**
 * Runs the checks of enabled plugins (`afterCompile` in the manifest) on a compiled schema. A check that throws adds a
 * warning; it does not fail the compilation.
 * @returns warnings, each with the name of its plugin
 */
export async function lookAfter(project: Project, compiled: CompiledSchema, io: CommandIo): Promise<readonly string[]> {
  const { listed } = project.list
  const looking = listed.filter(({ manifest }) => manifest.afterCompile !== undefined)
  if (looking.length === 0) return []
  const names = looking.map(({ manifest }) => `"${manifest.name}"`).join(', ')
  try {
    const dialect = (await configuredDialect(project, io)) ?? POSTGRES
    const fronts = listed.filter(({ manifest }) => manifest.sdl !== undefined)
    const front = await openFront([...fronts, ...looking], project, compiled, io, dialect)
    try {
      const said = []
      for (const plugin of looking) {
        const { name, afterCompile } = plugin.manifest
        const look = await loadLook(plugin)
        said.push(...(await look(front.source(afterCompile!, name))).map((line) => `Plugin "${name}": ${line}`))
      }
      return said
    } finally {
      await front.close()
    }
  } catch (error) {
    const why = (error as Error).message.trim().replaceAll(/\n\s*/g, ' ')
    return [`The schema could not be looked at by ${names}: ${why}`]
  }
}

async function loadLook({ manifest, loadModule }: ListedPlugin): Promise<AfterCompile> {
  const { name, afterCompile } = manifest
  const look = (await loadModule(afterCompile!)).default
  if (typeof look === 'function') return look as AfterCompile
  const message = `"${afterCompile}" of plugin "${name}" looks at nothing. Export \`defineAfterCompile(…)\` as the default.`
  throw new SvcError('SVC_PLUGIN_INVALID', message)
}
