import { SvcError } from '../../base/errors/svc-error.ts'
import type { Contract } from '../../compiler/contract.ts'
import { bootFailed } from '../../kernel/faults.ts'
import { checkOptions } from '../../kernel/options.ts'
import { linkSchema } from '../../schema/link/link.ts'
import type { CommandIo } from '../command/command.ts'
import { printSdl } from '../compile/print-sdl.ts'
import { compareAccess } from './access-changes.ts'
import { CHANGE_LEVELS, type Change, CONSUMERS, type Consumers, collectChanges } from './change.ts'
import { compareEvents } from './event-changes.ts'
import { compareGraphQL } from './graphql-changes.ts'
import type { SchemaSide } from './open-side.ts'
import { compareOpenApi } from './openapi-changes.ts'
import { compareTools } from './tool-changes.ts'

/** Result of comparing two versions of a schema (`svc diff`). */
export interface SchemaDiff {
  /** Changes, sorted by group of clients, then by level, then by location. */
  readonly changes: readonly Change[]
  /** Groups of clients that were not compared, because neither project serves them. */
  readonly skipped: readonly Consumers[]
}

/**
 * Compares two versions of a schema, separately for each group of clients (GraphQL, REST, MCP, events).
 * @param only compares this group of clients only, even if no project serves it; `null`: all groups that one of the
 * projects serves
 */
export async function compareSides(
  before: SchemaSide,
  after: SchemaSide,
  only: Consumers | null,
  io: CommandIo,
): Promise<SchemaDiff> {
  const changes: Change[] = []
  const skipped: Consumers[] = []
  for (const consumers of only === null ? CONSUMERS : [only]) {
    const found = await compareFor(consumers, before, after, only !== null, io)
    if (found === null) skipped.push(consumers)
    else changes.push(...[...found].sort(byLevelAndPlace))
  }
  return { changes, skipped }
}

async function compareFor(
  consumers: Consumers,
  before: SchemaSide,
  after: SchemaSide,
  wanted: boolean,
  io: CommandIo,
): Promise<readonly Change[] | null> {
  if (consumers === 'graphql') {
    const [old, now] = [await sdlOf(before, io), await sdlOf(after, io)]
    const access = collectChanges(consumers, (report) => compareAccess(before.compiled, after.compiled, report))
    return [...compareGraphQL(old, now), ...access]
  }
  if (consumers === 'events') return compareEvents(before.compiled, after.compiled)
  const [old, now] = [await describeContract(before, consumers), await describeContract(after, consumers)]
  if (!wanted && !old.served && !now.served) return null
  const compare = consumers === 'rest' ? compareOpenApi : compareTools
  return compare({ ...old.document }, { ...now.document })
}

function sdlOf({ project, compiled }: SchemaSide, io: CommandIo): Promise<string> {
  return printSdl(project, compiled, io, 'plain')
}

function byLevelAndPlace(a: Change, b: Change): number {
  const level = CHANGE_LEVELS.indexOf(a.level) - CHANGE_LEVELS.indexOf(b.level)
  if (level !== 0) return level
  return a.place < b.place ? -1 : a.place > b.place ? 1 : 0
}

/** The contract of a schema with one group of clients. */
interface Described {
  /** `null`: the project serves nothing to these clients. */
  readonly document: object | null
  /** Is the plugin that serves it in the list of the project? */
  readonly served: boolean
}

/**
 * Describes what a project serves, by the plugins' own descriptions. A plugin that is not in the list is described with
 * its defaults.
 * @throws SvcError SVC_PLUGIN_INVALID, SVC_BOOT_FAILED (options)
 */
async function describeContract(
  { project, compiled, configured }: SchemaSide,
  consumers: Contract['consumers'],
): Promise<Described> {
  for (const plugin of project.available) {
    const { name, contract } = plugin.manifest
    if (contract === undefined) continue
    const description = (await plugin.loadModule(contract)).default as Partial<Contract> | undefined
    if (typeof description?.describe !== 'function') {
      const message = `"${contract}" of plugin "${name}" describes nothing. Export \`defineContract({ … })\` as the default.`
      throw new SvcError('SVC_PLUGIN_INVALID', message)
    }
    if (description.consumers !== consumers) continue
    const find = (wanted: string) => project.list.listed.find(({ manifest }) => manifest.name === wanted)
    const listed = find(name)
    const { value, faults } = checkOptions(plugin.manifest, listed?.options ?? {})
    if (faults.length > 0) throw bootFailed(faults)
    const document = description.describe({ schema: linkSchema(compiled), config: project.config, options: value })
    return { document, served: document !== null && (!configured || find(description.servedBy ?? name) !== undefined) }
  }
  return { document: null, served: false }
}
